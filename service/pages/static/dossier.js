// What the book itself says about a person, with references, next to the generated text.

import { h, number, plural } from "./dom.js";
import { links } from "./shell.js";

export const BEARINGS = {
  love: "loves",
  fondness: "is fond of",
  devotion: "is devoted to",
  admiration: "admires",
  trust: "trusts",
  gratitude: "is grateful to",
  pity: "pities",
  jealousy: "is jealous of",
  fear: "fears",
  dislike: "dislikes",
  hatred: "hates",
  contempt: "despises",
  proposal: "proposes to",
  refusal: "refuses",
  engagement: "becomes engaged to",
  elopement: "elopes with",
  marriage: "marries",
  killing: "kills",
  saving: "saves",
  betrayal: "betrays",
  forgiveness: "forgives",
};
const PLACES = 3;

export function dossier(book, found) {
  const me = found.character.id;
  const names = new Map(found.people.map((p) => [p.id, p.name]));
  const person = (id, name) =>
    id === me ? found.character.name : id ? h("a", { href: links.person(book, id) }, names.get(id) ?? "someone") : name;
  const places = (citations) => [
    " ",
    citations
      .slice(0, PLACES)
      .map((c) => h("a", { class: "cite", href: links.reader(book, c.span, me), title: c.quote }, `ch. ${c.chapter}`)),
  ];
  const group = (title, rows) =>
    rows.length
      ? h(
          "div",
          {},
          h("h3", {}, title),
          h(
            "ul",
            {},
            rows.map((row) => h("li", {}, row)),
          ),
        )
      : "";
  const saying = (q) =>
    q.speaker && h("span", { class: "soft" }, ` (according to ${names.get(q.speaker) ?? "someone"})`);
  return h(
    "section",
    { class: "dossier", "aria-labelledby": "known" },
    h("h2", { id: "known" }, "What the book says"),
    group(
      "Relationships",
      found.ties
        .slice(0, 8)
        .map((t) => [
          t.qualifier && `${t.qualifier} `,
          `${t.term} of `,
          person(t.other, t.other_name),
          places(t.citations),
        ]),
    ),
    group(
      "Roles",
      found.roles.slice(0, 5).map((r) => [r.phrase, places(r.citations)]),
    ),
    group(
      "Appearance and character",
      found.portrait.slice(0, 6).map((p) => [p.text, saying(p), places(p.citations)]),
    ),
    group(
      "Feelings and turning points",
      found.attitudes
        .slice(0, 10)
        .map((a) => [person(a.holder), ` ${BEARINGS[a.bearing] ?? a.bearing} `, person(a.other), places(a.citations)]),
    ),
    group(
      "Traits",
      found.qualities.slice(0, 8).map((q) => [q.text, saying(q), places(q.citations)]),
    ),
    group(
      "Often mentioned with",
      found.company
        .slice(0, 6)
        .map((c) => [
          person(c.other),
          h("span", { class: "soft" }, ` ${plural(c.together, "paragraph")}, ${plural(c.spoken, "exchange")}`),
        ]),
    ),
    speech(found.speech, person),
    changed(found.change, person),
  );
}

function speech(found, person) {
  if (!found.quotes) return "";
  const percent = Math.round(100 * found.share);
  const to = found.listeners
    .slice(0, 4)
    .flatMap((l, at) => [at ? ", " : "", person(l.character), h("span", { class: "soft" }, ` (${number(l.quotes)})`)]);
  return h(
    "div",
    {},
    h("h3", {}, "Speech"),
    h("p", {}, `${plural(found.quotes, "quote")}, ${percent || "under 1"} % of the direct speech in the book.`),
    h("meter", { value: found.share, max: 1, "aria-label": "Share of the direct speech in the book" }),
    to.length ? h("p", {}, "Speaks mostly to ", to, ".") : "",
    found.words_of_theirs.length
      ? h("p", {}, "Characteristic words: ", h("em", {}, found.words_of_theirs.slice(0, 8).join(", ")), ".")
      : "",
  );
}

/** People they are often with in the first or in the last third of the book, but not in both. */
function changed(found, person) {
  if (!found) return "";
  const listed = (part) => part.company.slice(0, 4).flatMap((c, at) => [at ? ", " : "", person(c.other)]);
  const row = (words, part) =>
    part.company.length > 0 && h("p", {}, h("span", { class: "soft" }, words), listed(part), ".");
  const rows = [row("First third of the book: ", found.early), row("Last third of the book: ", found.late)];
  return rows.some(Boolean) ? h("div", {}, h("h3", {}, "Early and late company"), rows) : "";
}
