// The page of a book: its people, where they appear, and their relationships.

import { get } from "./api.js";
import { fill, h, lengthOf, number, plural, showFirst, titled } from "./dom.js";
import { exportSection } from "./export.js";
import { gate, gated, gateForm } from "./gate.js";
import { networkSection } from "./network.js";
import { report } from "./report.js";
import { askForm, crumbs, links, load, place, show, titleOf } from "./shell.js";
import { ruler, strip } from "./strip.js";

const { book } = place();
const SHOWN = 25;
const WHO = 30;

/** Loads the lines that say who the people are, and shows each under the name. */
async function showWho(places) {
  const { items } = await get(`/books/${book}/who`, { k: WHO, ...gated(book) });
  for (const { id, who } of items) if (who && places.has(id)) fill(places.get(id), who);
}

function people(cast, chapters) {
  if (!cast.length)
    return titled("people", "People", h("p", {}, `No characters were found${gate(book) ? " so far" : ""}.`));
  const places = new Map(cast.map((c) => [c.id, h("div", { class: "is" })]));
  const most = Math.max(1, ...cast.flatMap((c) => c.mentions_by_chapter));
  const row = (c, at) =>
    h(
      "tr",
      {},
      h("td", { class: "rank" }, at + 1),
      h(
        "th",
        { scope: "row" },
        h("a", { href: links.person(book, c.id) }, c.name),
        places.get(c.id),
        c.doubtful && h("div", { class: "doubtful" }, `This may not be one person. ${c.doubtful}`),
        h(
          "div",
          { class: "soft" },
          c.aliases
            .map((a) => a.text)
            .filter((a) => a !== c.name)
            .slice(0, 3)
            .join(", "),
        ),
      ),
      h(
        "td",
        { class: "first" },
        h(
          "a",
          { href: links.reader(book, { start: c.first, end: c.first + 1 }), title: "First appearance" },
          `ch. ${c.first_chapter}`,
        ),
      ),
      h("td", { class: "count" }, number(c.mention_count)),
      h("td", { class: "wide" }, strip(book, c, chapters, { most })),
    );
  const body = h("tbody");
  const rest = showFirst(SHOWN, body, cast, row, `Show ${plural(cast.length - SHOWN, "more person", "more people")}`);
  // Without the lines the list is still of use.
  showWho(places).catch(() => {});
  return titled(
    "people",
    "People",
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "people" },
      h(
        "table",
        { class: "people" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["", "Name", "First", "Mentions"].map((t) => h("th", { scope: "col" }, t)),
            h("th", { scope: "col" }, "Where in the book", ruler(cast[0]?.mentions_by_chapter.length ?? 0)),
          ),
        ),
        body,
      ),
    ),
    rest,
  );
}

show(async () => {
  const cast = get(`/books/${book}/characters`, gated(book));
  const [about, { chapters }, { items }] = await load(book, null, cast);
  return [
    crumbs(),
    h("h1", {}, titleOf(about)),
    h(
      "p",
      { class: "lead" },
      [
        about.author,
        lengthOf(about.words, about.language),
        plural(chapters.length, "chapter"),
        `${plural(items.length, "person", "people")}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    gateForm(book, chapters),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button main", href: links.reader(book) }, "Read"),
      h("a", { class: "button", href: links.story(book) }, "Story"),
      h("a", { class: "button", href: links.quiz(book) }, "Quiz"),
      items.length > 1 && h("a", { class: "button", href: links.together(book) }, "Compare people"),
      h("a", { class: "button writes", href: links.corrections(book) }, "Corrections"),
    ),
    askForm(book),
    people(items, chapters),
    networkSection(book, chapters),
    exportSection(about),
    report(about),
  ];
});
