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
  element.append(...kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return element;
}

export function fill(element, ...kids) {
  element.replaceChildren(...kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return element;
}

/** Text between backticks becomes code. */
export const coded = (text) => (text ?? "").split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));

const counts = new Intl.NumberFormat("en");
export const number = (value) => counts.format(value);
export const plural = (value, one, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;
/** A length in words, or in characters where these are counted. */
export const lengthOf = (value, language) => plural(value, language === "zh" ? "character" : "word");

/** A chapter with its number, and its title if it has one. */
export const chapterName = (count, title) => (title ? `${count}. ${title}` : `Chapter ${count}`);

/** A button that adds the rest of a list, which `make` makes, and then goes: the focus moves along to the first of it. */
export function showRest(words, list, make) {
  const show = () => {
    const rows = make();
    list.append(...rows);
    button.remove();
    rows[0].querySelector("a, button").focus();
  };
  const button = h("button", { class: "quiet", type: "button", onclick: show }, words);
  return button;
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
