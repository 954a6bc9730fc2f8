// The library: put books in, watch them being read, search them all.

import { all, get, Problem, request } from "./api.js";
import { date, fill, h, number, plural } from "./dom.js";
import { links, show, titleOf, trouble } from "./shell.js";
import { events } from "./sse.js";

const STAGES = { read: "Reading the text", resolve: "Finding the people", index: "Making the index", publish: "Putting it on the shelf" };
const list = h("ul", { class: "books" });
const notes = h("div", { "aria-live": "polite" });

function card(book) {
  const state = h("div", { class: "state" });
  const item = h("li", { class: "card", id: book.id },
    h("div", {},
      h("h2", {}, book.state === "ready" ? h("a", { href: links.book(book.id) }, titleOf(book)) : titleOf(book)),
      h("p", { class: "soft" }, [book.author, book.words && plural(book.words, "word"), book.report && plural(book.report.chapters, "chapter")]
        .filter(Boolean).join(" · "), " · ", date(book.created))),
    state,
    h("button", { class: "quiet", type: "button", onclick: () => remove(book, item), "aria-label": `Delete ${titleOf(book)}` }, "Delete"));
  const warnings = book.report?.warnings ?? [];
  if (warnings.length) item.append(h("details", {}, h("summary", {}, plural(warnings.length, "note on how it was read", "notes on how it was read")), h("ul", {}, warnings.map((w) => h("li", {}, w)))));
  if (book.state === "pending" || book.state === "processing" || book.state === "reading") follow(book, state);
  else if (book.state !== "ready") failed(book, state);
  return item;
}

async function follow(book, state) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of ${titleOf(book)}` });
  const said = h("span", {}, "Waiting");
  fill(state, bar, said);
  try {
    for await (const { event, data } of events(`/books/${book.id}/events`, { resume: true })) {
      if (event === "stage.started") said.textContent = STAGES[data.data.stage] ?? data.data.stage;
      if (event.startsWith("stage.")) {
        const job = await get(`/jobs/${data.job}`);
        bar.value = job.progress;
        const left = job.seconds_left ? `, about ${plural(Math.max(1, Math.round(job.seconds_left)), "second")} left` : "";
        said.textContent = `${STAGES[job.stage] ?? "Working"}${left}`;
      }
    }
    const now = await get(`/books/${book.id}`);
    document.getElementById(book.id)?.replaceWith(card(now));
  } catch (error) {
    fill(state, trouble(error));
  }
}

async function failed(book, state) {
  const jobs = await all("/jobs", {}, 200);
  const job = jobs.find((j) => j.book === book.id);
  fill(state, h("p", { class: "trouble" }, job?.error ?? "It could not be read.", " ", job?.remedy ?? ""));
}

async function remove(book, item) {
  if (!confirm(`Delete “${titleOf(book)}” and everything made of it?`)) return;
  try {
    await request(`/books/${book.id}`, { method: "DELETE" });
    item.remove();
  } catch (error) {
    fill(notes, trouble(error));
  }
}

async function upload(files) {
  for (const file of files) {
    const note = h("p", {}, `Sending ${file.name} (${number(Math.ceil(file.size / 1024))} KB) …`);
    notes.append(note);
    const form = new FormData();
    form.append("file", file);
    try {
      const { book } = await (await request("/books", { method: "POST", form })).json();
      note.remove();
      const made = await get(`/books/${book.id ?? book}`);
      document.getElementById(made.id)?.remove();
      list.prepend(card(made));
      document.querySelector("#empty")?.remove();
    } catch (error) {
      fill(note, `${file.name}: `, error instanceof Problem ? `${error.message} ${error.remedy}` : "could not be sent.");
      note.className = "trouble";
    }
  }
}

function dropZone() {
  const field = h("input", { type: "file", multiple: true, id: "files", accept: ".txt,.epub,.html,.htm,.md,.docx", onchange: (e) => upload(e.target.files) });
  const zone = h("div", {
    class: "drop",
    ondragover: (event) => { event.preventDefault(); zone.classList.add("over"); },
    ondragleave: () => zone.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); zone.classList.remove("over"); upload(event.dataTransfer.files); },
  }, h("label", { for: "files" }, h("strong", {}, "Drop novels here"), " or choose files: text, EPUB, HTML, Markdown, Word"), field);
  return zone;
}

function search() {
  const found = h("div", { "aria-live": "polite" });
  const words = h("input", { type: "search", id: "search", name: "q", placeholder: "the red scarf" });
  const look = async (event) => {
    event.preventDefault();
    if (!words.value.trim()) return fill(found);
    try {
      const { items } = await get("/search", { q: words.value, k: 12 });
      fill(found, items.length ? h("ol", { class: "found" }, items.map(hit)) : h("p", { class: "soft" }, "Nothing in your books fits."));
    } catch (error) {
      fill(found, trouble(error));
    }
  };
  return h("section", {}, h("form", { class: "row", role: "search", onsubmit: look }, h("label", { for: "search" }, "Search all books"), words, h("button", {}, "Search")), found);
}

function hit(item) {
  const at = item.passage ?? item;
  return h("li", {}, h("a", { href: links.reader(item.book?.id ?? item.book, at.span) }, `${item.title ?? item.book?.title ?? "A book"}, chapter ${at.chapter}`),
    h("blockquote", {}, at.text.length > 300 ? `${at.text.slice(0, 300)} …` : at.text));
}

show(async () => {
  const books = await all("/books");
  fill(list, books.map(card));
  const empty = !books.length && h("p", { id: "empty", class: "lead" }, "No books yet. Drop a novel above: reading one takes about a minute.");
  return [h("h1", {}, "Library"), dropZone(), notes, books.length ? search() : "", empty, list];
});
