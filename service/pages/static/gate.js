// The spoiler gate, "I have read up to …": kept in this browser for each reader and book, and sent with every request.

import { get, key } from "./api.js";
import { copyLink } from "./copy.js";
import { chapterName, fill, h } from "./dom.js";

export const NONE = { number: 0, end: 0 }; // no chapter counts as read, until the reader says again how far that is
const anybodys = (book) => `bookworm.gate.${book}`; // of a service without keys
/** Readers who share a browser have keys of their own, of which a beginning that gives nothing away tells them apart. */
const own = (what) => [what, key.get()?.slice(0, 9)].filter(Boolean).join(".");
const name = (book) => own(anybodys(book));

const stored = (book) => localStorage.getItem(name(book)) ?? localStorage.getItem(anybodys(book));
export const known = (book) => stored(book) !== null;
const written = (last) => (last ? `${last.number}@${last.end}` : "");
/** Whether readers have keys, so that the book may be new to this one, and this browser does not know their place. */
export const unsaid = (book) => !known(book) && Boolean(key.get());

/** The number of the last chapter that was read, and its end: a correction by anybody can change the number. */
const kept = (book) => (stored(book) ?? (unsaid(book) ? written(NONE) : "")).split("@");
export const keep = (book, last) => localStorage.setItem(name(book), written(last));
/** Where the reader last was in the text of the book, or null. */
export const left = (book) => localStorage.getItem(own(`bookworm.left.${book}`));
export const leave = (book, at) => localStorage.setItem(own(`bookworm.left.${book}`), at);
const lastBefore = (chapters, end) => chapters.filter((c) => c.end <= end).at(-1) ?? NONE;

export const gate = (book) => kept(book)[0];
/** The parameters that every request about a book needs. */
export const gated = (book) => (gate(book) ? { upto: unset(book) ? "p:0" : `ch:${gate(book)}` } : {});
export const unset = (book) => gate(book) === String(NONE.number);

/** The chapters that have been read. */
export const read = (book, chapters) => chapters.filter((c) => !gate(book) || c.number <= Number(gate(book)));

/**
 * Waits for `order`, which may give the chapters other numbers, and for `end` with the job that it returns, if any, and
 * keeps the reader's place. Returns a sentence about the new number, if any. Meanwhile, and if it is not known how the
 * job ended, no chapter counts as read.
 */
export async function renumbered(book, order, end) {
  const was = gate(book);
  let accepted = false;
  const whole = async () => {
    const job = await order();
    accepted = true;
    if (job) await end(job);
  };
  if (!was) return whole().then(() => "");
  const chapters = async () => (await get(`/books/${book}/chapters`)).chapters;
  const before = (await chapters())[was - 1] ?? NONE;
  keep(book, NONE);
  try {
    await whole();
  } catch (error) {
    const refused = !accepted && error.status >= 400 && error.status < 500;
    if (refused || ["failed", "cancelled"].includes(error.code)) keep(book, before);
    throw error;
  }
  const last = lastBefore(await chapters(), before.end);
  keep(book, last);
  if (last === NONE) return "Choose again how far you have read: no chapter ends where you were.";
  return gate(book) === was ? "" : `“I have read up to” is now chapter ${last.number}.`;
}

/** Keeps the place of a reader though somebody has changed the chapters since: before a request is sent with it. */
export async function follow(book) {
  const [number, end] = kept(book);
  if (!Number(number)) return;
  const { chapters } = await get(`/books/${book}/chapters`);
  const now = chapters[number - 1];
  if (String(now?.end) !== end) keep(book, now && !end ? now : lastBefore(chapters, Number(end ?? 0)));
}

/** What links call the place of somebody who has read it all. */
export const END = "end";

/** The link of this page, with the reader's place. */
function placedLink(book) {
  const link = new URL(location.href);
  link.searchParams.set("upto", gate(book) || END);
  return link.href;
}

/** The choice of the place, and a button that copies a link to `what` at this place. */
export function gateForm(book, chapters, what = "this place") {
  const known = new Set(read(book, chapters).map((c) => c.number)); // a chapter title can be a spoiler
  const set = Boolean(gate(book));
  const shown = unset(book) ? "Choose the last chapter you have read." : "Nothing after this chapter is shown.";
  const told = h("span", { class: "soft", role: "status" }, set && shown);
  let typing = false; // an arrow key changes the field at each step, so Enter or leaving it says which is meant
  const apply = () => {
    if (choose.value === before) return;
    keep(book, chapters[choose.value - 1]);
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
    unset(book) && h("option", { value: NONE.number, selected: true }, "Nothing yet"),
    chapters.map((c) =>
      h(
        "option",
        { value: c.number, selected: String(c.number) === gate(book) },
        chapterName(c.number, known.has(c.number) && c.title),
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
    copyLink(`Copy a link to ${what}`, () => placedLink(book)),
  );
}
