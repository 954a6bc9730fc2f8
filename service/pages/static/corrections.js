// The corrections page: possible duplicates, people, chapters, and a log in which each correction can be undone.

import { get } from "./api.js";
import { again } from "./correct-again.js";
import { chapters } from "./correct-chapters.js";
import { copying, drafts } from "./correct-copy.js";
import { forms } from "./correct-forms.js";
import { log, report } from "./correct-log.js";
import { queue } from "./correct-queue.js";
import { button, enter, fill, h, speak } from "./dom.js";
import { gate, unset } from "./gate.js";
import { crumbs, links, place, reading, show, titleOf } from "./shell.js";

const MISSED = 3;
const { book } = place();
const said = h("div", { class: "said", role: "status", tabindex: "-1" });
const parts = h("div", { onrefused: renew });
const given = new URLSearchParams(location.hash.slice(1));
let title;
let last = 0; // the number of the newest correction that the page knows
const about = { wrong: given.get("wrong") ?? "merge", who: given.get("who"), other: given.get("other") };

async function load() {
  const [cast, decisions, open, found, others] = await Promise.all([
    get(`/books/${book}/characters`),
    get(`/books/${book}/decisions`),
    get(`/books/${book}/doubts`),
    get(`/books/${book}/chapters`),
    drafts(title),
  ]);
  speak(found.language);
  return { cast: { cast: cast.items, narrator: cast.narrator }, decisions: decisions.items, open, found, others };
}

function lay({ cast, decisions, open, found, others }) {
  const at = given.get("chapter");
  given.delete("chapter");
  last = decisions.at(-1)?.number ?? 0;
  return fill(
    parts,
    queue(book, open, found.chapters, done),
    forms(book, { ...cast, chapters: found.chapters }, about, done),
    log(book, decisions, done),
    copying(title, others, refresh),
    chapters(title, found, { at: at === null ? null : Number(at), hold, done: refresh }),
    again(title, { hold, done: refresh }),
  );
}

/** While one part waits for the book, the others cannot be used: what is written in them would be lost. */
function hold(waiting, busy) {
  for (const part of parts.children) part.inert = busy && part !== waiting;
}

/** Goes to the part that the address names, which is not there when the browser looks for it. Returns whether it is now. */
function arrive() {
  const part = given.has("again") && document.getElementById("again");
  if (part) enter(part);
  return Boolean(part);
}

async function refresh(words) {
  lay(await load());
  fill(said, words);
  said.focus();
}

/** After a decision: reloads the page's content and reports what was done. */
async function done(made) {
  const known = await load();
  lay(known);
  fill(said, report(book, known.decisions, made));
  said.focus();
}

/** After a refusal: if the book has been corrected elsewhere, shows its people and log as they are now. */
async function renew() {
  const known = await load();
  const missed = known.decisions.filter((d) => d.number > last);
  if (!missed.length) return;
  lay(known);
  const told = missed.slice(-MISSED).map((made) => [" ", report(book, known.decisions, made)]);
  fill(said, "The book was corrected elsewhere meanwhile, and this page has been updated.", told);
  said.focus();
}

async function page() {
  title = await get(`/books/${book}`);
  document.title = `Corrections · ${titleOf(title)} · Bookworm`;
  const h1 = h("h1", {}, "Corrections");
  const heading = [crumbs(title), h1];
  if (reading())
    return [heading, h("p", { class: "warning" }, "Your API key may only read. Ask whoever gave it to you for one that may correct.")];
  const head = [
    heading,
    h(
      "p",
      { class: "lead" },
      "Your corrections are kept when the book is processed again, and you can undo each of them. Use the ",
      h("a", { href: links.reader(book) }, "reader"),
      " to correct who a name refers to, who speaks or where a chapter starts.",
    ),
  ];
  if (!gate(book)) {
    lay(await load());
    return [head, said, parts];
  }
  const far = unset(book) ? "No chapter counts as read." : `You have read up to chapter ${gate(book)}.`;
  const warned = h(
    "div",
    { class: "warning" },
    h("p", {}, far, " This page covers the whole book and contains spoilers."),
    button("Show the whole book", async () => {
      await show(async () => {
        lay(await load());
        return [head, said, parts];
      });
      if (!arrive()) enter(h1);
    }),
  );
  return [head, warned];
}

show(page).then(arrive);
