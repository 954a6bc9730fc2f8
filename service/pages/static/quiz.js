// Questions about what has been read: which of these happens in it? The right choice opens its place.

import { get } from "./api.js";
import { button, chapterName, fill, h, lengthOf } from "./dom.js";
import { gate, gated, gateForm } from "./gate.js";
import { crumbs, links, load, place, show, trouble } from "./shell.js";
import { set } from "./text.js";
import { choosing, offerModels } from "./writing.js";

const { book } = place();
const NONE = "None of these";
const TOO_SHORT = "This book is too short, or has too few scenes, for a quiz.";
const TOO_EARLY = "Too little has happened so far to ask about.";
let language = null;
const asked = h("div", { class: "output", "aria-live": "polite" });
const score = h("p", { class: "lead", role: "status" });

const given = new URLSearchParams(location.search);
/** The chapter at the end of which the quiz was opened, unless less has been read; 0 if it is about all that has. */
const chapter = Number(given.get("chapter"));
const ended = () => (gate(book) && Number(gate(book)) < chapter ? 0 : chapter);
const upto = () => (ended() ? { upto: `ch:${ended()}` } : gated(book));

const opened = (citation, words) => h("a", { href: links.reader(book, citation.span) }, words);

function question({ chapter: about, title, choices, answer, load_words, place: at }, n, answered) {
  const where = about ? (title ? `“${chapterName(about, title)}”` : `chapter ${about}`) : "what you have read";
  const told = h("p", { class: "verdict", role: "status", tabindex: "-1" });
  const mark = (row, kind, sign) => {
    row.classList.add(kind);
    row.prepend(sign);
  };
  const pick = (chosen) => {
    const right = chosen === answer;
    for (const row of rows) row.disabled = true;
    if (!right) mark(rows[chosen], "wrong", "✗ ");
    mark(rows[answer], "right", "✓ ");
    const found = at
      ? ["It is in ", opened(at, `chapter ${at.chapter}`), `, ${lengthOf(load_words, language)} ago.`]
      : [`None of them is in ${where}.`];
    fill(told, right ? "Right. " : "No. ", ...found);
    told.focus(); // the button that had it is disabled
    answered(right);
  };
  // Not radio buttons: the arrow keys would answer on the way to the third.
  const rows = [...choices.map((choice) => choice.text), NONE].map((text, value) =>
    button(set(text), () => pick(value)),
  );
  return h(
    "fieldset",
    { class: "quiz" },
    h("legend", {}, `${n}. Which of these happens in ${where}?`),
    h("ol", {}, rows.map((row) => h("li", {}, row))),
    told,
  );
}

function correction({ given, right, places }, n) {
  const id = `correction-${n}`;
  const shown = h("div", { role: "status" });
  const reveal = (event) => {
    event.preventDefault();
    fill(
      shown,
      h("h4", {}, "In the book"),
      h("p", {}, set(right)),
      h(
        "p",
        { class: "small" },
        "Open: ",
        places.map((at, k) => [k ? ", " : "", opened(at, `chapter ${at.chapter}`)]),
      ),
    );
  };
  return h(
    "form",
    { class: "quiz", onsubmit: reveal },
    h("h3", {}, `${n}. Something is wrong here`),
    h("p", {}, set(given)),
    h("label", { for: id }, "What really happened?"),
    h("textarea", { id, rows: 3 }),
    h("div", { class: "row" }, h("button", {}, "Compare with the book")),
    shown,
  );
}

/** The answers, which only a printed quiz shows, on a page of their own. */
function answers(questions, corrections) {
  const all = [
    ...questions.map(({ choices, answer, place: at }) => [set(choices[answer]?.text ?? NONE), at ? [at] : []]),
    ...corrections.map(({ right, places }) => [set(right), places]),
  ];
  const where = (places) => places.length > 0 && ` (chapter ${places.map((at) => at.chapter).join(", ")})`;
  return h(
    "section",
    { class: "answers" },
    h("h2", {}, "Answers"),
    h("ol", {}, all.map(([text, places]) => h("li", {}, text, where(places)))),
  );
}

let turn = 0;

/** The address of the page gets what makes this quiz, so that whoever opens it is asked the same. */
function address(quiz) {
  const link = new URL(location.href);
  for (const [name, value] of Object.entries(quiz))
    value === "" ? link.searchParams.delete(name) : link.searchParams.set(name, value);
  history.replaceState(null, "", link);
}

/** Ask anew. What was asked for before is not shown any more, even if it comes later. */
async function start(event) {
  event?.preventDefault();
  const mine = ++turn;
  const wished = Object.fromEntries(new FormData(form));
  const { kind, load, generator } = wished;
  const seed = (mine === 1 && given.get("seed")) || Math.floor(Math.random() * 2 ** 31);
  address({ ...wished, seed });
  fill(score);
  asked.setAttribute("aria-busy", "true");
  try {
    const [path, wanted] = kind === "choices" ? ["quiz", { load }] : ["quiz/corrections", { level: kind, generator }];
    const { questions, corrections } = await get(`/books/${book}/${path}`, { ...upto(), seed, ...wanted });
    if (mine !== turn) return;
    let right = 0;
    let done = 0;
    const answered = (good) => {
      right += good ? 1 : 0;
      done += 1;
      fill(score, `${right} of ${done} right`);
    };
    fill(
      asked,
      questions.map((q, at) => question(q, at + 1, answered)),
      corrections.map((c, at) => correction(c, at + 1)),
      questions.length + corrections.length
        ? answers(questions, corrections)
        : h("p", {}, upto().upto ? TOO_EARLY : TOO_SHORT),
    );
  } catch (error) {
    if (mine === turn) fill(asked, trouble(error));
  } finally {
    if (mine === turn) asked.removeAttribute("aria-busy");
  }
}

const KINDS = {
  choices: "What happened?",
  scene: "Correct a scene",
  chapter: "Correct a chapter",
  book: "Correct the story so far",
};

const LOADS = {
  "": "Everything so far",
  near: "What I read last",
  far: "What I read long ago",
};

const part = (...list) => h("span", { class: "row" }, choosing.list(...list));
const loads = part("load", "About", LOADS);
const tellers = part("generator", "Told by", { "": "The book" });
let models = false;

const form = h(
  "form",
  { class: "row", onsubmit: start, onchange: fit },
  choosing.list("kind", "Ask me", KINDS),
  loads,
  tellers,
  h("button", {}, "New questions"),
  h(
    "span",
    {},
    h("input", { type: "checkbox", id: "print", onchange: (e) => asked.classList.toggle("printed", e.target.checked) }),
    h("label", { for: "print" }, " Print the answers, too"),
  ),
);

/** Choose what the link says. */
function restore() {
  for (const [name, value] of given) {
    const field = form.elements[name];
    if ([...(field?.options ?? [])].some((option) => option.value === value)) field.value = value;
  }
}

/** Show the fields that matter for the kind of question. */
function fit() {
  const choices = form.elements.kind.value === "choices";
  loads.hidden = !choices;
  tellers.hidden = choices || !models;
}

show(async () => {
  const [about, found] = await load(book, "Quiz");
  language = about.language;
  models = await offerModels(form.elements.generator).catch(() => false);
  restore();
  fit();
  start();
  return [
    crumbs(about),
    h("h1", {}, "What do you remember?"),
    ended() > 0 && h("p", { class: "lead" }, `Up to the end of chapter ${ended()}`),
    gateForm(book, found.chapters, "this quiz"),
    form,
    score,
    asked,
  ];
});
