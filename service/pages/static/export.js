// Files of who is who for other programs, with the readers' corrections.

import { request } from "./api.js";
import { fill, h, quiet, save, titled } from "./dom.js";
import { follow, gate, gated } from "./gate.js";
import { titleOf, trouble } from "./shell.js";

const FORMATS = [
  ["json", "JSON", "json"],
  ["jsonl", "JSON Lines", "jsonl"],
  ["conll", "CoNLL-2012", "conll"],
  ["booknlp", "BookNLP", "zip"],
  ["csv", "Spreadsheets (CSV)", "zip"],
  ["markdown", "Cast as Markdown", "md"],
];

/** Buttons that save the people, mentions and quotes of a book as a file. */
export function exportSection(book) {
  const told = h("div", { "aria-live": "polite" });
  const button = ([format, words, ending]) =>
    quiet(words, async () => {
      fill(told);
      try {
        await follow(book.id); // the page may have been open for long
        const answer = await request(`/books/${book.id}/annotations`, { params: { format, ...gated(book.id) } });
        save(`${titleOf(book)}.${ending}`, await answer.blob());
      } catch (error) {
        fill(told, trouble(error));
      }
    });
  const read = gate(book.id) ? ", as far as you have read" : "";
  return titled(
    "export",
    "For other programs",
    h("p", {}, `People, mentions and quotes as a file, with your corrections${read}.`),
    h("div", { class: "row" }, FORMATS.map(button)),
    told,
  );
}
