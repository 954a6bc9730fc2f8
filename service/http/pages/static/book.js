// One book: who is in it, where, and with whom.

import { get } from "./api.js";
import { fill, h, plural, svg } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { crumbs, links, place, show, titleOf, trouble } from "./shell.js";
import { strip } from "./strip.js";

const { book } = place();
const SHOWN = 25;

function people(cast, chapters) {
  const most = Math.max(1, ...cast.flatMap((c) => c.mentions_by_chapter));
  const row = (c, at) => h("tr", {},
    h("td", { class: "rank" }, at + 1),
    h("th", { scope: "row" }, h("a", { href: links.person(book, c.id) }, c.name),
      h("div", { class: "soft" }, c.aliases.map((a) => a.text).filter((a) => a !== c.name).slice(0, 3).join(", "))),
    h("td", {}, h("a", { href: links.reader(book, { start: c.first, end: c.first + 1 }), title: "First appearance" }, `ch. ${c.first_chapter}`)),
    h("td", { class: "count" }, c.mention_count),
    h("td", { class: "wide" }, strip(book, c.mentions_by_chapter, chapters, most)));
  const body = h("tbody", {}, cast.slice(0, SHOWN).map(row));
  const rest = cast.length > SHOWN && h("button", { class: "quiet", type: "button", onclick: (e) => {
    body.append(...cast.slice(SHOWN).map((c, at) => row(c, at + SHOWN)));
    e.target.remove();
  } }, `Show ${plural(cast.length - SHOWN, "more person", "more people")}`);
  return h("section", { "aria-labelledby": "people" }, h("h2", { id: "people" }, "People"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "people" }, h("table", { class: "people" },
      h("thead", {}, h("tr", {}, ["", "Name", "First", "Mentions", "Where in the book"].map((t) => h("th", { scope: "col" }, t)))), body)), rest);
}

// The network: people on a circle, the closest next to one another; the thicker a line, the more they share.
const SIZE = 640;
const MOST = 14;

function network(found) {
  const named = new Map(found.people.map((p) => [p.id, p.name]));
  const edges = found.edges.slice(0, 40);
  const inside = found.people.filter((p) => edges.some((e) => e.one === p.id || e.other === p.id)).slice(0, MOST);
  const shown = edges.filter((e) => [e.one, e.other].every((id) => inside.some((p) => p.id === id)));
  if (!shown.length) return "";
  const at = around(ordered(inside, shown));
  const heaviest = shown[0].weight;
  const detail = h("div", { class: "detail", "aria-live": "polite" }, h("p", { class: "soft" }, "Choose a line, or a pair from the list, to see where they meet."));
  const tell = (edge) => fill(detail,
    h("h3", {}, `${named.get(edge.one)} and ${named.get(edge.other)}`),
    h("p", {}, `${plural(edge.together, "paragraph")} together, ${plural(edge.spoken, "speech", "speeches")} to one another, in ${plural(edge.chapters.length, "chapter")}.`),
    h("ul", {}, edge.places.map((span, n) => h("li", {}, h("a", { href: links.reader(book, span) }, `Passage ${n + 1}`)))));
  const line = (edge) => {
    const [a, b] = [at.get(edge.one), at.get(edge.other)];
    return svg("path", {
      class: "edge", d: `M${a.x} ${a.y}Q${SIZE / 2} ${SIZE / 2} ${b.x} ${b.y}`, "--weight": (0.15 + (0.85 * edge.weight) / heaviest).toFixed(3),
      "stroke-width": (1 + (9 * edge.weight) / heaviest).toFixed(1), onclick: () => tell(edge),
    }, svg("title", {}, `${named.get(edge.one)} and ${named.get(edge.other)}`));
  };
  const dot = (person) => {
    const { x, y } = at.get(person.id);
    const right = x >= SIZE / 2;
    return svg("a", { href: links.person(book, person.id) }, svg("circle", { cx: x, cy: y, r: 7 }),
      svg("text", { x: x + (right ? 12 : -12), y: y + 5, "text-anchor": right ? "start" : "end" }, person.name));
  };
  const pairs = h("ol", { class: "pairs" }, shown.slice(0, 10).map((edge) => h("li", {}, h("button", { class: "link", type: "button", onclick: () => tell(edge) }, `${named.get(edge.one)} – ${named.get(edge.other)}`))));
  return h("section", { "aria-labelledby": "network" }, h("h2", { id: "network" }, "Who has to do with whom"),
    h("div", { class: "network" },
      svg("svg", { viewBox: `-150 -10 ${SIZE + 300} ${SIZE + 20}`, role: "group", "aria-label": "Network of the main people" }, shown.map(line).reverse(), inside.map(dot)),
      h("div", {}, pairs, detail)));
}

/** Each beside whom they have most to do with, as far as that goes. */
function ordered(people, edges) {
  const left = new Map(people.map((p) => [p.id, p]));
  const found = [];
  let last = people[0]?.id;
  while (left.size) {
    if (!left.has(last)) last = left.keys().next().value;
    found.push(left.get(last));
    left.delete(last);
    const next = edges.find((e) => (e.one === last && left.has(e.other)) || (e.other === last && left.has(e.one)));
    last = next && (next.one === last ? next.other : next.one);
  }
  return found;
}

function around(people) {
  const turn = (2 * Math.PI) / people.length;
  const place = (n) => ({ x: Math.round(SIZE / 2 + (SIZE / 2 - 20) * Math.sin(n * turn)), y: Math.round(SIZE / 2 - (SIZE / 2 - 20) * Math.cos(n * turn)) });
  return new Map(people.map((p, n) => [p.id, place(n)]));
}

function report(about) {
  const found = about.report;
  if (!found) return "";
  const rows = [["Format", found.format], ["Encoding", `${found.encoding} (${found.encoding_by})`], ["Language", found.language], ["Chapters", `${found.chapters}, by ${found.chapters_by}`], ["Paragraphs", found.paragraphs], ["Words", found.words]];
  const cut = found.cut.map((c) => `${c.part}: ${c.reason}, ${plural(c.places, "place")}`);
  return h("details", {}, h("summary", {}, "How it was read"),
    h("dl", { class: "facts" }, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])),
    cut.length ? h("p", {}, "Left out: ", cut.join("; "), ".") : "", found.warnings.map((w) => h("p", { class: "warning" }, w)));
}

show(async () => {
  const [about, { chapters }, { items }] = await Promise.all([
    get(`/books/${book}`), get(`/books/${book}/chapters`), get(`/books/${book}/characters`, gated(book))]);
  document.title = `${titleOf(about)} · Bookworm`;
  const drawn = h("div", {});
  get(`/books/${book}/network`, gated(book)).then((found) => fill(drawn, network(found)), (error) => fill(drawn, trouble(error)));
  return [
    crumbs(),
    h("h1", {}, titleOf(about)), about.author && h("p", { class: "lead" }, about.author),
    gateForm(book, chapters),
    h("p", { class: "row" }, h("a", { class: "button", href: links.reader(book) }, "Read the book"), h("a", { class: "button", href: links.together(book) }, "Describe several people"), h("a", { class: "button", href: links.corrections(book) }, "Correct the cast")),
    people(items, chapters), drawn, report(about),
  ];
});
