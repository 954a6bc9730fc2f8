// Where chapters start and what they are called: an editable list with a preview. Saving reprocesses the book.

import { get, send } from "./api.js";
import { button, fill, h, lengthOf, number, plural, quiet, titled } from "./dom.js";
import { renumbered } from "./gate.js";
import { finished } from "./lib-progress.js";
import { links, trouble } from "./shell.js";

const PAUSE = 300;
const LONG = 80;
const BY = {
  contents: "taken from its table of contents",
  headings: "taken from its headings",
  acts: "taken from its acts and scenes",
  reader: "as corrected here",
  none: "because no headings were found",
};

/**
 * `at` is the start of a chapter to add. `hold` is told when the section begins and ends to wait. `done` is called once
 * the book has been processed with other chapters.
 */
export function chapters(about, found, { at, hold, done }) {
  const book = about.id;
  const before = found.chapters.map((c) => ({ start: c.start, title: c.title, words: c.words }));
  let marks = before.map((m) => ({ ...m }));
  const list = h("ol", { class: "marks" });
  const preview = h("div", { class: "preview", "aria-live": "polite" });
  const apply = button("Save and reprocess the book", () => order("PUT"), { class: "main", disabled: true });
  const forget = () => {
    marks = before.map((m) => ({ ...m }));
    rows();
    look();
  };
  const discard = button("Discard changes", forget, { class: "quiet", disabled: true });
  const back = found.by === "reader" && quiet("Restore the original chapters", () => order("DELETE"));
  const sent = () => ({ chapters: marks.map(({ start, title }) => ({ start, title })) });
  let timer;
  let asked = 0;

  function row(mark, index) {
    const title = h("input", {
      value: mark.title,
      maxlength: 300,
      "aria-label": `Title of chapter ${index + 1}`,
      oninput: () => {
        mark.title = title.value;
        apply.disabled = true;
        clearTimeout(timer);
        timer = setTimeout(look, PAUSE);
      },
    });
    const remove = () => {
      marks.splice(index, 1);
      rows();
      look();
      list.querySelectorAll("button")[Math.max(0, index - 1)]?.focus();
    };
    return h(
      "li",
      { class: mark.added ? "added" : "" },
      title,
      h(
        "a",
        {
          href: links.reader(book, { start: mark.start, end: mark.start }),
          "aria-label": `Read chapter ${index + 1}`,
        },
        "Read",
      ),
      h("span", { class: "soft small count" }, mark.added ? "New" : lengthOf(mark.words, about.language)),
      marks.length > 1 && quiet("Remove", remove, `Remove the start of chapter ${index + 1}`),
    );
  }

  const rows = () => fill(list, marks.map(row));

  async function look() {
    const turn = ++asked;
    const changed =
      JSON.stringify(sent()) !== JSON.stringify({ chapters: before.map(({ start, title }) => ({ start, title })) });
    discard.disabled = !changed;
    apply.disabled = true;
    if (!changed) return fill(preview);
    try {
      const plan = await send("POST", `/books/${book}/chapters/preview`, sent());
      if (turn !== asked) return null;
      apply.disabled = false;
      return fill(preview, told(plan, before, about.language));
    } catch (error) {
      return turn === asked && fill(preview, trouble(error));
    }
  }

  function busy(is) {
    list.inert = is;
    hold(list.closest("section"), is);
    for (const one of [apply, discard, back]) if (one) one.disabled = is;
  }

  async function order(method) {
    clearTimeout(timer);
    asked += 1; // a preview that is still loading is out of date
    busy(true);
    try {
      const place = await renumbered(
        book,
        async () => (await send(method, `/books/${book}/chapters`, method === "PUT" ? sent() : undefined)).job,
        (job) => finished(about, job, preview, "Your changes are kept. Save them again to retry."),
      );
      await done(`${method === "PUT" ? "Chapters saved." : "Original chapters restored."} ${place}`);
    } catch (error) {
      busy(false);
      fill(preview, trouble(error));
    }
  }

  async function add() {
    const known = marks.find((m) => m.start === at);
    const place = found.chapters.findLast((c) => c.start <= at) ?? found.chapters[0];
    if (!known)
      marks = [...marks, { start: at, title: await titleAt(book, place.number, at), added: true }].sort(
        (a, b) => a.start - b.start,
      );
    rows();
    const field = list.children[marks.findIndex((m) => m.start === at)].querySelector("input");
    list.closest("section").scrollIntoView();
    field.focus();
    field.select();
    await look();
  }

  rows();
  if (at !== null) add().catch((error) => fill(preview, trouble(error)));
  return titled(
    "starts",
    "Chapters",
    h(
      "p",
      { class: "soft" },
      `The book has ${plural(before.length, "chapter")}, ${BY[found.by] ?? ""}. To add a chapter, open the `,
      h("a", { href: links.reader(book) }, "reader"),
      " and choose “Correct” next to its first paragraph.",
    ),
    list,
    preview,
    h("div", { class: "row" }, apply, discard, back),
  );
}

/** The text at the start of a new chapter, if it looks like a title: short, and not a sentence. */
async function titleAt(book, number, at) {
  const { paragraphs } = await get(`/books/${book}/chapters/${number}`);
  const found = paragraphs.find((p) => p.span.start === at);
  const words = found?.text.replace(/\s+/g, " ").trim() ?? "";
  const fits = words && words.length <= LONG && (found.kind === "heading" || !/[.,;:!?…"”’」』。！？]$/.test(words));
  return fits ? words : "New chapter";
}

function told(plan, before, language) {
  const quoted = (c) => h("strong", {}, `“${c.title}”`);
  const list = (some) => some.map((c, at) => [at ? ", " : "", quoted(c)]);
  const of = (change) => plan.chapters.filter((c) => c.change === change);
  const first = plan.chapters[0];
  const line = (words, some, each = list) => some.length > 0 && h("li", {}, words, " ", each(some));
  return h(
    "ul",
    { class: "changes" },
    plan.chapters.length !== before.length &&
      h("li", {}, `${plural(plan.chapters.length, "chapter")} instead of ${number(before.length)}.`),
    line("New:", of("new"), (some) =>
      some.map((c, at) => [at ? ", " : "", quoted(c), ` (${lengthOf(c.words, language)})`]),
    ),
    line("Renamed:", of("retitled"), (some) =>
      some.map((c, at) => [at ? ", " : "", quoted(c), ` (was “${c.was.title}”)`]),
    ),
    line("Moved:", of("moved")),
    line(
      "Merged into the previous chapter:",
      plan.gone.filter((c) => c.start > first.start),
    ),
    line(
      "No longer part of the story, because the first chapter starts later:",
      plan.gone.filter((c) => c.start < first.start),
    ),
    h("li", { class: "soft" }, "The text and your corrections to people do not change."),
  );
}
