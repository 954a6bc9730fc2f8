// The corrections: questions to settle, what is wrong with the cast and the chapters, and all of it to take back.

import { all, get } from "./api.js";
import { chapters } from "./correct-chapters.js";
import { forms } from "./correct-forms.js";
import { log, told } from "./correct-log.js";
import { queue } from "./correct-queue.js";
import { fill, h } from "./dom.js";
import { gate } from "./gate.js";
import { crumbs, links, place, show, titleOf } from "./shell.js";

const { book } = place();
const said = h("div", { class: "said", role: "status", tabindex: "-1" });
const parts = h("div", {});
const given = new URLSearchParams(location.hash.slice(1));
let title;
const about = { wrong: given.get("wrong") ?? "merge", who: given.get("who"), other: given.get("other") };

async function load() {
  const [cast, decisions, open, found] = await Promise.all([
    get(`/books/${book}/characters`),
    get(`/books/${book}/decisions`),
    all(`/books/${book}/doubts`),
    get(`/books/${book}/chapters`),
  ]);
  return { cast: { cast: cast.items, narrator: cast.narrator }, decisions: decisions.items, open, found };
}

function lay({ cast, decisions, open, found }) {
  const at = given.get("chapter");
  given.delete("chapter");
  return fill(
    parts,
    queue(book, open, done),
    forms(book, cast, about, done),
    log(book, decisions, done),
    chapters(title, found, { at: at === null ? null : Number(at), done: refresh }),
  );
}

async function refresh(words) {
  lay(await load());
  fill(said, words);
  said.focus();
}

/** After a decision: everything as it is now, and what was done in words. */
async function done({ number, kind, undoes }) {
  const known = await load();
  lay(known);
  const entry = known.decisions.find((d) => d.number === (kind === "undo" ? first(known.decisions, undoes) : number));
  fill(said, kind === "undo" && entry.undone ? "Taken back: " : "Done: ", told(book, entry), ".");
  said.focus();
}

/** What an undo, or the undo of an undo, is about in the end. */
function first(decisions, number) {
  const entry = decisions.find((d) => d.number === number);
  return entry.kind === "undo" ? first(decisions, entry.undoes) : number;
}

async function page() {
  title = await get(`/books/${book}`);
  document.title = `Corrections · ${titleOf(title)} · Bookworm`;
  const head = [
    crumbs(title),
    h("h1", {}, "Corrections"),
    h(
      "p",
      { class: "lead" },
      "Every correction is kept, survives a new reading of the book, and can be taken back. The ",
      h("a", { href: links.reader(book) }, "reader"),
      " is where to say who speaks, and where a chapter starts.",
    ),
  ];
  if (!gate(book)) {
    lay(await load());
    return [head, said, parts];
  }
  const warned = h(
    "div",
    { class: "warning" },
    h(
      "p",
      {},
      `You have read up to chapter ${gate(book)}. Corrections are about the whole book, and show what comes later.`,
    ),
    h(
      "button",
      {
        type: "button",
        onclick: async () => {
          await show(async () => {
            lay(await load());
            return [head, said, parts];
          });
        },
      },
      "Show the whole book here",
    ),
  );
  return [head, warned];
}

show(page);
