// How a book was processed: the detected format, what is not part of the story, and warnings.

import { h, plural } from "./dom.js";

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });
const PARTS = { front: "before the story", back: "after the story", apparatus: "within the story" };

/** With `fresh`, warnings are shown open. */
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
          "In the text, but not part of the story: ",
          cut.map((c) => `${c.reason} (${PARTS[c.part] ?? c.part}, ${plural(c.places, "place")})`).join("; "),
          ".",
        )
      : "",
  ];
  const words = warnings.length ? plural(warnings.length, "warning") : "Import details";
  return h("details", { open: fresh && warnings.length > 0 }, h("summary", {}, words), told);
}

function tongue(code) {
  try {
    return languages.of(code);
  } catch {
    return code; // not a known language code
  }
}
