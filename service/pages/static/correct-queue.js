// Possible duplicates, most important first, each with the evidence and a passage for both names; and people
// who may not be one person.

import { correct } from "./api.js";
import { revealed } from "./correct-forms.js";
import { h, plural, quiet, showFirst, titled } from "./dom.js";
import { asking, placed, refused } from "./preview.js";
import { links } from "./shell.js";

const FIRST = 5;

export function queue(book, { items, people }, chapters, done) {
  const shown = (d) => doubt(book, d, chapters, done);
  const list = h("ul", { class: "books" });
  const more = showFirst(FIRST, list, items, shown, `Show ${items.length - FIRST} more`);
  return titled(
    "doubts",
    "Possible duplicates",
    items.length
      ? [h("p", { class: "soft" }, `${plural(items.length, "pair")} to review, most important first.`), list, more]
      : h("p", { class: "soft" }, "Nothing to review."),
    people.length > 0 && [
      h("h2", {}, "Doubtful people"),
      h(
        "ul",
        { class: "books" },
        people.map((d) => doubtful(book, d, done)),
      ),
    ],
  );
}

/** Whether somebody whom the book hardly names is one person. */
function doubtful(book, { character, evidence, pronouns, dismiss, give_back, hide }, done) {
  const said = h("div", { "aria-live": "polite" });
  const [back, away] = [
    asking(book, {
      label: "The pronouns mean others",
      words: `Take the ${plural(pronouns, "pronoun")} from ${character.name}`,
      decision: () => give_back,
      done,
    }),
    asking(book, {
      label: "Not a person of the book",
      words: `Remove ${character.name}`,
      decision: () => hide,
      done,
    }),
  ];
  return h(
    "li",
    { class: "pair" },
    h("h3", {}, "Is ", h("a", { href: links.person(book, character.id) }, character.name), " really one person?"),
    h(
      "p",
      { class: "soft" },
      `${evidence} If a few of them are right, use the form below to split ${character.name}.`,
    ),
    h("ul", { class: "examples" }, h("li", {}, placed(book, character.place, character.id))),
    h("div", { class: "row" }, settling(book, "One person", dismiss, said, done), back.button, away.button),
    back.panel,
    away.panel,
    said,
  );
}

function doubt(book, { one, other, evidence, place, confidence, impact, merge, dismiss }, chapters, done) {
  const said = h("div", { "aria-live": "polite" });
  const told = revealed(`${one.id}-${other.id}`, chapters, merge.spans[0]);
  const same = asking(book, {
    label: "Same person",
    words: `Merge into ${one.name}`,
    fields: told.parts,
    decision: () => ({ ...merge, spans: told.spans() }),
    done,
  });
  const person = (p) => h("a", { href: links.person(book, p.id) }, p.name);
  const seen = (p) => h("li", {}, placed(book, p.place, p.id));
  const shown = [one, other].map((p) => p.place.span.start);
  return h(
    "li",
    { class: "pair" },
    h("h3", {}, "Is ", person(one), " the same person as ", person(other), "?"),
    h(
      "p",
      { class: "soft" },
      `${evidence[0].toUpperCase()}${evidence.slice(1)}. ${likely(confidence)}Merging moves ${plural(impact, "mention")} to ${one.name}.`,
    ),
    h(
      "ul",
      { class: "examples" },
      seen(one),
      seen(other),
      place && !shown.includes(place.span.start) && h("li", {}, placed(book, place)),
    ),
    h(
      "div",
      { class: "row" },
      same.button,
      settling(book, "Different people", dismiss, said, done),
    ),
    same.panel,
    said,
  );
}

/** A button for a decision that moves nothing, and so needs no preview. */
function settling(book, label, decision, said, done) {
  const onclick = async () => {
    try {
      await done(await correct(book, decision));
    } catch (error) {
      refused(said, error);
    }
  };
  return quiet(label, onclick);
}

/** Nothing where only a part of the book may be known. */
const likely = (share) => (share === null ? "" : `${Math.round(100 * share)} % likely to be the same person. `);
