// The page that compares people: a joint answer and what they have in common.

import { get } from "./api.js";
import { fill, h, number, plural } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { shared } from "./shared.js";
import { crumbs, load, place, show, trouble } from "./shell.js";
import { how, Writing } from "./writing.js";

const { book } = place();
const SHOWN = 24;
const CHOSEN = 3;
const MOST = 24;
const writing = new Writing(book);
const common = h("div", {});

/** A list to choose people from, with a filter. Chosen people stay visible. */
class Choice {
  constructor(cast, changed) {
    this.cast = cast;
    this.changed = changed;
    const named = new URLSearchParams(location.search).getAll("name");
    const known = cast.filter((c) => named.includes(c.id)).map((c) => c.id);
    this.chosen = new Set(known.length ? known : cast.slice(0, CHOSEN).map((c) => c.id));
    this.find = h("input", {
      type: "search",
      id: "find",
      placeholder: "Name",
      autocomplete: "off",
      oninput: () => this.list(),
      onkeydown: (event) => this.enter(event),
    });
    this.picks = h("div", { class: "picks" });
    this.told = h("p", { class: "soft small", role: "status" });
    this.list();
    this.element = h(
      "fieldset",
      { class: "whom" },
      h("legend", {}, "People (with number of mentions)"),
      cast.length > SHOWN && h("div", { class: "row" }, h("label", { for: "find" }, "Find"), this.find),
      this.picks,
      this.told,
    );
  }

  get ids() {
    return this.cast.filter((c) => this.chosen.has(c.id)).map((c) => c.id);
  }

  fits(person) {
    const q = this.find.value.trim().toLowerCase();
    return [person.name, ...person.aliases.map((a) => a.text)].some((name) => name.toLowerCase().includes(q));
  }

  list() {
    const fitting = this.cast.filter((c) => this.fits(c));
    const mine = this.cast.filter((c) => this.chosen.has(c.id));
    const others = fitting.filter((c) => !this.chosen.has(c.id));
    this.nearest = others[0];
    fill(
      this.picks,
      [...mine, ...others.slice(0, SHOWN)].map((c) => this.pick(c)),
    );
    const more = others.length - SHOWN;
    this.told.textContent =
      [
        `${mine.length} selected`,
        this.find.value && `${plural(others.length, "other match", "other matches")}`,
        more > 0 && `${more} more not shown: search by name`,
      ]
        .filter(Boolean)
        .join("; ") + ".";
  }

  pick(person) {
    const box = h("input", {
      type: "checkbox",
      name: "name",
      value: person.id,
      checked: this.chosen.has(person.id),
      onchange: () => this.set(person.id, box.checked),
    });
    return h(
      "label",
      { class: "pick" },
      box,
      " ",
      person.name,
      h("span", { class: "soft", title: plural(person.mention_count, "mention") }, ` ${number(person.mention_count)}`),
    );
  }

  set(id, wanted) {
    if (wanted && this.chosen.size >= MOST) wanted = false;
    this.chosen[wanted ? "add" : "delete"](id);
    const focused = this.picks.contains(document.activeElement);
    this.list();
    if (focused) this.picks.querySelector(`input[value="${CSS.escape(id)}"]`)?.focus();
    this.changed();
  }

  /** Enter selects the first match. */
  enter(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (!this.find.value.trim() || !this.nearest) return;
    const { id } = this.nearest;
    this.find.value = "";
    this.set(id, true);
  }
}

/** Updates the comparison for the selection; only the latest request counts. */
let turn = 0;
async function compare(ids) {
  const mine = ++turn;
  history.replaceState(null, "", `?${new URLSearchParams(ids.map((id) => ["name", id]))}`);
  common.setAttribute("aria-busy", "true");
  const found = await shared(book, ids).catch(trouble);
  if (mine === turn) fill(common, found).removeAttribute("aria-busy");
}

show(async () => {
  const cast = get(`/books/${book}/characters`, gated(book));
  const [about, { chapters }, { items }] = await load(book, "Compare people", cast);
  let waiting;
  const choice = new Choice(items, () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => compare(choice.ids), 300);
  });
  const ask = (event) => {
    event.preventDefault();
    if (!choice.ids.length) return fill(writing.out, h("p", { class: "warning" }, "Choose at least one person."));
    const { name, ...params } = Object.fromEntries(new FormData(event.target));
    return writing.ask(`/books/${book}/descriptions`, { ...params, name: choice.ids, ...gated(book) });
  };
  if (items.length) setTimeout(() => compare(choice.ids));
  return [
    crumbs(about),
    h("h1", {}, "Compare people"),
    gateForm(book, chapters),
    items.length
      ? [
          h("form", { onsubmit: ask }, choice.element, h("div", { class: "row" }, how(), h("button", {}, "Describe"))),
          writing.out,
          common,
        ]
      : h("p", {}, "No people appear in the chapters you have read."),
  ];
});
