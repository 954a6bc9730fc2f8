// The cast as its readers know it: doubts to settle, corrections to make, and each of them to take back.

import { all, get, send } from "./api.js";
import { fill, h, plural } from "./dom.js";
import { crumbs, links, place, show, titleOf, trouble } from "./shell.js";

const { book } = place();
const said = h("div", { "aria-live": "polite" });
const KINDS = { merge: "are one", split: "are two", rename: "is called", hide: "is nobody", narrator: "tells the story", dismiss: "are two, and no doubt", undo: "taken back" };

async function decide(decision) {
  try {
    await send("POST", `/books/${book}/decisions`, decision);
    await render();
  } catch (error) {
    fill(said, trouble(error));
  }
}

const button = (words, decision, kind = "quiet") => h("button", { class: kind, type: "button", onclick: () => decide(decision) }, words);

function doubts(items) {
  const row = (d) => h("li", { class: "card" },
    h("div", {}, h("strong", {}, h("a", { href: links.person(book, d.one.id) }, d.one.name), " and ", h("a", { href: links.person(book, d.other.id) }, d.other.name)),
      h("p", { class: "soft" }, `${plural(d.one.mention_count, "mention")} and ${d.other.mention_count}; ${d.evidence}.`)),
    button("They are one", d.merge), button("They are two", d.dismiss));
  return h("section", { "aria-labelledby": "doubts" }, h("h2", { id: "doubts" }, "May be one and the same"),
    items.length ? h("ul", { class: "books" }, items.map(row)) : h("p", { class: "soft" }, "No doubts are left."));
}

function forms(cast) {
  const person = (id, name, words) => [h("label", { for: id }, words), h("select", { id, name }, cast.map((c) => h("option", { value: c.id }, c.name)))];
  const text = (id, name, words) => [h("label", { for: id }, words), h("input", { id, name, required: true })];
  const form = (kind, words, ...fields) => h("form", { class: "row", onsubmit: (event) => {
    event.preventDefault();
    const { aliases, ...given } = Object.fromEntries(new FormData(event.target));
    decide({ kind, ...given, ...(aliases ? { aliases: aliases.split(",").map((a) => a.trim()).filter(Boolean) } : {}) });
  } }, fields, h("button", {}, words));
  return h("section", { "aria-labelledby": "correct" }, h("h2", { id: "correct" }, "Correct"),
    form("merge", "Make them one", person("merge-into", "character", "Keep"), person("merge-other", "other", "and take in")),
    form("rename", "Rename", person("rename-who", "character", "Call"), text("rename-name", "name", "by the name")),
    form("split", "Split off", person("split-who", "character", "From"), text("split-aliases", "aliases", "take who is called (with commas)"), text("split-name", "name", "as")),
    form("hide", "Hide", person("hide-who", "character", "Nobody is")),
    form("narrator", "Set", person("narrator-who", "character", "The story is told by")));
}

function log(items, names) {
  const undone = new Set(items.filter((d) => d.kind === "undo").map((d) => d.undoes));
  const name = (id) => (id ? names.get(id) ?? id : null);
  const row = (d) => h("li", { class: undone.has(d.number) ? "undone" : "" },
    d.kind === "undo" ? `No. ${d.undoes} was taken back` : [[name(d.character), name(d.other)].filter(Boolean).join(" and "), ` ${KINDS[d.kind]} `, d.aliases.join(", "), d.name && ` “${d.name}”`],
    " ", d.kind !== "undo" && !undone.has(d.number) ? button("Undo", { kind: "undo", undoes: d.number }) : "");
  return h("section", { "aria-labelledby": "log" }, h("h2", { id: "log" }, "What was corrected"),
    items.length ? h("ol", { class: "log" }, items.map(row)) : h("p", { class: "soft" }, "Nothing yet."));
}

async function page() {
  const [about, { items: cast }, { items: decisions }, open] = await Promise.all([
    get(`/books/${book}`), get(`/books/${book}/characters`), get(`/books/${book}/decisions`), all(`/books/${book}/doubts`, {}, 50)]);
  document.title = `Corrections · ${titleOf(about)} · Bookworm`;
  const names = new Map(cast.map((c) => [c.id, c.name]));
  fill(said);
  return [
    crumbs(about),
    h("h1", {}, "Correct the cast"),
    h("p", { class: "lead" }, "Every correction is kept, survives a new reading of the book, and can be taken back. This page shows the whole book, whatever you have read."),
    said, doubts(open), forms(cast), log(decisions, names)];
}

const render = () => show(page);
render();
