// The card of a person: who they are, in quotations and certain relationships, each with a link to its place.

import { h, languageOf, listed, number, plural } from "./dom.js";
import { links } from "./shell.js";

const PLACES = 3;
const COMPANY = 6;

/** Links to places in the reader, each with the chapter as its text and the words of the book as its title. */
export const cites = (book, citations, who, most = PLACES) =>
  citations
    .slice(0, most)
    .map((c) => [
      " ",
      h("a", { class: "cite", href: links.reader(book, c.span, who), title: c.quote }, `ch. ${c.chapter}`),
    ]);

/** The line that says who somebody is. */
export const whoLine = (book, found) =>
  found.who ? h("p", { class: "is" }, found.who, cites(book, found.who_citations, found.character.id)) : "";

const words = (text) => h("q", { lang: languageOf(text) }, text);

/** A quotation. If somebody says it, their name comes before it. */
export function quotation(book, names, found, who) {
  const speaker = found.speaker
    ? h("a", { href: links.person(book, found.speaker) }, names.get(found.speaker) ?? "Someone")
    : "Someone";
  return [found.quoted ? [speaker, ": "] : "", words(found.text), cites(book, [found.citation], who)];
}

export function profile(book, found) {
  const me = found.character.id;
  const names = new Map([found.character, ...found.people].map((p) => [p.id, p.name]));
  const person = (id) => h("a", { href: links.person(book, id) }, names.get(id) ?? "someone");
  const quoted = (title, quotations) => [title, quotations.map((q) => quotation(book, names, q, me))];
  const own = found.own_words.map((q) => [words(q.text), cites(book, [q.citation], me)]);
  const compared = found.change && [
    [h("span", { class: "soft" }, "Early: "), quotation(book, names, found.change.early, me)],
    [h("span", { class: "soft" }, "Late: "), quotation(book, names, found.change.late, me)],
  ];
  const parts = [
    [
      "Relationships",
      found.ties.map((t) => [`${t.predicate} of `, person(t.other), cites(book, t.citations, me)]),
    ],
    quoted("Role", found.role),
    quoted("Looks and circumstances", found.looks),
    quoted("Nature", found.nature),
    quoted("What others say", found.said_by_others),
    quoted("Turning points", found.turning_points),
    ["Early and late", compared ?? []],
    ["In their own words", own],
  ];
  return h(
    "section",
    { class: "profile", "aria-labelledby": "known" },
    h("h2", { id: "known" }, "What the book says"),
    found.doubtful &&
      h(
        "p",
        { class: "doubtful" },
        `This may not be one person. ${found.doubtful} `,
        h("a", { class: "writes", href: `${links.corrections(book)}` }, "Correct it"),
      ),
    found.little && h("p", {}, `Little can be said of ${found.character.name} with certainty.`),
    parts.map(([title, rows]) => listed(title, rows)),
    counts(found, person),
  );
}

/** Presence, company and speech: numbers, which no description has. */
function counts({ presence, company, speech }, person) {
  const commas = (rows) => rows.flatMap((row, at) => [at ? ", " : "", row]);
  const met = company
    .slice(0, COMPANY)
    .map((c) => [
      person(c.other),
      h("span", { class: "soft" }, ` (${plural(c.together, "paragraph")}, ${plural(c.spoken, "exchange")})`),
    ]);
  const heard = speech.listeners
    .slice(0, 4)
    .map((l) => [person(l.character), h("span", { class: "soft" }, ` (${number(l.quotes)})`)]);
  const percent = Math.round(100 * speech.share) || "under 1";
  return h(
    "details",
    { class: "counts" },
    h("summary", {}, "Counts"),
    h("p", {}, `In ${plural(presence.chapters.length, "chapter")}, ${Math.round(100 * presence.share)} % of them.`),
    met.length > 0 && h("p", {}, "Often mentioned with ", commas(met), "."),
    speech.quotes > 0 && [
      h("p", {}, `${plural(speech.quotes, "quote")}, ${percent} % of the direct speech.`),
      h("meter", { value: speech.share, max: 1, "aria-label": "Share of the direct speech in the book" }),
      heard.length > 0 && h("p", {}, "Speaks mostly to ", commas(heard), "."),
      speech.words_of_theirs.length > 0 &&
        h("p", {}, "Characteristic words: ", h("em", {}, speech.words_of_theirs.slice(0, 8).join(", ")), "."),
    ],
  );
}
