// The part of a passage around the words that a search found in it.

import { h } from "./dom.js";
import { cut, points } from "./text.js";

const BEFORE = 120;
const AFTER = 240;

/** Whether a character ends no word: Chinese has no spaces to cut at. */
const joined = (char) => /[^\s\p{sc=Han}]/u.test(char);

/** The words around the first mark, with the marks. */
export function excerpt({ text, span, marks }) {
  const chars = points(text);
  const first = marks.length ? marks[0].start - span.start : 0;
  let low = Math.max(0, first - BEFORE);
  while (low > 0 && low < first && joined(chars[low - 1])) low += 1;
  let high = Math.min(chars.length, first + AFTER);
  while (high < chars.length && joined(chars[high])) high += 1;
  const parts = [low ? "… " : ""];
  let at = low;
  for (const mark of marks) {
    if (mark.end - span.start > high) break;
    parts.push(cut(chars, at, mark.start - span.start), h("mark", {}, cut(chars, mark.start - span.start, mark.end - span.start)));
    at = mark.end - span.start;
  }
  return [...parts, cut(chars, at, high), high < chars.length ? " …" : ""];
}
