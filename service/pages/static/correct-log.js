// The log of corrections, newest first; each can be undone and redone.

import { h, showFirst, titled } from "./dom.js";
import { asking, chapter } from "./preview.js";

const FIRST = 20;
const GONE = "an unknown person";

export function log(book, items, done) {
  const undos = new Map(items.filter((d) => d.kind === "undo" && !d.undone).map((d) => [d.undoes, d.number]));
  const made = items.filter((d) => d.kind !== "undo").reverse();
  const byNumber = new Map(items.map((d) => [d.number, d]));
  const name = (number) => told(book, byNumber.get(number));
  const shown = (d) => entry(book, d, { undos, name, done });
  const list = h("ol", { class: "log" });
  const more = showFirst(FIRST, list, made, shown, `Show all ${made.length}`);
  return titled(
    "log",
    "Change log",
    made.length ? [list, more] : h("p", { class: "soft" }, "No corrections yet."),
  );
}

function entry(book, decision, { undos, name, done }) {
  const { undone, number } = decision;
  const back = undone
    ? asking(book, {
        label: "Redo …",
        words: "Redo",
        decision: () => ({ kind: "undo", undoes: undos.get(number) }),
        name,
        done,
      })
    : asking(book, { label: "Undo …", words: "Undo", decision: () => ({ kind: "undo", undoes: number }), name, done });
  return h(
    "li",
    { value: number },
    h("span", { class: undone ? "undone" : "" }, told(book, decision)),
    undone && h("span", { class: "soft" }, " (undone)"),
    !undone && !decision.in_effect && h("span", { class: "soft" }, " (no effect: what it corrects is not there now)"),
    " ",
    back.button,
    back.panel,
  );
}

/** A correction as a sentence. */
export function told(book, d) {
  const who = h("strong", {}, d.character_name ?? GONE);
  const other = h("strong", {}, d.other_name ?? GONE);
  const names = d.aliases.map((a) => `“${a}”`).join(", ");
  switch (d.kind) {
    case "merge":
      return [other, " was merged into ", who, d.place && [", revealed in ", chapter(book, d.place)]];
    case "split":
      return [
        names,
        names && d.place && " and ",
        d.place && ["parts of the text (the first in ", chapter(book, d.place), ")"],
        d.aliases.length === 1 && !d.place ? " was split from " : " were split from ",
        who,
        " as ",
        h("strong", {}, d.name),
      ];
    case "rename":
      return [who, " was renamed to ", h("strong", {}, d.name)];
    case "hide":
      return [who, " was removed"];
    case "narrator":
      return [
        d.character ? who : h("strong", {}, d.name ?? "nobody"),
        " was set as narrator",
        d.place && [" from ", chapter(book, d.place)],
      ];
    case "mention":
      return [
        names || h("q", {}, d.place.text),
        d.place && [names ? " (from " : " (", chapter(book, d.place), ")"],
        " now refers to ",
        d.character ? who : h("strong", {}, d.name ?? "nobody in the list"),
        " instead of ",
        d.other ? other : "nobody in the list",
      ];
    case "speaker":
      return [
        h("q", {}, d.place.text),
        d.spans.length > 1 && ` and ${d.spans.length - 1} more`,
        " (",
        chapter(book, d.place),
        "): speaker changed to ",
        d.character ? who : h("strong", {}, "unknown"),
      ];
    default:
      if (!d.other) return [who, " was marked as one person"];
      return [who, " and ", other, " were marked as different people"];
  }
}

/** The correction that `made` is, or that it undoes or redoes in the end, as a report of what was done. */
export function report(book, decisions, made) {
  let entry = made;
  const numbered = (number) => decisions.find((d) => d.number === number);
  while (entry.kind === "undo") entry = numbered(entry.undoes);
  entry = numbered(entry.number);
  return [made.kind === "undo" && entry.undone ? "Undone: " : "Saved: ", told(book, entry), "."];
}
