// Where a reader is when a page of a book opens: a link may carry the place. A reader with a key is asked for it once.

import { get } from "./api.js";
import { chapterName, h } from "./dom.js";
import { END, follow, gate, keep, known, NONE, unsaid } from "./gate.js";

/**
 * Takes the place that the link carries, and returns what is `said` to a reader whose place was another, or if there is
 * no such place. If a reader with a key, or with such a link, still has no place, returns the `question` for it, and
 * what there is to know `about` the book.
 */
export async function arrive(book) {
  await follow(book);
  const link = new URL(location.href);
  const upto = link.searchParams.get("upto");
  if (upto === null && !unsaid(book)) return {};
  const [about, { chapters }] = await Promise.all([get(`/books/${book}`), get(`/books/${book}/chapters`)]);
  const place = meant(chapters, upto);
  const said = place === undefined ? refused(upto) : moved(book, chapters, place);
  link.searchParams.delete("upto"); // or the next reload would undo what the reader chooses
  history.replaceState(null, "", link);
  return known(book) ? { said } : { about, said, question: question(book, chapters) };
}

/** The place that is meant by the number of a chapter, by 0 for none, or by “end”; undefined if there is none such. */
const meant = (chapters, said) => (said === END ? null : [NONE, ...chapters].find((c) => String(c.number) === said));

const refused = (upto) =>
  upto !== null &&
  h(
    "p",
    { class: "warning", role: "status" },
    `The link gives “${upto}” as your place. This book has no such chapter.`,
  );

function moved(book, chapters, place) {
  const [fresh, before] = [unsaid(book), gate(book)];
  keep(book, place);
  if (fresh || gate(book) === before) return null;
  const back = () => {
    keep(book, meant(chapters, before || END));
    location.reload();
  };
  return h(
    "div",
    { class: "said row", role: "status" },
    `This link set “I have read up to” to ${named(gate(book))}. It was ${named(before)}.`,
    h("button", { type: "button", onclick: back }, `Back to ${named(before)}`),
  );
}

const named = (number) => ({ "": "the end", 0: "nothing yet" })[number] ?? `chapter ${number}`;

function question(book, chapters) {
  const choose = h(
    "select",
    { id: "place" },
    h("option", { value: NONE.number }, "I have not begun"),
    chapters.map((c) => h("option", { value: c.number }, chapterName(c.number))), // a chapter title can be a spoiler
    h("option", { value: END }, "I have read it all"),
  );
  const answer = (event) => {
    event.preventDefault();
    keep(book, meant(chapters, choose.value));
    location.reload();
  };
  return [
    h("h1", {}, "How far have you read?"),
    h("p", { class: "lead" }, "Nothing that comes later in the book is shown. You can change this at any time."),
    h(
      "form",
      { class: "row", onsubmit: answer },
      h("label", { for: "place" }, "Your place in the book"),
      choose,
      h("button", { class: "main" }, "Open the book"),
    ),
  ];
}
