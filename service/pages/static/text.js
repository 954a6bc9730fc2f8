// The book counts code points, JavaScript counts UTF-16 code units: offsets are converted before text is cut.

import { h } from "./dom.js";

export const points = (text) => (/[\ud800-\udfff]/.test(text) ? Array.from(text) : text);
export const cut = (found, start, end) =>
  typeof found === "string" ? found.slice(start, end) : found.slice(start, end).join("");

/** A hue for each person, far from those of the neighbouring ranks. */
export const hue = (rank) => Math.round((rank * 137.508) % 360);

const letter = (char) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Offsets of the underscores that mark _words_ in plain text. A single one, or one inside a word, does not count. */
export function emphases(found) {
  const marked = [];
  let open = null;
  for (let at = 0; at < found.length; at += 1) {
    if (found[at] !== "_") continue;
    if (open === null && !letter(found[at - 1]) && /\S/.test(found[at + 1] ?? " ")) open = at;
    else if (open !== null && !letter(found[at + 1]) && /\S/.test(found[at - 1])) {
      marked.push({ start: open, end: at });
      open = null;
    }
  }
  return marked;
}

/** Text of the book with its emphasis applied, as parts for an element. */
export function set(text) {
  const marks = emphases(text);
  const plain = marks.map(({ start }, n) => text.slice(n ? marks[n - 1].end + 1 : 0, start));
  return [
    ...marks.flatMap(({ start, end }, n) => [plain[n], h("em", {}, text.slice(start + 1, end))]),
    text.slice(marks.length ? marks.at(-1).end + 1 : 0),
  ];
}
