// What every page has: the parts of its address, the theme, the API key, and error messages.

import { get, key, Problem } from "./api.js";
import { arrive } from "./arrival.js";
import { button, coded, enter, fill, h, quiet, speak } from "./dom.js";

const THEME = "bookworm.theme";
const THEMES = { auto: "System theme", light: "Light theme", dark: "Dark theme" };

/** The parts of /library/{book}/people/{person}. */
export function place() {
  const [, , book, , person] = location.pathname.split("/").map(decodeURIComponent);
  return { book, person };
}

export const links = {
  library: () => "/",
  book: (book) => `/library/${encodeURIComponent(book)}`,
  person: (book, id) => `/library/${encodeURIComponent(book)}/people/${encodeURIComponent(id)}`,
  story: (book) => `/library/${encodeURIComponent(book)}/story`,
  ask: (book, question) =>
    `/library/${encodeURIComponent(book)}/ask${question ? `?q=${encodeURIComponent(question)}` : ""}`,
  search: (book, words) =>
    `/library/${encodeURIComponent(book)}/search${words ? `?q=${encodeURIComponent(words)}` : ""}`,
  quiz: (book, chapter) => `/library/${encodeURIComponent(book)}/quiz${chapter ? `?chapter=${chapter}` : ""}`,
  together: (book) => `/library/${encodeURIComponent(book)}/together`,
  corrections: (book) => `/library/${encodeURIComponent(book)}/corrections`,
  /** The reader with a passage highlighted; with `who`, all mentions of that person too. */
  reader: (book, span, who) =>
    `/library/${encodeURIComponent(book)}/read${span ? `#at=${span.start}-${span.end}${who ? `&who=${encodeURIComponent(who)}` : ""}` : ""}`,
};

export const titleOf = (about) => about.title ?? about.filename ?? "Untitled";

/** Links back to the library and, from a page of a book, to the book, with a field for questions about it. */
export function crumbs(about, { asking = true } = {}) {
  return h(
    "div",
    { class: "crumbs" },
    h("a", { href: links.library() }, "Library"),
    about ? [" / ", h("a", { href: links.book(about.id) }, titleOf(about))] : "",
    about && asking ? askForm(about.id) : "",
  );
}

/** A field that leads to the page of questions, or to that of searches. */
export function askForm(book) {
  const field = h("input", {
    name: "q",
    type: "search",
    maxlength: 500,
    autocomplete: "off",
    "aria-label": "Ask or search the book",
    placeholder: "Ask the book, or search it …",
  });
  const go = (event) => {
    event.preventDefault();
    const to = event.submitter?.value === "search" ? links.search : links.ask;
    location.assign(to(book, field.value.trim()));
  };
  return h(
    "form",
    { class: "ask-book row", role: "search", onsubmit: go },
    field,
    h("button", { value: "ask" }, "Ask"),
    h("button", { class: "quiet", value: "search" }, "Search"),
  );
}

/** Whether the reader's key may only read: the style sheet hides what has the class “writes”. */
export const reading = () => document.documentElement.classList.contains("reading");

async function know() {
  if (!key.get() || reading()) return;
  if ((await get("/scopes")).scopes.includes("write")) return;
  document.documentElement.classList.add("reading");
  document.querySelector("#tools").prepend(h("span", { class: "soft small" }, "Your API key may only read."));
}

/** Shows what `make` returns in the main part of the page, or the error; first asks a reader without a place for it. */
export async function show(make) {
  const main = document.querySelector("main");
  try {
    const { book } = place();
    const [{ about, question, said }] = await Promise.all([book ? arrive(book) : {}, know()]);
    fill(main, question ? [crumbs(about, { asking: false }), said, question] : [said, await make()]);
  } catch (error) {
    const { book } = place();
    fill(main, book && crumbs(), trouble(error));
  } finally {
    main.removeAttribute("aria-busy");
  }
}

/** The book and its chapters, with what else a page of the book, which is called `name`, loads at the same time. */
export async function load(book, name, ...others) {
  const [about, found, ...rest] = await Promise.all([get(`/books/${book}`), get(`/books/${book}/chapters`), ...others]);
  speak(found.language);
  document.title = `${name ? `${name} · ` : ""}${titleOf(about)} · Bookworm`;
  return [about, found, ...rest];
}

/** What to do where the remedy of the service is for programs. */
const REMEDIES = {
  book_unknown: "It may have been deleted. Choose another in the library.",
  key_missing: "Enter the API key that you were given.",
  rate_limited: "Wait a minute, then try again.",
  scope_missing: "Ask whoever gave you your API key to do this, or for a key that may.",
  character_unknown: "A correction may have merged or removed this person. Choose another in the list of people.",
  not_yet_met: "Choose a later chapter under “I have read up to” when you have read on.",
};

/**
 * A button that adds the next page of a list. `turn` is given the cursor, and returns the new rows and the next cursor,
 * if there is one. The focus moves along to the first of them. After a failure the button tries again.
 */
export function nextPage(words, cursor, turn) {
  const failed = h("div");
  let busy = false; // not disabled, so that it holds the focus while it waits
  const more = button(words, later, { class: "quiet", hidden: !cursor });
  async function next() {
    if (busy) return [];
    busy = true;
    fill(failed);
    try {
      const page = await turn(cursor);
      cursor = page.next;
      more.hidden = !cursor;
      return page.rows;
    } catch (error) {
      fill(failed, trouble(error));
      more.hidden = false;
      return [];
    } finally {
      busy = false;
    }
  }
  async function later() {
    const [first] = await next();
    (first?.hasAttribute("tabindex") ? first : first?.querySelector("a, button"))?.focus();
  }
  return { parts: [more, failed], next };
}

export function trouble(error, remedy) {
  if (!(error instanceof Problem)) {
    console.error(error);
    return h("p", { class: "trouble", role: "alert" }, "Something went wrong on this page. Reload it to try again.");
  }
  return h(
    "div",
    { class: "trouble", role: "alert" },
    h("p", {}, h("strong", {}, coded(error.message))),
    h("p", {}, coded(remedy || (REMEDIES[error.code] ?? error.remedy))),
    error.status === 401 && keyForm(),
  );
}

function keyForm() {
  const field = h("input", { type: "password", name: "key", autocomplete: "off", required: true, id: "key" });
  const keep = (event) => {
    event.preventDefault();
    key.set(field.value.trim());
    location.reload();
  };
  return h(
    "form",
    { class: "row", onsubmit: keep },
    h("label", { for: "key" }, "API key"),
    field,
    h("button", {}, "Sign in"),
  );
}

/** theme.js applies the choice before the page is painted. */
function theme() {
  const now = () => localStorage.getItem(THEME) ?? "auto";
  const turn = quiet(THEMES[now()], () => {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(now()) + 1) % names.length];
    localStorage.setItem(THEME, next);
    turn.textContent = THEMES[next];
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
  });
  return turn;
}

function signOut() {
  key.set(null);
  location.reload();
}

// Not by its address: that is the place in the reader.
document.querySelector("a.skip").addEventListener("click", (event) => {
  event.preventDefault();
  enter(document.querySelector("main"));
});
document.querySelector(`header nav a[href="${location.pathname}"]`)?.setAttribute("aria-current", "page");
document.querySelector("#tools")?.append(theme(), key.get() ? quiet("Sign out", signOut) : "");
