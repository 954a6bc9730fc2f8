// A strip that shows where a person appears: one cell per chapter, darker with more mentions.

import { chapterName, h, plural } from "./dom.js";
import { links } from "./shell.js";

export function strip(book, who, chapters, most = Math.max(1, ...who.mentions_by_chapter)) {
  const counts = who.mentions_by_chapter;
  const cells = counts.map((count, at) => {
    const said = `${chapterName(at + 1, chapters[at]?.title)}: ${plural(count, "mention")}`;
    return h("a", {
      "--heat": count ? (0.15 + 0.85 * Math.sqrt(count / most)).toFixed(3) : "0",
      tabindex: "-1",
      href: links.reader(book, chapters[at] && { start: chapters[at].start, end: chapters[at].start }, who.id),
      title: said,
      "aria-label": said,
    });
  });
  const seen = counts.filter(Boolean).length;
  return h(
    "div",
    { class: "strip", role: "group", "aria-label": `Mentioned in ${seen} of ${plural(counts.length, "chapter")}` },
    cells,
  );
}

/** With the chapter numbers below. */
export const ruledStrip = (book, who, chapters) =>
  h("div", { class: "ruled" }, strip(book, who, chapters), ruler(who.mentions_by_chapter.length));

export function ruler(count) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((n) => count / n <= 8) ?? 200;
  const marks = Array.from({ length: count }, (_, at) => at + 1).filter((n) => n === 1 || n % step === 0);
  return h(
    "div",
    { class: "ruler", "aria-hidden": "true" },
    marks.map((n) => h("span", { "--at": ((n - 0.5) / count).toFixed(4) }, n)),
  );
}
