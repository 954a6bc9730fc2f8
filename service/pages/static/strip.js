// A strip that shows where a person appears: one cell per chapter, darker with more mentions.

import { chapterName, h, plural } from "./dom.js";
import { links } from "./shell.js";

/** With `stops`, Tab stops at the chapters where they appear: of one person, not of each in a list. */
export function strip(book, who, chapters, { most, stops = false }) {
  const counts = who.mentions_by_chapter;
  const highest = most ?? Math.max(1, ...counts);
  const cells = counts.map((count, at) => {
    const said = `${chapterName(at + 1, chapters[at]?.title)}: ${plural(count, "mention")}`;
    return h("a", {
      "--heat": count ? (0.15 + 0.85 * Math.sqrt(count / highest)).toFixed(3) : "0",
      tabindex: stops && count ? "0" : "-1",
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
  h(
    "div",
    { class: "ruled" },
    strip(book, who, chapters, { stops: true }),
    ruler(who.mentions_by_chapter.length),
  );

export function ruler(count) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((n) => count / n <= 8) ?? 200;
  const marks = Array.from({ length: count }, (_, at) => at + 1).filter((n) => n === 1 || n % step === 0);
  return h(
    "div",
    { class: "ruler", "aria-hidden": "true" },
    marks.map((n) => h("span", { "--at": ((n - 0.5) / count).toFixed(4) }, n)),
  );
}
