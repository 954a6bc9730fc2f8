// The page of the story: a recap up to where one has read, a summary, and what happens chapter by chapter.

import { get } from "./api.js";
import { chapterName, h, quiet, titled } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { Ordered } from "./ordered.js";
import { crumbs, links, load, place, show } from "./shell.js";
import { set } from "./text.js";
import { choosing, Writing } from "./writing.js";

const { book } = place();
const whole = new Writing(book);
const ordered = new Ordered(book, whole);

const KINDS = { recap: "Recap: the story so far", summary: "Summary" };
const STRATEGIES = {
  "": "Default",
  hierarchical: "Parts, then merged",
  incremental: "Part after part",
  ranked: "Parts, the surest kept",
};

function form() {
  const ask = (event) => {
    event.preventDefault();
    const { kind, ...wanted } = Object.fromEntries(new FormData(event.target));
    const params = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value));
    const how = event.submitter?.name === "background" ? ordered.order.bind(ordered) : whole.ask.bind(whole);
    how(`/books/${book}/${kind}`, { ...params, ...gated(book) });
  };
  return h(
    "form",
    { class: "row", onsubmit: ask },
    choosing.list("kind", "Tell me", KINDS),
    h("button", {}, "Tell"),
    h(
      "details",
      {},
      h("summary", {}, "Options"),
      h(
        "div",
        { class: "row" },
        choosing.engine(),
        choosing.list("strategy", "A language model reads", STRATEGIES),
        choosing.language(),
        choosing.length(),
      ),
      h(
        "p",
        { class: "writes" },
        h("button", { class: "quiet", name: "background" }, "Write it in the background"),
        h("span", { class: "soft small" }, " It goes on when you leave this page. For a slow language model."),
      ),
    ),
  );
}

/** The main event of a chapter, or of a part of a long one. Its first has a button that shows more below. */
function event({ chapter, title, percent, text, citation, people }, at, all) {
  const writing = new Writing(book);
  const far = percent === null ? "" : `, ${percent}% into the book`;
  const ask = () => writing.ask(`/books/${book}/chapters/${chapter}/summary`, gated(book));
  const more = quiet("Summary", ask);
  return h(
    "li",
    {},
    h("h3", {}, h("a", { href: links.reader(book, citation.span) }, chapterName(chapter, title), far)),
    h("p", {}, set(text), " ", all[at - 1]?.chapter !== chapter && more),
    people.length > 0 &&
      h(
        "p",
        { class: "soft small" },
        people.map((p, at) => [at ? ", " : "", h("a", { href: links.person(book, p.id) }, p.name)]),
      ),
    writing.out,
  );
}

show(async () => {
  const timeline = get(`/books/${book}/timeline`, gated(book));
  const [about, { chapters }, { items }, jobs] = await load(book, "Story", timeline, ordered.recall());
  return [
    crumbs(about),
    h("h1", {}, "Story"),
    gateForm(book, chapters),
    form(),
    jobs,
    whole.out,
    titled(
      "timeline",
      "Chapter by chapter",
      items.length
        ? h("ol", { class: "timeline" }, items.map(event))
        : h("p", {}, "Nothing is told in the chapters you have read."),
    ),
  ];
});
