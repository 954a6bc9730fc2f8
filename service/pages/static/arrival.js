// Where a reader is when a page of a book opens. Where readers have keys, each is asked once for each book.

import { get } from "./api.js";
import { chapterName, h } from "./dom.js";
import { keep, NONE, unsaid } from "./gate.js";

const END = "end";

/** `question`, and what there is to know of the book, if its reader has to say first how far they have read. */
export async function arrive(book) {
  if (!unsaid(book)) return {};
  const [about, { chapters }] = await Promise.all([get(`/books/${book}`), get(`/books/${book}/chapters`)]);
  return { about, question: question(book, chapters) };
}

/** The place that is meant by the number of a chapter, by 0 for none, or by “end”; undefined if there is none such. */
const meant = (chapters, said) =>
  said === END ? null : [NONE, ...chapters].find(({ number }) => String(number) === said);

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
