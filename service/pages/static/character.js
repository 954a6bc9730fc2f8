// The page of a person: who they are, a description or analysis, and beside it their card.

import { get, Problem } from "./api.js";
import { checkForm } from "./check.js";
import { fill, h, plural, speak } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { profile, whoLine } from "./profile.js";
import { crumbs, links, place, show, titleOf, trouble } from "./shell.js";
import { ruledStrip } from "./strip.js";
import { how, Writing } from "./writing.js";

const { book, person } = place();
const at = `/books/${book}/characters/${encodeURIComponent(person)}`;
const writing = new Writing(book);
const NAMES = 12;

function options() {
  const form = h(
    "form",
    {
      class: "row ask",
      onsubmit: (event) => {
        event.preventDefault();
        ask(form);
      },
    },
    h("label", { for: "task" }, "Text"),
    h(
      "select",
      { id: "task", name: "task" },
      h("option", { value: "description" }, "Description"),
      h("option", { value: "analysis" }, "Analysis"),
    ),
    how(),
    h("button", { class: "main" }, "Generate"),
  );
  return form;
}

function ask(form) {
  const { task, ...params } = Object.fromEntries(new FormData(form));
  return writing.ask(`${at}/${task}`, { ...params, ...gated(book) });
}

function called(who) {
  const others = who.aliases.filter((a) => a.text !== who.name).slice(0, NAMES);
  return others.length
    ? h(
        "ul",
        { class: "names", "aria-label": "Also called" },
        others.map((a) => h("li", {}, a.text, h("span", { class: "soft" }, ` ${a.count}`))),
      )
    : "";
}

/** Without the person: why, the gate, which may be the cause, and where to go on. */
const nobody = (about, chapters, error) => [
  crumbs(about),
  h("h1", {}, { not_yet_met: "Not met yet", character_unknown: "No such person" }[error.code] ?? titleOf(about)),
  trouble(error),
  gateForm(book, chapters),
  h("p", {}, h("a", { href: `${links.book(book)}#people` }, "People of this book")),
];

show(async () => {
  const [about, { chapters, language }, who] = await Promise.all([
    get(`/books/${book}`),
    get(`/books/${book}/chapters`),
    get(at, gated(book)).catch((error) => (error instanceof Problem ? error : Promise.reject(error))),
  ]);
  speak(language);
  if (who instanceof Problem) {
    if (who.code === "not_yet_met") who.message = "This person has not appeared in the chapters you have read."; // no id
    return nobody(about, chapters, who);
  }
  document.title = `${who.name} · ${titleOf(about)} · Bookworm`;
  const form = options();
  const drawer = h("div", {}, h("p", { class: "soft" }, "Loading what the book says …"));
  const line = h("div", {});
  get(`${at}/profile`, gated(book)).then(
    (found) => [fill(line, whoLine(book, found)), fill(drawer, profile(book, found))],
    (error) => fill(drawer, trouble(error)),
  );
  setTimeout(() => ask(form));
  const first = h(
    "a",
    { href: links.reader(book, { start: who.first, end: who.first + 1 }, who.id) },
    `first seen in chapter ${who.first_chapter}`,
  );
  return [
    crumbs(about),
    h("h1", {}, who.name),
    line,
    h("p", { class: "lead" }, who.pronouns && `${who.pronouns} · `, plural(who.mention_count, "mention"), " · ", first),
    called(who),
    gateForm(book, chapters),
    h("div", { class: "columns" }, h("div", {}, writing.out, form, checkForm(book, who)), drawer),
    h("h2", {}, "Where in the book"),
    ruledStrip(book, who, chapters),
  ];
});
