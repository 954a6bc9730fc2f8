// The corrections of another draft of the book, made again in this one.

import { all, send } from "./api.js";
import { told } from "./correct-log.js";
import { date, h, lengthOf, plural, titled } from "./dom.js";
import { titleOf, trouble } from "./shell.js";

const QUERY_LIMIT = 200; // of `GET /books`

/** The other books with the title of this one; none if they cannot be listed. */
export async function drafts(book) {
  if (!book.title) return [];
  const q = [...book.title].slice(0, QUERY_LIMIT).join("");
  const items = await all("/books", { q }).catch(() => []);
  return items.filter((other) => other.id !== book.id && other.title === book.title && other.state === "ready");
}

/** `done` is called with a report once the corrections are made. */
export function copying(book, others, done) {
  if (!others.length) return "";
  const named = (other) => [other.filename ?? titleOf(other), ", ", lengthOf(other.words, other.language), ", "];
  const from = h(
    "select",
    { id: "draft" },
    others.map((other) => h("option", { value: other.id }, named(other), date(other.created).textContent)),
  );
  const refused = h("div", {});
  const submit = h("button", { type: "submit" }, "Copy corrections");
  const copy = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await done(report(from.value, await send("POST", `/books/${book.id}/decisions/copy`, { book: from.value })));
    } catch (error) {
      submit.disabled = false;
      refused.replaceChildren(trouble(error));
    }
  };
  return titled(
    "drafts",
    "Another draft",
    h("p", { class: "soft" }, "What you corrected in another draft of this book can be corrected here too."),
    h(
      "div",
      { class: "correct" },
      h("form", { class: "row", onsubmit: copy }, h("label", { for: "draft" }, "Draft"), from, submit),
      refused,
    ),
  );
}

function report(source, { items, not_copied }) {
  if (!not_copied.length) return `The corrections were copied. This draft has ${plural(items.length, "correction")}.`;
  const left = not_copied.map(({ correction, reason }) => h("li", {}, told(source, correction), ". ", reason));
  return [`The corrections were copied, except ${not_copied.length}:`, h("ul", {}, left)];
}
