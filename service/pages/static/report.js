// How a book was read: as what, what was set apart, and what its reader had to notice.

import { h, plural } from "./dom.js";

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });
const PARTS = { front: "before the story", back: "after the story", apparatus: "between its lines" };

/** With `fresh`, what had to be noticed is unfolded. */
export function report(book, fresh) {
  const found = book.report;
  if (book.state !== "ready" || !found) return "";
  const { warnings, cut } = found;
  const told = [
    warnings.length
      ? h(
          "ul",
          { class: "warning" },
          warnings.map((warning) => h("li", {}, warning)),
        )
      : "",
    h(
      "p",
      {},
      `Read as ${found.format} in ${tongue(found.language)} (${found.encoding}): ${plural(found.paragraphs ?? 0, "paragraph")} in ${plural(found.chapters ?? 0, "chapter")}.`,
    ),
    cut.length
      ? h(
          "p",
          {},
          "Kept in the text, but no part of the story: ",
          cut.map((c) => `${c.reason} (${PARTS[c.part] ?? c.part}, ${plural(c.places, "place")})`).join("; "),
          ".",
        )
      : "",
  ];
  const words = warnings.length ? plural(warnings.length, "thing to look at", "things to look at") : "How it was read";
  return h("details", { open: fresh && warnings.length > 0 }, h("summary", {}, words), told);
}

function tongue(code) {
  try {
    return languages.of(code);
  } catch {
    return code; // no language that anybody knows
  }
}
