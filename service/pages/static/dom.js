// Builds elements from parts, never from markup, so the content of a book can only become text.

const SVG = "http://www.w3.org/2000/svg";

export const h = (tag, props = {}, ...kids) => build(document.createElement(tag), props, kids);
export const svg = (tag, props = {}, ...kids) => build(document.createElementNS(SVG, tag), props, kids);

function build(element, props, kids) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...spoken(kids, element));
  return element;
}

export const button = (words, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, words);
export const quiet = (words, onclick, label, kind = "quiet") =>
  button(words, onclick, { class: kind, "aria-label": label });

/** A part of a page with a heading. */
export const titled = (id, title, ...kids) =>
  h("section", { "aria-labelledby": id }, h("h2", { id }, title), ...kids);

/** A list with a heading; nothing if the list is empty. */
export const listed = (title, rows) => {
  const items = rows.map((row) => h("li", {}, row));
  return items.length ? h("div", {}, h("h3", {}, title), h("ul", {}, items)) : "";
};

export function fill(element, ...kids) {
  element.replaceChildren(...spoken(kids));
  return element;
}

let chinese = "zh";

/** Chinese on this page is in the language of the book from now on: its two scripts differ in fonts and quotation marks. */
export function speak(language) {
  if (/^(zh|ja)/.test(language)) chinese = language;
}

const HAN = /\p{sc=Han}/u;
const RUN = /([\p{sc=Han}\u3001-\u303f\uff01-\uff65]+(?:[^\p{L}]*[\p{sc=Han}\u3001-\u303f\uff01-\uff65]+)*)/u;
const isWhole = (text) => !/\p{L}/u.test(text.replace(/\p{sc=Han}/gu, ""));
const BARE = new Set(["option", "textarea", "title", "text"]); // they can have no elements in them

/** The parts of an element. The page is in English: its Chinese carries its language, as the whole of a new element may. */
function spoken(kids, made) {
  const parts = kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false);
  const chineseIn = (part) => typeof part === "string" && HAN.test(part);
  if (made?.hasAttribute("lang") || !parts.some(chineseIn)) return parts;
  const whole = isWhole(parts.join(""));
  if (made && whole && (BARE.has(made.localName) || parts.length === 1)) made.setAttribute("lang", chinese);
  if (made?.hasAttribute("lang") || BARE.has(made?.localName)) return parts;
  return parts.flatMap((part) => (chineseIn(part) ? runs(part) : [part]));
}

/** The language of a quotation, if most of its letters are Chinese: a name in it may have other ones, as 阿Q. */
export const languageOf = (text) =>
  2 * (text.match(/\p{sc=Han}/gu)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0) ? chinese : null;

const said = (text) => h("span", { lang: chinese }, text);
/** A text that is split has the Chinese in the odd places. */
const runs = (text) => (isWhole(text) ? [said(text)] : text.split(RUN).map((part, at) => (at % 2 ? said(part) : part)));

/** Text between backticks becomes code. */
export const coded = (text) => (text ?? "").split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));

const counts = new Intl.NumberFormat("en");
export const number = (value) => counts.format(value);
export const plural = (value, one, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;
/** A length in words, or in characters where these are counted. */
export const lengthOf = (value, language) => plural(value, language === "zh" ? "character" : "word");

/** A chapter with its number, and its title if it has one. A title such as “CHAPTER III” may have the number itself. */
export const chapterName = (count, title) => {
  if (!title) return `Chapter ${count}`;
  const first = title.toLowerCase().match(/[a-z0-9]+/g)?.slice(0, 2) ?? [];
  return first.includes(`${count}`) || first.includes(roman(count)) ? title : `${count}. ${title}`;
};

const ROMAN = { 1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl", 10: "x", 9: "ix", 5: "v", 4: "iv" };
const roman = (count) => {
  const [value, letters] = Object.entries(ROMAN).findLast(([least]) => least <= count) ?? [1, "i"];
  return letters + (count > value ? roman(count - value) : "");
};

/** Fills a list with the first items. A button adds the rest, and then goes: the focus moves along to the first of it. */
export function showFirst(most, list, items, make, words) {
  list.append(...items.slice(0, most).map(make));
  if (items.length <= most) return null;
  const more = quiet(words, () => {
    const rows = items.slice(most).map((item, at) => make(item, at + most));
    list.append(...rows);
    more.remove();
    rows[0].querySelector("a, button").focus();
  });
  return more;
}

/** Moves the focus to a part of the page where neither Tab nor a click on its text stops. */
export function enter(part, options) {
  part.setAttribute("tabindex", "-1");
  part.addEventListener("blur", () => part.removeAttribute("tabindex"), { once: true });
  part.focus(options);
}

export function date(text) {
  const when = new Date(text);
  return h("time", { datetime: text }, when.toLocaleDateString("en", { dateStyle: "medium" }));
}

/** Lets the browser save a file. */
export function save(file, content) {
  const link = h("a", { href: URL.createObjectURL(content), download: file });
  link.click();
  URL.revokeObjectURL(link.href);
}
