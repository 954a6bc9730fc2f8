// The spoiler gate, "I have read up to …": kept for each book in this browser and sent with every request.

import { fill, h } from "./dom.js";

const name = (book) => `bookworm.gate.${book}`;

export const gate = (book) => localStorage.getItem(name(book)) ?? "";
/** The parameters that every request about a book needs. */
export const gated = (book) => (gate(book) ? { upto: `ch:${gate(book)}` } : {});

/** The chapters that have been read. */
export const read = (book, chapters) => chapters.filter((c) => !gate(book) || c.number <= Number(gate(book)));

export function gateForm(book, chapters) {
  const known = new Set(read(book, chapters).map((c) => c.number)); // a chapter title can be a spoiler
  const set = Boolean(gate(book));
  const told = h("span", { class: "soft", role: "status" }, set && "Nothing after this chapter is shown.");
  let typing = false; // an arrow key changes the field at each step, so Enter or leaving it says which is meant
  const apply = () => {
    if (choose.value === before) return;
    if (choose.value) localStorage.setItem(name(book), choose.value);
    else localStorage.removeItem(name(book));
    location.reload();
  };
  const press = ({ key }) => {
    typing = true;
    if (key === "Enter") apply();
  };
  const choose = h(
    "select",
    {
      id: "gate",
      onpointerdown: () => {
        typing = false;
      },
      onkeydown: press,
      onchange: () => (typing ? fill(told, "Press Enter to apply.") : apply()),
      onblur: apply,
    },
    h("option", { value: "" }, "The end"),
    chapters.map((c) =>
      h(
        "option",
        { value: c.number, selected: String(c.number) === gate(book) },
        known.has(c.number) && c.title ? `${c.number}. ${c.title}` : `Chapter ${c.number}`,
      ),
    ),
  );
  const before = choose.value;
  return h(
    "form",
    { class: `gate row${set ? " set" : ""}`, onsubmit: (event) => event.preventDefault() },
    h("label", { for: "gate" }, "I have read up to"),
    choose,
    told,
  );
}
