// Search in a book as far as it has been read: places with the words, what is near in meaning, or a plain no.

import { get } from "./api.js";
import { chapterName, fill, h, number, plural } from "./dom.js";
import { excerpt } from "./excerpt.js";
import { gate, gated, gateForm, read } from "./gate.js";
import { crumbs, links, load, nextPage, place, show, trouble } from "./shell.js";
import { ruler } from "./strip.js";

const { book } = place();
const PAGE = 20;
const found = h("div", { class: "results", "aria-live": "polite" });
let chapters = [];

const asked = () => new URLSearchParams(location.search).get("q")?.trim() ?? "";

const item = (find) =>
  h(
    "li",
    {},
    h("a", { href: links.reader(book, find.marks[0] ?? find.span) }, `Chapter ${find.chapter}`),
    h("blockquote", {}, excerpt(find)),
  );

/** How often it is found in each chapter; a chapter narrows the search to it. */
function counts(q, { by_chapter: each }) {
  const most = Math.max(1, ...each);
  const within = (n) => links.search(book, `${q.replace(/\s*\bchapter:\S+/gi, "")} chapter:${n}`.trim());
  const cells = each.map((count, at) => {
    const said = `${chapterName(at + 1, chapters[at]?.title)}: ${plural(count, "place")}`;
    return h("a", {
      "--heat": count ? (0.15 + 0.85 * Math.sqrt(count / most)).toFixed(3) : "0",
      href: within(at + 1),
      tabindex: count ? "0" : "-1",
      title: said,
      "aria-label": said,
    });
  });
  return h(
    "div",
    { class: "ruled" },
    h("div", { class: "strip", role: "group", "aria-label": "Places by chapter" }, cells),
    ruler(each.length),
  );
}

/** A word of the search alone; one that is spelt like it takes its place in the line. */
const alone = ({ word, passages, similar }) =>
  h(
    "li",
    {},
    h("a", { href: links.search(book, word) }, word),
    `: ${passages ? plural(passages, "place") : "nowhere"}`,
    similar.length ? [". Did you mean ", similar.map((s, at) => [at ? ", " : "", h("a", { href: links.search(book, asked().replace(word, () => s)) }, s)]), "?"] : "",
  );

const nothing = ({ words }) => [
  h("p", { class: "lead" }, gate(book) ? "No place in what you have read has all of this." : "No place in the book has all of this."),
  words.length ? h("ul", {}, words.map(alone)) : "",
];

async function look(order) {
  const q = asked();
  fill(found);
  if (!q) return;
  document.querySelector("#words").value = q;
  found.setAttribute("aria-busy", "true");
  try {
    const part = (cursor) => get(`/books/${book}/search`, { q, order, limit: PAGE, cursor, ...gated(book) });
    const first = await part();
    const list = h("ol", { class: "found" }, first.items.map(item));
    const more = nextPage("Show more", first.next, async (cursor) => {
      const page = await part(cursor);
      const rows = page.items.map(item);
      list.append(...rows);
      return { rows, next: page.next };
    });
    fill(
      found,
      first.total
        ? [h("p", { class: "lead" }, `${number(first.total)} ${first.total === 1 ? "place" : "places"}`), counts(q, first), list]
        : nothing(first),
      more.parts,
      first.near.length > 0 && [h("h2", {}, "Near in meaning"), h("ol", { class: "found" }, first.near.map(item))],
      h("p", {}, h("a", { href: links.ask(book, q) }, "Ask it as a question")),
    );
  } catch (error) {
    fill(found, trouble(error, error.code?.startsWith("character_") && "Use a full name after by: or with:."));
  } finally {
    found.removeAttribute("aria-busy");
  }
}

function form() {
  const order = h(
    "select",
    { id: "order", onchange: () => look(order.value) },
    h("option", { value: "score" }, "Best first"),
    h("option", { value: "story" }, "In story order"),
  );
  const submit = (event) => {
    event.preventDefault();
    history.pushState(null, "", links.search(book, words.value.trim()));
    look(order.value);
  };
  const words = h("input", { id: "words", type: "search", required: true, maxlength: 500, value: asked(), autocomplete: "off" });
  addEventListener("popstate", () => look(order.value));
  return h(
    "form",
    { class: "question", role: "search", onsubmit: submit },
    h("label", { for: "words" }, "Words in the book"),
    h("div", { class: "row" }, words, h("button", {}, "Search"), h("label", { for: "order" }, "Order"), order),
    h(
      "details",
      {},
      h("summary", {}, "Help"),
      h(
        "dl",
        { class: "help" },
        Object.entries({
          "lantern rope": "places with both words",
          '"the red lamp"': "these words in this order",
          "by:Ann lantern": "what Ann says",
          "said:lantern": "what anybody says",
          'with:"Mrs. Dark" lantern': "scenes with Mrs. Dark",
          "chapter:3-5 lantern": "chapters 3 to 5",
        }).map(([line, means]) => [h("dt", {}, h("code", {}, line)), h("dd", {}, means)]),
      ),
    ),
  );
}

show(async () => {
  const [about, all] = await load(book, "Search");
  chapters = read(book, all.chapters);
  setTimeout(() => look("score"));
  return [crumbs(about, { asking: false }), h("h1", {}, "Search the book"), gateForm(book, all.chapters), form(), found];
});
