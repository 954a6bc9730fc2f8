// The spoiler gate, "I have read up to …": kept for each book in this browser and sent with every request.

import { h } from "./dom.js";

const name = (book) => `bookworm.gate.${book}`;

export const gate = (book) => localStorage.getItem(name(book)) ?? "";
/** The parameters that every request about a book needs. */
export const gated = (book) => (gate(book) ? { upto: `ch:${gate(book)}` } : {});

/** The chapters that have been read. */
export const read = (book, chapters) => chapters.filter((c) => !gate(book) || c.number <= Number(gate(book)));

export function gateForm(book, chapters) {
  const known = new Set(read(book, chapters).map((c) => c.number)); // a chapter title can be a spoiler
  const choose = h(
    "select",
    {
      id: "gate",
      onchange: (event) => {
        if (event.target.value) localStorage.setItem(name(book), event.target.value);
        else localStorage.removeItem(name(book));
        location.reload();
      },
    },
    h("option", { value: "" }, "The end"),
    chapters.map((c) =>
      h(
        "option",
        { value: c.number, selected: String(c.number) === gate(book) },
        known.has(c.number) ? `${c.number}. ${c.title}` : `Chapter ${c.number}`,
      ),
    ),
  );
  const set = Boolean(gate(book));
  return h(
    "form",
    { class: `gate row${set ? " set" : ""}` },
    h("label", { for: "gate" }, "I have read up to"),
    choose,
    set && h("span", { class: "soft" }, "Nothing after this chapter is shown."),
  );
}
