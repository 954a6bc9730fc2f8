// Taking files in: dropped anywhere on the page or chosen, one after the other, each with a line of its own.

import { get, Problem, request } from "./api.js";
import { fill, h, number } from "./dom.js";
import { links, titleOf } from "./shell.js";

const MEGA = 1024 * 1024;
const size = (bytes) =>
  bytes < MEGA ? `${number(Math.ceil(bytes / 1024))} KB` : `${number(Math.round((10 * bytes) / MEGA) / 10)} MB`;
const queue = h("ul", { class: "queue", "aria-label": "Files on their way" });
const said = h("p", { class: "soft small", role: "status" });
let most = Infinity;
/** What came in since the page was opened, by book: it can be sent once more, with something said of it. */
const held = new Map();
let sending = Promise.resolve();

/** Where files are given; `taken` is told of each book that is on the shelf now. */
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
  const limits = h("p", { class: "soft small", id: "formats" }, "Text, EPUB, HTML, Markdown or Word; gzipped or not.");
  const zone = h(
    "div",
    { class: "drop" },
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
        `${known.items.map((one) => `${one.name} (${one.endings})`).join(", ")}; gzipped or not, up to ${size(most)} each.`,
      );
    },
    () => {},
  );
  return { zone, lines: [said, queue], give };
}

/** A file that is dropped beside the zone is meant for it, too: else the browser would open it. */
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
    give(event.dataTransfer.files);
  });
}

function line(file, taken) {
  const item = h("li", {});
  const name = h("strong", {}, file.name);
  queue.append(item);
  const ask = () => {
    const asked = new AbortController();
    const state = h("span", {}, "waiting to be sent");
    const stop = h(
      "button",
      {
        class: "quiet",
        type: "button",
        "aria-label": `Stop sending ${file.name}`,
        onclick: () => {
          asked.abort();
          item.remove();
        },
      },
      "Stop",
    );
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
    const button = (words, label, onclick) =>
      h("button", { class: "quiet", type: "button", "aria-label": `${label} ${file.name}`, onclick }, words);
    item.className = "trouble";
    fill(
      item,
      h("p", {}, name, ": ", error.message, " ", error.remedy ?? ""),
      h(
        "div",
        { class: "row" },
        button("Try again", "Try again:", ask),
        button("Never mind", "Never mind:", () => item.remove()),
      ),
    );
  };
  ask();
}

async function sent(file, state, signal) {
  if (file.size > most)
    throw new Problem(413, {
      detail: `It has ${size(file.size)}, and ${size(most)} is the most that is taken.`,
      remedy: "Pack it with gzip, or leave out what is not the novel.",
    });
  if (!file.size) throw new Problem(422, { detail: "There is nothing in it.", remedy: "Choose a file, not a folder." });
  fill(state, h("progress", { "aria-label": `Sending ${file.name}` }), " sending");
  return post(file, {}, signal);
}

function arrived({ book, job, created }, taken) {
  const known = !created && !job;
  const name = titleOf(book);
  fill(
    said,
    known
      ? [`“${name}” is on the shelf already: `, h("a", { href: links.book(book.id) }, "open it"), "."]
      : `${name} is there and will be read.`,
  );
  taken(book);
}

/** How the book can be read although its language is not understood: only who has the file can send it so. */
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

/** The novella that comes with Bookworm, sent as any client would send it. */
export function novella(give) {
  const button = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        button.disabled = true;
        const text = await (await fetch("/static/novella.txt")).blob();
        give([new File([text], "low_water_at_wickersea.txt", { type: "text/plain" })]);
      },
    },
    "Begin with the novella",
  );
  const words =
    "No novel at hand? Bookworm comes with one of its own, “Low Water at Wickersea”, of about 20,000 words. It is read in half a minute at most.";
  return h("div", { class: "empty", id: "empty" }, h("h2", {}, "Nothing on the shelf yet"), h("p", {}, words), button);
}
