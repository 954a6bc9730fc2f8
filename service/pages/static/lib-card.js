// A book in the library: its details, how it was processed or why that failed, and a button to delete it.

import { get, request, send } from "./api.js";
import { coded, date, fill, h, lengthOf, plural, quiet } from "./dom.js";
import { certain } from "./lib-ask.js";
import { follow } from "./lib-progress.js";
import { anyway } from "./lib-upload.js";
import { report } from "./report.js";
import { links, titleOf, trouble } from "./shell.js";

/** `fresh`: the book was just added, so its warnings are shown open. */
export function card(book, { fresh = false } = {}) {
  const state = h("div", { class: "state" });
  const name = titleOf(book);
  const ready = book.state === "ready";
  const remove = quiet("Delete …", () => drop(book, item), `Delete “${name}”`, "quiet writes");
  const item = h(
    "li",
    { class: "card", id: book.id, tabindex: "-1" },
    h(
      "div",
      {},
      h("h2", {}, ready ? h("a", { href: links.book(book.id) }, name) : name),
      h("p", { class: "soft" }, about(book)),
      book.outdated && upgrade(book),
    ),
    state,
    remove,
    report(book, fresh),
  );
  const turn = (now) => (now ? replace(item, card(now, { fresh: now.state === "ready" })) : item.remove());
  if (book.state === "pending") follow(book, state, turn);
  else if (!ready) why(book, state, turn);
  return item;
}

function about(book) {
  const known = [
    book.author,
    book.words && lengthOf(book.words, book.language),
    book.report?.chapters && plural(book.report.chapters, "chapter"),
    book.title && book.filename,
  ];
  return [known.filter(Boolean).map((part) => [part, " · "]), date(book.created)];
}

const upgrade = (book) =>
  h(
    "p",
    { class: "small writes" },
    "Bookworm or this book has changed since it was processed. ",
    h("a", { href: `${links.corrections(book.id)}#again`, "aria-label": `Process “${titleOf(book)}” again` }, "Process again"),
  );

function replace(old, made) {
  const focused = old.contains(document.activeElement);
  old.replaceWith(made);
  if (focused) made.focus();
}

const LANGUAGE = "unsupported_language"; // on request, the book is processed as English
const ANYWAY = "Processed as English, it would have people where there are none.";
const UPLOAD = " To do so anyway, upload the file again here, and choose “Process anyway”."; // while it has the file

/** The remedy for programs ends after a semicolon with what to pass. */
const inEnglish = (remedy, gone) => [`${remedy.split(";")[0]}. ${ANYWAY}`, gone && h("span", { class: "writes" }, UPLOAD)];

async function why(book, state, turn) {
  fill(state, h("p", { class: "small" }, "This book was not processed. Loading the reason …"));
  let job;
  try {
    job = await reason(book.id);
  } catch (error) {
    return fill(state, trouble(error));
  }
  const cancelled = !job || job.state === "cancelled";
  const button = (words, label, act) => {
    const press = async (event) => {
      event.target.disabled = true;
      try {
        turn(await act());
      } catch (error) {
        event.target.disabled = false;
        state.append(trouble(error));
      }
    };
    return quiet(words, press, label);
  };
  const again = async () => {
    await send("POST", `/jobs/${job.id}/retry`);
    return { ...book, state: "pending" };
  };
  const foreign = job?.error_code === LANGUAGE;
  const forced = foreign && anyway(book.id);
  return fill(
    state,
    cancelled
      ? h("p", { class: "small" }, "Processing was cancelled.")
      : h(
          "div",
          { class: "trouble small" },
          h("p", {}, h("strong", {}, job.error ?? "The book could not be processed.")),
          job.remedy && h("p", {}, foreign ? inEnglish(job.remedy, !forced) : coded(job.remedy)),
        ),
    h(
      "div",
      { class: "row writes" },
      job?.retryable && button("Try again", `Try again: “${titleOf(book)}”`, again),
      forced && button("Process anyway", `Process anyway: “${titleOf(book)}”`, forced),
    ),
  );
}

// The reasons why books failed, requested together when there are several.
const ALONE = 3;
let asked = [];

function reason(id) {
  return new Promise((tell, fail) => {
    if (!asked.length) setTimeout(answer);
    asked.push({ id, tell, fail });
  });
}

async function answer() {
  const mine = asked;
  asked = [];
  const known = new Map();
  try {
    const reading = { kind: "ingest" };
    const { items } = mine.length > ALONE ? await get("/jobs", { ...reading, limit: 200 }) : { items: [] };
    for (const job of items.reverse()) known.set(job.book, job); // the newest job of a book stays
    for (const { id, tell } of mine)
      tell(known.get(id) ?? (await get("/jobs", { ...reading, book: id, limit: 1 })).items[0]);
  } catch (error) {
    mine.forEach(({ fail }) => fail(error));
  }
}

async function drop(book, item) {
  const sure = await certain(
    `Delete “${titleOf(book)}”?`,
    `${book.filename ? `It was uploaded as ${book.filename}. ` : ""}This also deletes its people, generated texts and corrections. If you upload it again, readers must say again how far they have read. This cannot be undone.`,
    "Delete",
  );
  if (!sure) return;
  try {
    await request(`/books/${book.id}`, { method: "DELETE" });
    const beside = item.nextElementSibling ?? item.previousElementSibling;
    const shelf = item.closest("main");
    item.remove();
    shelf.dispatchEvent(new CustomEvent("taken", { detail: titleOf(book) }));
    (beside ?? shelf.querySelector("h1")).focus();
  } catch (error) {
    item.querySelector(".state").append(trouble(error));
  }
}
