// Where in the book somebody is: a cell for each chapter, darker where they are mentioned more.

import { h, plural } from "./dom.js";
import { links } from "./shell.js";

export function strip(book, counts, chapters, most = Math.max(1, ...counts)) {
  const cells = counts.map((count, at) => {
    const said = `${chapters[at]?.title ?? `Chapter ${at + 1}`}: ${plural(count, "mention")}`;
    return h("a", {
      "--heat": count ? (0.15 + 0.85 * Math.sqrt(count / most)).toFixed(3) : "0", tabindex: "-1",
      href: links.reader(book, chapters[at] && { start: chapters[at].start, end: chapters[at].start }),
      title: said, "aria-label": said,
    });
  });
  const seen = counts.filter(Boolean).length;
  return h("div", { class: "strip", role: "group", "aria-label": `Mentioned in ${seen} of ${plural(counts.length, "chapter")}` }, cells);
}
