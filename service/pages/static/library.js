// The library page: upload books, follow their progress, and search them all.

import { get } from "./api.js";
import { h } from "./dom.js";
import { card } from "./lib-card.js";
import { searching } from "./lib-search.js";
import { novella, takeIn } from "./lib-upload.js";
import { nextPage, show } from "./shell.js";

const SHOWN = 40;
const list = h("ul", { class: "books" });
const said = h("p", { class: "soft small", role: "status" });
const find = searching();
const { zone, lines, give } = takeIn(taken);

/** Puts an added book first and replaces a card that it already has. */
function taken(book) {
  document.getElementById(book.id)?.remove();
  document.getElementById("empty")?.remove();
  find.hidden = false;
  list.prepend(card(book, { fresh: true }));
}

async function turn(cursor) {
  const page = await get("/books", { limit: SHOWN, cursor });
  const fresh = page.items.filter((book) => !document.getElementById(book.id));
  const made = fresh
    .reverse()
    .map((book) => card(book))
    .reverse(); // the oldest is processed first, so it is watched first
  list.append(...made);
  return { rows: made, next: page.next };
}

document.title = "Library · Bookworm";
show(async () => {
  const { rows: shelf, next } = await turn();
  find.hidden = !shelf.length;
  document.querySelector("main").addEventListener("taken", ({ detail }) => {
    said.textContent = `“${detail}” was deleted.`;
    if (!list.children.length) list.before(novella(give));
  });
  return [
    h("h1", { tabindex: "-1" }, "Library"),
    find,
    zone,
    lines,
    said,
    shelf.length ? "" : novella(give),
    list,
    nextPage("Show more books", next, turn).parts,
  ];
});
