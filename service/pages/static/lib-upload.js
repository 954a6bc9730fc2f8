// Uploads: files dropped anywhere on the page or chosen, sent one after the other, each with its own line.

import { get, Problem, request } from "./api.js";
import { button, fill, h, number, quiet } from "./dom.js";
import { links, reading, titleOf } from "./shell.js";

const MEGA = 1024 * 1024;
const size = (bytes) =>
  bytes < MEGA ? `${number(Math.ceil(bytes / 1024))} KB` : `${number(Math.round((10 * bytes) / MEGA) / 10)} MB`;
const queue = h("ul", { class: "queue", "aria-label": "Uploads" });
const said = h("p", { class: "soft small", role: "status" });
let most = Infinity;
/** Statuses with which a file itself is refused, so that sending it again is of no use. */
const OF_THE_FILE = [413, 415, 422];
/** Files uploaded since the page was opened, by book, so that they can be sent again with other options. */
const held = new Map();
let sending = Promise.resolve();

/** The upload area; `taken` is called with each book that was added. */
export function takeIn(taken) {
  const give = (files) => [...files].forEach((file) => line(file, taken));
  const field = h("input", {
    type: "file",
    multiple: true,
    id: "files",
    "aria-describedby": "formats",
    onchange: () => {
      give(field.files);
      field.value = "";
    },
  });
  const limits = h(
    "p",
    { class: "soft small", id: "formats" },
    "Text, EPUB, HTML, Markdown or Word, optionally gzipped.",
  );
  const zone = h(
    "div",
    { class: "drop writes" },
    h("strong", {}, "Drop novels here"),
    " or ",
    field,
    h("label", { for: "files", class: "button" }, "Choose files …"),
    limits,
  );
  dropping(zone, give);
  get("/formats").then(
    (known) => {
      most = known.most_bytes;
      fill(
        limits,
        `${known.items.map((one) => `${one.name} (${one.endings})`).join(", ")}; optionally gzipped, up to ${size(most)} each.`,
      );
    },
    () => {},
  );
  return { zone, lines: [said, queue], give };
}

/** Accepts files dropped anywhere on the page; otherwise the browser would open them. */
function dropping(zone, give) {
  const files = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget ?? zone.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    zone.classList.remove("over");
    if (!reading()) give(event.dataTransfer.files);
  });
}

function line(file, taken) {
  const item = h("li", {});
  const name = h("strong", {}, file.name);
  queue.append(item);
  const ask = () => {
    const asked = new AbortController();
    const state = h("span", {}, "waiting to upload");
    const cancel = () => {
      asked.abort();
      item.remove();
    };
    const stop = quiet("Cancel", cancel, `Cancel upload of ${file.name}`);
    item.className = "row";
    fill(item, name, h("span", { class: "soft" }, size(file.size)), state, stop);
    sending = sending
      .then(() => asked.signal.aborted || sent(file, state, asked.signal))
      .then((found) => {
        if (found === true) return;
        item.remove();
        arrived(found, taken);
      })
      .catch((error) => asked.signal.aborted || refused(error));
  };
  const refused = (error) => {
    const choice = (words, onclick) => quiet(words, onclick, `${words}: ${file.name}`);
    item.className = "trouble";
    fill(
      item,
      h("p", {}, name, ": ", error.message, " ", error.remedy ?? ""),
      h(
        "div",
        { class: "row" },
        !OF_THE_FILE.includes(error.status) && choice("Try again", ask),
        choice("Dismiss", () => item.remove()),
      ),
    );
  };
  ask();
}

async function sent(file, state, signal) {
  if (file.size > most)
    throw new Problem(413, {
      detail: `The file is ${size(file.size)}; the limit is ${size(most)}.`,
      remedy: "Compress it with gzip, or remove what is not part of the novel.",
    });
  if (!file.size)
    throw new Problem(422, {
      detail: "The file is empty.",
      remedy: "Choose another file. Folders cannot be uploaded.",
    });
  fill(state, h("progress", { "aria-label": `Uploading ${file.name}` }), " uploading");
  return post(file, {}, signal);
}

function arrived({ book, job, created }, taken) {
  const known = !created && !job;
  const name = titleOf(book);
  fill(
    said,
    known
      ? [`“${name}” is already in your library: `, h("a", { href: links.book(book.id) }, "open it"), "."]
      : `“${name}” was uploaded.`,
  );
  taken(book);
}

/** Sends a book in an unsupported language again with `force`; only possible while this page still has the file. */
export function anyway(id) {
  return held.has(id) && (async () => (await post(held.get(id), { force: "true" })).book);
}

async function post(file, said, signal) {
  const form = new FormData();
  form.append("file", file);
  for (const [name, value] of Object.entries(said)) form.append(name, value);
  const found = await (await request("/books", { method: "POST", form, signal })).json();
  held.set(found.book.id, file);
  return found;
}

/** The bundled novella, uploaded as any client would upload it. */
export function novella(give) {
  const start = button("Start with the sample novella", async () => {
    start.disabled = true;
    const text = await (await fetch("/static/novella.txt")).blob();
    give([new File([text], "low_water_at_wickersea.txt", { type: "text/plain" })]);
  });
  const words =
    "Bookworm reads a novel, finds its people, and tells you who each of them is. Say how far you have read, and it hides what comes later. No novel at hand? Try the sample novella, “Low Water at Wickersea” (about 20,000 words). Processing usually takes less than a minute.";
  const asking = "Ask whoever gave you your API key to upload a novel.";
  const rest = reading() ? h("p", {}, asking) : [h("p", {}, words), start];
  return h("div", { class: "empty", id: "empty" }, h("h2", {}, "Your library is empty"), rest);
}
