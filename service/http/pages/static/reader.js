// The book to read: who is meant and who speaks, on demand; a link to any passage, with it lit.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { gated, gateForm, read } from "./gate.js";
import { crumbs, links, place, show, titleOf, trouble } from "./shell.js";
import { cut, hue, points } from "./text.js";

const { book } = place();
const page = h("article", { class: "page", lang: "en" });
const aside = h("p", { class: "who soft", "aria-live": "polite" }, "Point at a name or a pronoun to see who is meant.");
let cast = new Map();
let chapters = [];
let lit = null;
let whom = null;

const wanted = () => {
  const match = /at=(\d+)-(\d+)/.exec(location.hash);
  return match ? { start: Number(match[1]), end: Number(match[2]) } : null;
};

function boundaries(paragraph) {
  const edges = new Set([paragraph.span.start, paragraph.span.end]);
  const add = ({ start, end }) => [start, end].forEach((at) => at > paragraph.span.start && at < paragraph.span.end && edges.add(at));
  paragraph.mentions.forEach((m) => add(m.span));
  paragraph.quotes.forEach((q) => add(q.span));
  if (lit) add(lit);
  return [...edges].sort((a, b) => a - b);
}

const covers = (span, start, end) => span.start <= start && end <= span.end;

function piece(paragraph, text, start, end) {
  const words = cut(text, start - paragraph.span.start, end - paragraph.span.start);
  const mention = paragraph.mentions.filter((m) => covers(m.span, start, end)).sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0];
  const quote = paragraph.quotes.find((q) => covers(q.span, start, end));
  const marked = lit && lit.end > lit.start && covers(lit, start, end);
  const classes = [mention && "mention", mention && mention.character === whom && "mine", quote?.speaker && "quote"].filter(Boolean).join(" ");
  if (!classes && !marked) return words;
  const person = cast.get(mention?.character);
  const told = () => {
    const speaks = quote?.speaker && cast.get(quote.speaker);
    fill(aside, person ? ["This is ", h("a", { href: links.person(book, mention.character) }, person.name), ". "] : "", speaks ? ["Said by ", h("a", { href: links.person(book, quote.speaker) }, speaks.name), "."] : "");
  };
  return h(marked ? "mark" : "span", { class: classes, "--hue": person ? hue(person.rank) : null, title: person?.name, onmouseenter: told, onclick: told }, words);
}

function leaf(found) {
  return found.paragraphs.map((paragraph) => {
    const text = points(paragraph.text);
    const at = boundaries(paragraph);
    const pieces = at.slice(0, -1).map((start, n) => piece(paragraph, text, start, at[n + 1]));
    const anchor = h("a", { class: "anchor", href: links.reader(book, paragraph.span), "aria-label": "Link to this paragraph" }, "¶");
    return h(paragraph.kind === "heading" ? "h2" : "p", { id: `p${paragraph.index}` }, pieces, anchor);
  });
}

async function open(number) {
  page.setAttribute("aria-busy", "true");
  try {
    const found = await get(`/books/${book}/chapters/${number}`, gated(book));
    const turn = (to, words) => chapters[to - 1] && h("a", { class: "button", href: links.reader(book, { start: chapters[to - 1].start, end: chapters[to - 1].start }) }, words);
    fill(page, leaf(found), h("nav", { class: "row", "aria-label": "Chapters" }, turn(number - 1, "← Before"), turn(number + 1, "Next →")));
    document.querySelector("#chapter").value = number;
    const at = page.querySelector("mark") ?? (lit && page.querySelector(`#p${found.paragraphs.find((p) => p.span.end > lit.start)?.index}`));
    (at ?? document.body).scrollIntoView({ block: at ? "center" : "start" });
  } catch (error) {
    fill(page, trouble(error));
  } finally {
    page.removeAttribute("aria-busy");
  }
}

function light(id) {
  whom = id || null;
  page.classList.toggle("one", Boolean(whom));
  document.querySelector("#whom").value = whom ?? "";
}

function go() {
  lit = wanted();
  const who = /&who=([^&]+)/.exec(location.hash);
  if (who && cast.has(decodeURIComponent(who[1]))) light(decodeURIComponent(who[1]));
  const at = lit ? chapters.find((c) => lit.start < c.end) : chapters[0];
  return open(at?.number ?? 1);
}

show(async () => {
  const [about, found, { items }] = await Promise.all([
    get(`/books/${book}`), get(`/books/${book}/chapters`), get(`/books/${book}/characters`, gated(book))]);
  chapters = read(book, found.chapters);
  cast = new Map(items.map((c, rank) => [c.id, { ...c, rank }]));
  document.title = `${titleOf(about)} · Bookworm`;
  const choose = h("select", { id: "chapter", onchange: (e) => { location.hash = `at=${chapters[e.target.value - 1].start}-${chapters[e.target.value - 1].start}`; } },
    chapters.map((c) => h("option", { value: c.number }, `${c.number}. ${c.title}`)));
  const people = h("select", { id: "whom", onchange: (e) => {
    history.replaceState(null, "", location.hash.replace(/&who=[^&]*/, "") || location.pathname); // the choice counts now
    light(e.target.value);
    go();
  } },
    h("option", { value: "" }, "nobody"), items.map((c) => h("option", { value: c.id }, c.name)));
  const everyone = h("input", { type: "checkbox", id: "everyone", onchange: (e) => page.classList.toggle("all", e.target.checked) });
  addEventListener("hashchange", go);
  setTimeout(go);
  return [
    crumbs(about),
    gateForm(book, found.chapters),
    h("div", { class: "row tools" }, h("label", { for: "chapter" }, "Chapter"), choose, h("label", { for: "whom" }, "Light up"), people,
      h("span", {}, everyone, h("label", { for: "everyone" }, " everybody"))),
    aside, page,
  ];
});
