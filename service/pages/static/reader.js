// The reader: the text of the book, who a name refers to and who speaks, and links that highlight a passage.

import { get, send } from "./api.js";
import { linking, placed } from "./chosen.js";
import { correctHere } from "./correct-here.js";
import { report } from "./correct-log.js";
import { button, chapterName, enter, fill, h, plural, quiet } from "./dom.js";
import { gate, gated, gateForm, keep, leave, left, read, unset } from "./gate.js";
import { asking } from "./preview.js";
import { crumbs, links, load, place, show, titleOf, trouble } from "./shell.js";
import { cut, emphases, hue, points } from "./text.js";
import { Writing } from "./writing.js";

const { book } = place();
const STOP = "[tabindex='0']"; // of all names, pronouns and quotes, Tab stops at one: arrow keys go to the others
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const page = h("article", { class: "page", onkeydown: step });
const HINT = matchMedia("(hover: none)").matches
  ? "Tap a name, pronoun or quote to see who it refers to."
  : "Hover over a name, pronoun or quote, or go there with Tab and the arrow keys, to see who it refers to. Click or press Enter to keep it here.";
const back = ({ key }) => key === "Escape" && page.querySelector(STOP)?.focus();
const aside = h("div", { class: "soft", tabindex: "-1", "aria-live": "polite", onkeydown: back }, HINT);
const bar = h(
  "div",
  { class: "who row" },
  aside,
  linking(page, (passage) => links.reader(book, passage)),
);
const beyond = h("div", { role: "status" });
const story = h("div"); // the story so far, or the summary of the chapter that is shown
let telling = new Writing(book);
let cast = new Map();
let chapters = [];
let language = ""; // of the book
let ahead; // the first chapter that has not been read, if there is one
let leafSpan = null; // of the chapter that is shown
let shown = []; // its paragraphs
let opened = ""; // what the address said then
let lit = null;
let whom = null;
let pinned = false; // what was clicked stays shown while the pointer moves over other words
let latest = null; // the chapter asked for last: an earlier one that arrives after it is not shown
const REST_MS = 200;

const wanted = () => {
  const match = /at=(\d+)-(\d+)/.exec(location.hash);
  return match ? { start: Number(match[1]), end: Number(match[2]) } : null;
};

function boundaries(paragraph, stressed) {
  const edges = new Set([paragraph.span.start, paragraph.span.end]);
  const add = ({ start, end }) =>
    [start, end].forEach((at) => at > paragraph.span.start && at < paragraph.span.end && edges.add(at));
  [paragraph.mentions, paragraph.unlisted, paragraph.things].flat().forEach((m) => add(m.span));
  paragraph.quotes.forEach((q) => add(q.span));
  if (lit) add(lit);
  stressed.forEach(({ start, end }) =>
    [
      { start, end: start + 1 },
      { start: end, end: end + 1 },
    ].forEach(add),
  );
  return [...edges].sort((a, b) => a - b);
}

const covers = (span, start, end) => span.start <= start && end <= span.end;
const shortest = (mentions, start, end) =>
  mentions.filter((m) => covers(m.span, start, end)).sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0];

function piece(paragraph, text, stressed, start, end) {
  const stress = stressed.find((s) => s.start <= start && end <= s.end + 1);
  if (stress && (start === stress.start || start === stress.end)) return ""; // the underscore itself
  const said = placed(cut(text, start - paragraph.span.start, end - paragraph.span.start), start);
  const words = stress ? h("em", {}, said) : said;
  const mention = shortest(paragraph.mentions, start, end);
  const other = mention ? null : shortest([...paragraph.unlisted, ...paragraph.things], start, end);
  const quote = paragraph.quotes.find((q) => covers(q.span, start, end));
  const marked = lit && lit.end > lit.start && covers(lit, start, end);
  const classes = [mention && "mention", other && "unlisted", mention && mention.character === whom && "mine", quote && "quote"]
    .filter(Boolean)
    .join(" ");
  if (!classes && !marked) return words;
  const person = cast.get(mention?.character);
  const named = (who) => h("a", { href: links.person(book, who.id) }, who.name);
  const change = (label, onclick) => quiet(label, onclick, null, "quiet writes");
  const told = () => {
    const speaks = cast.get(quote?.speaker);
    fill(
      aside,
      person ? ["This is ", named(person), ". "] : "",
      paragraph.things.includes(other) ? "Taken for a place or a thing. " : other ? "Somebody who is not listed. " : "",
      mention || other ? [change("Change", () => correct(paragraph, { mention: mention ?? other })), " "] : "",
      quote
        ? [
            speaks ? ["Said by ", named(speaks)] : "Unknown speaker",
            ". ",
            change("Change speaker", () => correct(paragraph, { quote })),
          ]
        : "",
    );
  };
  const keep = (event) => {
    event.stopPropagation();
    pinned = true;
    told();
  };
  return h(
    marked ? "mark" : "span",
    {
      class: classes,
      "--hue": person ? hue(person.rank) : null,
      title: person?.name,
      tabindex: classes ? "-1" : null,
      onmouseenter: () => pinned || told(),
      onfocus: () => pinned || told(),
      onclick: keep,
    },
    words,
  );
}

function step(event) {
  const stop = event.target;
  if (stop === page || !stop.matches("[tabindex]")) return;
  if (event.key === "Enter") {
    stop.click();
    aside.querySelector("button, a")?.focus();
  }
  const stops = [...page.querySelectorAll("[tabindex]")];
  const next = STEPS[event.key] && stops[stops.indexOf(stop) + STEPS[event.key]];
  if (!next) return;
  event.preventDefault();
  pinned = false;
  page.querySelector(STOP).tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

const correct = (paragraph, about) =>
  correctHere(book, paragraph, { cast, chapter: leafSpan, ...about, done: corrected });

/** Reloads the page at the same scroll position, says what was saved, offers an undo, and asks about the same name in other places. */
async function corrected(made, about) {
  const { kind, number } = made;
  const top = scrollY;
  const before = cast;
  await meet();
  const { items } = await get(`/books/${book}/decisions`);
  const name = (id) => (cast.get(id) ?? before.get(id))?.name; // as known so far: the log has names of the whole book
  const known = items.map((d) => ({ ...d, character_name: name(d.character), other_name: name(d.other) }));
  const found = await open(Number(document.querySelector("#chapter").value), () => scrollTo({ top, behavior: "instant" }));
  pinned = true;
  fill(aside, report(book, known, made));
  aside.focus({ preventScroll: true });
  if (kind === "undo") return aside;
  const back = asking(book, {
    label: "Undo …",
    words: "Undo",
    decision: () => ({ kind: "undo", undoes: number }),
    params: gated(book),
    done: corrected,
  });
  aside.append(" ", back.button, back.panel);
  if (found && about && about.mention.kind !== "PRON" && !made.aliases.length) await askElsewhere(made, about, found);
  return aside;
}

/** The same name may be wrong in other places, too. */
async function askElsewhere(made, { mention, words }, found) {
  const now = found.paragraphs.flatMap((p) => p.mentions).find((m) => same(m.span, mention.span));
  const decision = { kind: "mention", other: made.other, character: now?.character ?? null, aliases: [words], pronouns: made.pronouns };
  const ahead = await send("POST", `/books/${book}/decisions/preview`, decision, gated(book)).catch(() => null);
  if (!ahead?.mentions) return;
  const meant = cast.get(made.other)?.name ?? "nobody in the list";
  const others = asking(book, {
    label: "Correct these too …",
    words: "Save",
    decision: () => decision,
    params: gated(book),
    done: corrected,
  });
  const times = plural(ahead.mentions, "mention");
  aside.append(" ", h("span", {}, `“${words}” refers to ${meant} in other places (${times} would change). `), others.button, others.panel);
}

const same = (one, other) => one.start === other.start && one.end === other.end;

async function meet() {
  const { items } = await get(`/books/${book}/characters`, gated(book));
  cast = new Map(items.map((c, rank) => [c.id, { ...c, rank }]));
  return items;
}

function leaf(found) {
  return found.paragraphs.map((paragraph) => {
    const text = points(paragraph.text);
    const stressed = emphases(text).map(({ start, end }) => ({
      start: start + paragraph.span.start,
      end: end + paragraph.span.start,
    }));
    const at = boundaries(paragraph, stressed);
    const pieces = at.slice(0, -1).map((start, n) => piece(paragraph, text, stressed, start, at[n + 1]));
    const anchor = h(
      "a",
      { class: "anchor", href: links.reader(book, paragraph.span), "aria-label": "Link to this paragraph" },
      "¶",
    );
    const wrong = button("Correct", () => correct(paragraph), {
      class: "anchor link writes",
      "aria-label": "Correct this paragraph",
    });
    const { kind, index } = paragraph;
    const verse = kind === "verse" && "verse"; // its lines are the author's
    return h(kind === "heading" ? "h2" : "p", { id: `p${index}`, class: verse, lang: language }, pieces, anchor, wrong);
  });
}

/** Moves the place of a reader to the next chapter, and opens it. */
const readOn = () =>
  button(`Read on: chapter ${ahead.number} →`, () => {
    keep(book, ahead);
    history.pushState(null, "", links.reader(book, { start: ahead.start, end: ahead.start }));
    location.reload();
  });

async function open(number, then = reveal) {
  const asked = (latest = { number });
  const inside = () => page.contains(document.activeElement); // then the link that has the focus goes
  page.setAttribute("aria-busy", "true");
  try {
    const found = await get(`/books/${book}/chapters/${number}`, gated(book));
    if (asked !== latest) return found;
    leafSpan = found.span;
    shown = found.paragraphs;
    const turn = (to, words) =>
      chapters[to - 1] &&
      h(
        "a",
        { class: "button", href: links.reader(book, { start: chapters[to - 1].start, end: chapters[to - 1].start }) },
        words,
      );
    telling.asked.abort();
    telling = new Writing(book);
    fill(story, telling.out);
    const tell = (words, path, params) => quiet(words, () => telling.ask(`/books/${book}/${path}`, params));
    const held = inside();
    page.setAttribute("aria-label", chapterName(number, chapters[number - 1]?.title));
    fill(
      page,
      leaf(found),
      h(
        "nav",
        { class: "row", "aria-label": "Chapters" },
        turn(number - 1, "← Previous"),
        turn(number + 1, "Next →"),
        number === chapters.length && ahead && readOn(),
        h("a", { class: "button", href: links.quiz(book, number) }, "Quiz"),
        number > 1 && tell("Story so far", "recap", { upto: `ch:${number - 1}` }),
        tell("Summary of this chapter", `chapters/${number}/summary`, gated(book)),
      ),
    );
    page.querySelector("[tabindex]")?.setAttribute("tabindex", "0");
    document.querySelector("#chapter").value = number;
    if (held) enter(page, { preventScroll: true });
    then(found);
    rest();
    return found;
  } catch (error) {
    if (asked !== latest) return null;
    shown = [];
    const again = button("Try again", () => open(number, then));
    const held = inside();
    fill(page, trouble(error), h("p", {}, again));
    if (held) again.focus();
  } finally {
    if (asked === latest) page.removeAttribute("aria-busy");
  }
}

const boxOf = ({ index }) => page.querySelector(`#p${index}`).getBoundingClientRect();

/** The place in the text at the top of the window, below the bar. */
function here() {
  const top = bar.getBoundingClientRect().bottom;
  const first = shown.find((p) => boxOf(p).bottom > top);
  if (!first) return null;
  const { top: from, height } = boxOf(first);
  const share = Math.max(0, (top - from) / height);
  return Math.floor(first.span.start + share * (first.span.end - first.span.start));
}

/**
 * Keeps the place: with the entry of the history, for when the page is loaded again or gone back to, and for
 * the next time that the book is opened, unless a passage was only looked up, and not read on from. A place that is
 * not shown because it is beyond what was read stays the one that is kept.
 */
function keepPlace() {
  const away = page.hasAttribute("aria-busy") || location.hash !== opened || beyond.hasChildNodes();
  const at = away ? null : here();
  if (at === null) return;
  history.replaceState({ at }, "");
  const sought = /&who=/.test(location.hash) || lit?.end > lit?.start;
  if (!sought || at > lit?.end) leave(book, at);
}

let resting;
/** Keeps the place once the page stands still. */
function rest() {
  clearTimeout(resting);
  resting = setTimeout(keepPlace, REST_MS);
}

/** Scrolls to a place that was kept. */
function restore(at) {
  const paragraph = shown.find((p) => p.span.end > at) ?? shown.at(-1);
  const { top, height } = boxOf(paragraph);
  const { start, end } = paragraph.span;
  const down = top + (height * (at - start)) / (end - start) - bar.offsetHeight;
  scrollTo({ top: scrollY + down, behavior: "instant" });
}

function reveal(found) {
  const at =
    page.querySelector("mark") ??
    (lit && page.querySelector(`#p${found.paragraphs.find((p) => p.span.end > lit.start)?.index}`));
  (at ?? document.body).scrollIntoView({ block: at ? "center" : "start" });
}

function light(id) {
  whom = id || null;
  page.classList.toggle("one", Boolean(whom));
  document.querySelector("#whom").value = whom ?? "";
}

function go() {
  if (unset(book)) return fill(page, ahead && readOn());
  lit = wanted();
  const who = /&who=([^&]+)/.exec(location.hash);
  if (who && cast.has(decodeURIComponent(who[1]))) light(decodeURIComponent(who[1]));
  const kept = history.state?.at ?? (lit ? null : Number(left(book)));
  const start = kept ?? lit.start;
  const at = chapters.find((c) => start < c.end);
  // The address names the chapter, for whoever copies it.
  if (at && !lit) history.replaceState({ at: kept }, "", links.reader(book, { start: at.start, end: at.start }));
  opened = location.hash;
  const why = gate(book)
    ? "That place is beyond what you have read. The last chapter you have read is shown."
    : "That place is beyond the end of the book. The last chapter is shown.";
  fill(beyond, !at && h("p", { class: "warning" }, why));
  const back = at && kept > at.start && (() => restore(kept));
  return open((at ?? chapters.at(-1)).number, back || reveal);
}

show(async () => {
  const [about, found, items] = await load(book, null, meet());
  chapters = read(book, found.chapters);
  ahead = found.chapters[chapters.length];
  language = found.language;
  const choose = h(
    "select",
    {
      id: "chapter",
      onchange: (e) => {
        location.hash = `at=${chapters[e.target.value - 1].start}-${chapters[e.target.value - 1].start}`;
      },
    },
    chapters.map((c) => h("option", { value: c.number }, chapterName(c.number, c.title))),
  );
  const people = h(
    "select",
    {
      id: "whom",
      onchange: (e) => {
        const hash = location.hash.replace(/&who=[^&]*/, "");
        history.replaceState(history.state, "", hash || location.pathname); // replaces the one in the link
        light(e.target.value);
        go();
      },
    },
    h("option", { value: "" }, "None"),
    items.map((c) => h("option", { value: c.id }, c.name)),
  );
  const everyone = h("input", {
    type: "checkbox",
    id: "everyone",
    onchange: (e) => page.classList.toggle("all", e.target.checked),
  });
  history.scrollRestoration = "manual"; // the chapter comes later than the page
  addEventListener("scroll", rest);
  addEventListener("hashchange", go);
  page.addEventListener("click", () => {
    pinned = false;
  });
  setTimeout(go);
  return [
    crumbs(about),
    h("h1", { class: "skip" }, titleOf(about)),
    gateForm(book, found.chapters),
    h(
      "div",
      { class: "row tools" },
      h("label", { for: "chapter" }, "Chapter"),
      choose,
      h("label", { for: "whom" }, "Highlight"),
      people,
      h("span", {}, everyone, h("label", { for: "everyone" }, " All")),
    ),
    bar,
    beyond,
    page,
    story,
  ];
});
