// In the reader: correct who is meant and who speaks in a paragraph, or start a chapter with it.

import { fill, h, quiet } from "./dom.js";
import { gated } from "./gate.js";
import { deciding } from "./preview.js";
import { links } from "./shell.js";
import { cut, points } from "./text.js";

const LONG = 160;
const AROUND = 20;
const NEW = "+";
const WHERE = {
  here: () => "Only here",
  chapter: (name) => `“${name}” in this chapter`,
  book: (name) => `“${name}” in the whole book`,
};

/**
 * A dialog about a paragraph of the chapter at `chapter`; with `mention` or `quote` only about that. `done` receives
 * the decision and the mention it is about.
 */
export function correctHere(book, paragraph, { cast, chapter, mention, quote, done }) {
  const heading = h("h2", { id: "here" }, "Correct this paragraph");
  const close = quiet("Close", () => dialog.close());
  const ended = async (made, about) => {
    dialog.close();
    await done(made, about);
  };
  const { mentions: listed, unlisted, things } = paragraph;
  const mentions = [...listed, ...unlisted, ...things].sort((one, other) => one.span.start - other.span.start);
  const dialog = h(
    "dialog",
    { class: "here", "aria-labelledby": "here", onclose: () => dialog.remove() },
    h("div", { class: "row head" }, heading, close),
    mentions.length > 0 && !quote && meant(book, paragraph, { cast, chapter, mentions, mention, done: ended }),
    paragraph.quotes.length > 0 && !mention && speakers(book, paragraph, { cast, quote, done: ended }),
    h("p", {}, h("a", { href: `${links.corrections(book)}#chapter=${paragraph.span.start}` }, "Start a chapter here")),
  );
  document.body.append(dialog);
  dialog.showModal();
}

const wordsOf = (paragraph, { start, end }) =>
  cut(points(paragraph.text), Math.max(0, start - paragraph.span.start), end - paragraph.span.start);

/** Who a name, a pronoun or another mention refers to. */
function meant(book, paragraph, { cast, chapter, mentions, mention, done }) {
  const words = (m) => short(wordsOf(paragraph, m.span));
  const twice = (m) => mentions.filter((other) => words(other) === words(m)).length > 1;
  const around = ({ span: { start, end } }) =>
    ` in “… ${wordsOf(paragraph, { start: start - AROUND, end: end + AROUND }).trim().replace(/\s+/g, " ")} …”`;
  const label = (m) =>
    `“${words(m)}”${twice(m) ? around(m) : ""}: ${cast.get(m.character)?.name ?? "not listed"}`;
  const which = h(
    "select",
    { id: "mention", onchange: () => chosen() },
    mentions.map((m, at) => h("option", { value: at, selected: m === mention }, label(m))),
  );
  const who = h(
    "select",
    { id: "meant", onchange: () => named() },
    h("option", { value: "" }, "Nobody in the list"),
    h("option", { value: NEW }, "Somebody new …"),
    [...cast.values()].map((c) => h("option", { value: c.id }, c.name)),
  );
  const name = h("input", { id: "meant-new", maxlength: 200, autocomplete: "off" });
  const naming = h("div", { class: "row" }, h("label", { for: "meant-new" }, "Name"), name);
  const where = h("fieldset", { class: "choices" });
  const along = h("input", { type: "checkbox", id: "along" });
  const following = h("label", { class: "choice", for: "along" }, along, " Also the pronouns and quotes that go with it");
  const about = () => mentions[which.value];
  function named() {
    naming.hidden = who.value !== NEW;
    if (!naming.hidden && !name.value && about().kind !== "PRON") name.value = words(about());
  }
  function chosen() {
    const m = about();
    who.value = m.character ?? "";
    along.checked = m.kind === "PROP" && Boolean(m.character);
    following.hidden = !m.character;
    where.hidden = m.kind === "PRON";
    const one = ([key, told]) =>
      h(
        "label",
        { class: "choice" },
        h("input", { type: "radio", name: "where", value: key, checked: key === "here" }),
        ` ${told(words(m))}`,
      );
    fill(where, h("legend", {}, "Where?"), Object.entries(WHERE).map(one));
    name.value = "";
    named();
  }
  const decision = () => {
    const m = about();
    if (who.value === (m.character ?? "")) return null;
    if (who.value === NEW && !name.value.trim()) return null;
    const place = where.querySelector("input:checked").value;
    return {
      kind: "mention",
      other: m.character ?? null,
      character: who.value === NEW ? null : who.value || null,
      name: who.value === NEW ? name.value : null,
      aliases: place === "here" ? [] : [wordsOf(paragraph, m.span)],
      spans: { here: [m.span], chapter: [chapter], book: [] }[place],
      pronouns: along.checked,
    };
  };
  chosen();
  const made = deciding(book, {
    words: "Save who is meant",
    decision,
    params: gated(book),
    hint: "Choose who is meant.",
    done: (saved) => done(saved, { mention: about(), words: wordsOf(paragraph, about().span) }),
  });
  return h(
    "form",
    {
      class: "correct",
      "aria-label": "Who is meant",
      oninput: () => made.preview.soon(),
      onsubmit: (event) => event.preventDefault(),
    },
    h("div", { class: "row" }, h("label", { for: "mention" }, "Words"), which),
    h("div", { class: "row" }, h("label", { for: "meant" }, "Refers to"), who),
    naming,
    where,
    following,
    made.parts,
  );
}

function speakers(book, paragraph, { cast, quote, done }) {
  const first = quote ?? paragraph.quotes[0];
  const words = (span) => short(wordsOf(paragraph, span));
  const name = (id) => cast.get(id)?.name ?? "unknown";
  const box = (q) =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "checkbox",
        checked: q === first || q.speaker === first.speaker,
        value: paragraph.quotes.indexOf(q),
      }),
      " ",
      h("q", {}, words(q.span)),
      h("span", { class: "soft small" }, ` current speaker: ${name(q.speaker)}`),
    );
  const boxes = h("fieldset", { class: "choices" }, h("legend", {}, "Which quotes?"), paragraph.quotes.map(box));
  const who = h(
    "select",
    { id: "speaker" },
    h("option", { value: "", selected: first.speaker === null }, "Unknown"),
    [...cast.values()].map((c) => h("option", { value: c.id, selected: c.id === first.speaker }, c.name)),
  );
  const chosen = () => [...boxes.querySelectorAll("input:checked")].map((one) => paragraph.quotes[one.value]);
  const decision = () => {
    const wrong = chosen().filter((q) => (q.speaker ?? "") !== who.value);
    return wrong.length > 0 && { kind: "speaker", character: who.value || null, spans: wrong.map((q) => q.span) };
  };
  const made = deciding(book, { words: "Save who speaks", decision, params: gated(book), hint: "Choose a speaker.", done });
  return h(
    "form",
    {
      class: "correct",
      "aria-label": "Who speaks",
      oninput: () => made.preview.soon(),
      onsubmit: (event) => event.preventDefault(),
    },
    boxes,
    h("div", { class: "row" }, h("label", { for: "speaker" }, "Speaker"), who),
    made.parts,
  );
}

const short = (text) => (text.length > LONG ? `${text.slice(0, LONG)} …` : text);
