// Several people in one answer, and what they share.

import { get } from "./api.js";
import { h, plural } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { crumbs, place, show, titleOf } from "./shell.js";
import { how, Writing } from "./writing.js";

const { book } = place();
const SHOWN = 40;
const CHOSEN = 5;
const writing = new Writing(book);

show(async () => {
  const [about, { chapters }, { items }] = await Promise.all([
    get(`/books/${book}`), get(`/books/${book}/chapters`), get(`/books/${book}/characters`, gated(book))]);
  document.title = `Together · ${titleOf(about)} · Bookworm`;
  const ask = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const { name, ...params } = Object.fromEntries(data);
    return writing.ask(`/books/${book}/descriptions`, { ...params, name: data.getAll("name"), ...gated(book) });
  };
  const person = (c, at) => h("label", { class: "pick" }, h("input", { type: "checkbox", name: "name", value: c.id, checked: at < CHOSEN }), " ", c.name, h("span", { class: "soft" }, ` ${plural(c.mention_count, "mention")}`));
  return [
    crumbs(about),
    h("h1", {}, "Several people together"), gateForm(book, chapters),
    h("form", { onsubmit: ask }, h("fieldset", { class: "picks" }, h("legend", {}, "Whom"), items.slice(0, SHOWN).map(person)),
      h("div", { class: "row" }, how(), h("button", {}, "Describe them"))),
    writing.out,
  ];
});
