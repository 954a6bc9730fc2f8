// One person: what is written of them, where they are, whom they belong to.

import { get, Problem } from "./api.js";
import { cost, facts, markdown, text } from "./answer.js";
import { fill, h, plural } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { links, place, show, trouble } from "./shell.js";
import { events } from "./sse.js";
import { strip } from "./strip.js";

const { book, person } = place();
const at = `/books/${book}/characters/${encodeURIComponent(person)}`;
const out = h("div", { class: "output", "aria-live": "polite" });
let asked = new AbortController();

function options() {
  const pick = (id, label, entries) => [h("label", { for: id }, label), h("select", { id, name: id }, entries.map(([value, words]) => h("option", { value }, words)))];
  const form = h("form", { class: "row ask", onsubmit: (event) => { event.preventDefault(); ask(form); } },
    pick("task", "Write", [["description", "a short description"], ["analysis", "an analysis in depth"]]),
    h("details", {}, h("summary", {}, "How"), h("div", { class: "row" },
      pick("generator", "Written by", [["", "the default"], ["offline", "offline"], ["llama", "llama"], ["openai", "a language-model server"]]),
      pick("retriever", "Passages by", [["", "the whole book, or the default"], ["mentions", "mentions"], ["bm25", "words (BM25)"], ["dense", "meaning"], ["hybrid", "all three"], ["lead", "the beginning"]]),
      h("label", { for: "words" }, "Words"), h("input", { id: "words", name: "words", type: "number", min: 10, max: 2000, placeholder: "as usual" }))),
    h("button", {}, "Write"));
  return form;
}

async function ask(form) {
  asked.abort();
  asked = new AbortController();
  const { task, ...how } = Object.fromEntries(new FormData(form));
  const draft = h("p", { class: "draft" });
  fill(out, draft);
  out.setAttribute("aria-busy", "true");
  try {
    for await (const { event, data } of events(`${at}/${task}`, { params: { ...how, ...gated(book), stream: true }, signal: asked.signal })) {
      if (event === "text") draft.append(data.text);
      if (event === "again") fill(draft);
      if (event === "answer") fill(out, whole(data));
      if (event === "error") throw new Problem(data.status ?? 500, data);
    }
  } catch (error) {
    if (error.name !== "AbortError") fill(out, trouble(error));
  } finally {
    out.removeAttribute("aria-busy");
  }
}

function whole(answer) {
  const name = answer.characters[0]?.name ?? person;
  const copy = h("button", { class: "quiet", type: "button", onclick: async () => {
    await navigator.clipboard.writeText(answer.text);
    copy.textContent = "Copied";
  } }, "Copy");
  return [
    answer.rejected && h("p", { class: "warning" }, `${answer.rejected.generator} gave nothing fit to show (${answer.rejected.reason}); this is the offline answer.`),
    text(book, answer),
    h("div", { class: "row" }, copy, download("Markdown", `${name}.md`, markdown(name, answer), "text/markdown"), download("JSON", `${name}.json`, JSON.stringify(answer, null, 2), "application/json")),
    cost(answer), facts(book, answer)];
}

const download = (words, file, content, type) => h("button", { class: "quiet", type: "button", onclick: () => {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: file });
  link.click();
  URL.revokeObjectURL(link.href);
} }, words);

function known(dossier, names) {
  const person = (id) => (names.has(id) ? h("a", { href: links.person(book, id) }, names.get(id)) : id);
  const source = (citations) => citations.slice(0, 3).map((c) => h("a", { class: "cite", href: links.reader(book, c.span), title: c.quote }, `ch. ${c.chapter}`));
  const group = (title, rows) => rows.length ? h("div", {}, h("h3", {}, title), h("ul", {}, rows)) : "";
  const spoken = dossier.speech;
  return h("section", { class: "dossier", "aria-labelledby": "known" }, h("h2", { id: "known" }, "What the book says"),
    group("Relations", dossier.ties.slice(0, 8).map((t) => h("li", {}, `${t.qualifier ? `${t.qualifier} ` : ""}${t.term} of `, t.other ? person(t.other) : t.other_name, " ", source(t.citations)))),
    group("Roles", dossier.roles.slice(0, 5).map((r) => h("li", {}, r.phrase, " ", source(r.citations)))),
    group("Looks and nature", (dossier.portrait ?? []).slice(0, 6).map((p) => h("li", {}, p.text, " ", source(p.citations ?? [p.citation].filter(Boolean))))),
    group("Qualities", dossier.qualities.slice(0, 8).map((q) => h("li", {}, q.text, q.speaker ? h("span", { class: "soft" }, " (", names.get(q.speaker) ?? "somebody", " says so)") : "", " ", source(q.citations)))),
    group("Most often with", dossier.company.slice(0, 6).map((c) => h("li", {}, person(c.other), h("span", { class: "soft" }, ` ${plural(c.together, "paragraph")}`)))),
    spoken?.quotes ? group("How they speak", [h("li", {}, `${plural(spoken.quotes, "speech", "speeches")}, ${Math.round(100 * spoken.share)} % of all that is spoken`),
      spoken.words_of_theirs.length ? h("li", {}, "says more than others: ", spoken.words_of_theirs.slice(0, 8).join(", ")) : ""]) : "");
}

show(async () => {
  const [about, { chapters }, who] = await Promise.all([get(`/books/${book}`), get(`/books/${book}/chapters`), get(at, gated(book))]);
  const open = (await get(`/books/${book}/chapters`, gated(book))).chapters;
  document.title = `${who.name} · ${about.title ?? about.filename} · Bookworm`;
  const form = options();
  const drawer = h("div", {});
  Promise.all([get(`${at}/dossier`, gated(book)), get(`/books/${book}/characters`, gated(book))])
    .then(([dossier, cast]) => fill(drawer, known(dossier, new Map(cast.items.map((c) => [c.id, c.name])))), (error) => fill(drawer, trouble(error)));
  setTimeout(() => ask(form));
  return [
    h("p", { class: "crumbs" }, h("a", { href: links.library() }, "Library"), " / ", h("a", { href: links.book(book) }, about.title ?? about.filename)),
    h("h1", {}, who.name),
    h("p", { class: "lead" }, [who.pronouns, plural(who.mention_count, "mention"), `first in chapter ${who.first_chapter}`].filter(Boolean).join(" · ")),
    h("p", { class: "soft" }, "Called: ", who.aliases.map((a) => `${a.text} (${a.count})`).slice(0, 12).join(", ")),
    strip(book, who.mentions_by_chapter, open),
    gateForm(book, chapters),
    h("div", { class: "columns" }, h("div", {}, form, out), drawer),
  ];
});
