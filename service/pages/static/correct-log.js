// All that was corrected, the latest first; each can be taken back, and made again.

import { h, plural } from "./dom.js";
import { asking, chapter } from "./preview.js";

const FIRST = 20;
const GONE = "somebody who is no longer known";

export function log(book, items, done) {
  const undos = new Map(items.filter((d) => d.kind === "undo" && !d.undone).map((d) => [d.undoes, d.number]));
  const made = items.filter((d) => d.kind !== "undo").reverse();
  const list = h(
    "ol",
    { class: "log", reversed: true, start: made.length },
    made.slice(0, FIRST).map((d) => entry(book, d, undos, done)),
  );
  const more =
    made.length > FIRST &&
    h(
      "button",
      {
        class: "quiet",
        type: "button",
        onclick: (event) => {
          list.append(...made.slice(FIRST).map((d) => entry(book, d, undos, done)));
          event.target.remove();
        },
      },
      `Show all ${made.length}`,
    );
  return h(
    "section",
    { "aria-labelledby": "log" },
    h("h2", { id: "log" }, "What was corrected"),
    made.length ? [list, more] : h("p", { class: "soft" }, "Nothing yet."),
  );
}

function entry(book, decision, undos, done) {
  const { undone, number } = decision;
  const back = undone
    ? asking(book, {
        label: "Correct it again",
        words: "Correct it again",
        decision: () => ({ kind: "undo", undoes: undos.get(number) }),
        done,
      })
    : asking(book, { label: "Undo", words: "Take it back", decision: () => ({ kind: "undo", undoes: number }), done });
  return h(
    "li",
    {},
    h("span", { class: undone ? "undone" : "" }, told(book, decision)),
    undone && h("span", { class: "soft" }, " (taken back)"),
    " ",
    back.button,
    back.panel,
  );
}

/** In words. */
export function told(book, d) {
  const who = h("strong", {}, d.character_name ?? GONE);
  const other = h("strong", {}, d.other_name ?? GONE);
  const names = d.aliases.map((a) => `“${a}”`).join(", ");
  switch (d.kind) {
    case "merge":
      return [other, " is ", who];
    case "split":
      return [
        names || plural(d.spans.length, "place"),
        ` of `,
        who,
        d.aliases.length === 1 || (!names && d.spans.length === 1) ? " means " : " mean ",
        h("strong", {}, d.name),
      ];
    case "rename":
      return [who, " is called ", h("strong", {}, d.name)];
    case "hide":
      return [who, " is no person"];
    case "narrator":
      return [who, " tells the story"];
    case "speaker":
      return [
        h("q", {}, d.place.text),
        d.spans.length > 1 && ` and ${d.spans.length - 1} more`,
        " (",
        chapter(book, d.place),
        d.spans.length > 1 ? ") are said by " : ") is said by ",
        d.character ? who : h("strong", {}, "nobody known"),
      ];
    default:
      return [who, " and ", other, " are two"];
  }
}
