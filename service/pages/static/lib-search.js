// Searches the library: titles, authors, people and passages, as far as each book has been read.

import { text as written } from "./answer.js";
import { get, Problem } from "./api.js";
import { fill, h, number, plural } from "./dom.js";
import { excerpt } from "./excerpt.js";
import { follow, gate, gated } from "./gate.js";
import { links, titleOf, trouble } from "./shell.js";
import { events } from "./sse.js";

const BOOKS = 6;
const PEOPLE = 8;
const PASSAGES = 12;

export function searching() {
  const found = h("div", { class: "results" });
  const told = h("p", { class: "soft small", role: "status" });
  const words = h("input", {
    type: "search",
    id: "search",
    name: "q",
    maxlength: 200,
    placeholder: "Title, person or words, such as red scarf",
    value: asked(),
  });
  let turn = 0;
  let asking = new AbortController();
  const look = async () => {
    const q = words.value.trim();
    const mine = ++turn;
    asking.abort(); // no book is asked any more what is not shown
    asking = new AbortController();
    const { signal } = asking;
    const tell = (...parts) => mine === turn && fill(found, ...parts);
    history.replaceState(null, "", q ? `?q=${encodeURIComponent(q)}` : location.pathname);
    fill(told);
    if (!q) return tell();
    told.textContent = "Searching …";
    try {
      const passages = inside(q); // the first search after a start may take seconds, while the service opens its books
      passages.catch(() => {}); // told below, unless the names fail first
      const named = await byName(q);
      tell(names(named));
      const rest = await passages;
      const replies = h("div", { "aria-live": "polite" });
      tell(replies, names(named), texts(rest));
      if (/[\p{L}\p{N}].*[?？]$/u.test(q)) answers(replies, q, signal);
      if (mine === turn) told.textContent = summary(named, rest);
    } catch (error) {
      tell(trouble(error));
      fill(told);
    }
    return found;
  };
  words.addEventListener("input", () => words.value || look());
  if (asked()) look();
  return h(
    "section",
    { "aria-label": "Search" },
    h(
      "form",
      {
        class: "row",
        role: "search",
        onsubmit: (event) => {
          event.preventDefault();
          look();
        },
      },
      h("label", { for: "search" }, "Search the library"),
      words,
      h("button", {}, "Search"),
    ),
    told,
    found,
  );
}

const asked = () => new URLSearchParams(location.search).get("q") ?? "";

async function byName(q) {
  const [books, people] = await Promise.all([
    get("/books", { q, limit: BOOKS }),
    get("/characters", { q, limit: PEOPLE }),
  ]);
  return { books: books.items, people: await met(people.items, q) };
}

async function inside(q) {
  const { items, skipped } = await get("/search", { q, k: 3 * PASSAGES, per_book: 6 });
  await followAll(items.map((hit) => hit.book.id));
  const read = items.filter((hit) => !gate(hit.book.id) || hit.chapter <= Number(gate(hit.book.id)));
  const worded = (hit) => hit.sources.includes("bm25");
  const passages = read.filter(worded).slice(0, PASSAGES);
  const near = read.filter((hit) => !worded(hit)).slice(0, PASSAGES - passages.length);
  return { passages, near, beyond: read.length < items.length, skipped };
}

/** Keeps the places in these books, as somebody may have changed the chapters of any. */
const followAll = (books) => Promise.all([...new Set(books)].map(follow));

/** The library search covers whole books, so the people of a partly read book are requested again with its gate. */
async function met(people, q) {
  const books = [...new Set(people.map((one) => one.book.id))].filter(gate);
  await followAll(books);
  const casts = new Map(
    await Promise.all(books.map(async (book) => [book, (await get(`/books/${book}/characters`, gated(book))).items])),
  );
  const begins = (text) => ` ${text}`.toLowerCase().includes(` ${q.toLowerCase()}`);
  return people.flatMap((one) => {
    if (!casts.has(one.book.id)) return [one];
    const now = casts.get(one.book.id).find((c) => c.id === one.id && c.aliases.some((alias) => begins(alias.text)));
    return now ? [{ ...now, book: one.book, aliases: now.aliases.map((alias) => alias.text) }] : [];
  });
}

function summary({ books, people }, { passages, near, beyond, skipped }) {
  const found = [
    books.length && plural(books.length, "book"),
    people.length && plural(people.length, "person", "people"),
    passages.length && plural(passages.length, "passage"),
    near.length && `${number(near.length)} near in meaning`,
  ].filter(Boolean);
  const missed = skipped.length
    ? ` ${plural(skipped.length, "book")} could not be searched; ${titleOf(skipped[0].book)}: ${skipped[0].detail}`
    : "";
  return `${found.join(", ") || (beyond ? "No results in the chapters you have read" : "No results")}.${beyond ? " Results from chapters you have not read are hidden." : ""}${missed}`;
}

/** Asks all books a question, each as far as it has been read. */
async function answers(out, question, signal) {
  const waiting = h("p", { class: "quiet" }, "Asking your books …");
  fill(out, h("h2", {}, "Answers"), waiting);
  try {
    const { items } = await get("/books", { limit: 50 });
    await followAll(items.filter((book) => book.state === "ready").map((book) => book.id));
    const upto = Object.fromEntries(items.filter((book) => gate(book.id)).map((book) => [book.id, gated(book.id).upto]));
    const titles = new Map(items.map((book) => [book.id, titleOf(book)]));
    const asking = (book, title = titleOf(book)) => h("a", { href: links.ask(book.id, question) }, title);
    const shown = (answer) =>
      [
        h("h3", {}, asking({ id: answer.book }, titles.get(answer.book) ?? "A book")),
        written(answer.book, answer),
      ].flat(Infinity);
    let found;
    for await (const { event, data } of events("/questions", { params: { stream: true }, body: { question, upto }, signal })) {
      if (event === "error") throw new Problem(data.status ?? 500, data);
      if (event === "answer") found = data;
      if (event === "book") {
        waiting.before(...shown(data)); // what was opened in the answers above stays open
        waiting.textContent = "Asking the other books …";
      }
    }
    const told = [
      found.answers.length === 0 && found.silent.length > 0 && h("p", {}, "Your books, as far as you have read them, do not say."),
      found.skipped.map(({ book, detail }) => h("p", { class: "soft" }, "Not asked: ", asking(book), `. ${detail}`)),
      found.silent.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, `Books that do not say: ${number(found.silent.length)}`),
          h("ul", {}, found.silent.map((book) => h("li", {}, asking(book)))),
        ),
    ];
    waiting.replaceWith(...told.flat(Infinity).filter(Boolean));
  } catch (error) {
    if (!signal.aborted) waiting.replaceWith(trouble(error));
  }
}

const group = (title, items, list = "ul") =>
  items.length ? [h("h2", {}, title), h(list, { class: "found" }, items)] : "";

const names = ({ books, people }) => [
  group(
    "Books",
    books.map((book) =>
      h(
        "li",
        {},
        book.state === "ready" ? h("a", { href: links.book(book.id) }, titleOf(book)) : titleOf(book),
        h("span", { class: "soft" }, book.author ? ` · ${book.author}` : ""),
      ),
    ),
  ),
  group("People", people.map(person)),
];

const texts = ({ passages, near }) =>
  Object.entries({ Passages: passages, "Near in meaning": near }).map(([title, hits]) =>
    group(
      title,
      hits.map(passage),
      "ol",
    ),
  );

function person(found) {
  const others = found.aliases.filter((alias) => alias !== found.name).slice(0, 3);
  return h(
    "li",
    {},
    h("a", { href: links.person(found.book.id, found.id) }, found.name),
    h(
      "span",
      { class: "soft" },
      others.length ? ` (${others.join(", ")})` : "",
      ` · ${titleOf(found.book)} · ${plural(found.mention_count, "mention")}`,
    ),
  );
}

function passage(hit) {
  return h(
    "li",
    {},
    h("a", { href: links.reader(hit.book.id, hit.marks[0] ?? hit.span) }, `${titleOf(hit.book)}, chapter ${hit.chapter}`),
    h("blockquote", {}, excerpt(hit)),
  );
}
