// The book counts characters, not the halves of which some consist here: offsets are turned before they cut.

import { h } from "./dom.js";

export const points = (text) => (/[\ud800-\udfff]/.test(text) ? Array.from(text) : text);
export const cut = (found, start, end) =>
  typeof found === "string" ? found.slice(start, end) : found.slice(start, end).join("");

/** A hue of one's own for each of the cast, far from its neighbours'. */
export const hue = (rank) => Math.round((rank * 137.508) % 360);

const letter = (char) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Where plain texts mark _words_ like this: offsets of the two marks. A lone one, or one inside a word, is no mark. */
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

/** A stretch of a book as it was meant to look: parts of a line. */
export function set(text) {
  const marks = emphases(text);
  const plain = marks.map(({ start }, n) => text.slice(n ? marks[n - 1].end + 1 : 0, start));
  return [
    ...marks.flatMap(({ start, end }, n) => [plain[n], h("em", {}, text.slice(start + 1, end))]),
    text.slice(marks.length ? marks.at(-1).end + 1 : 0),
  ];
}
