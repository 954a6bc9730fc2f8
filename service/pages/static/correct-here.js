// In the reader: correct who speaks in a paragraph, or start a chapter with it.

import { h } from "./dom.js";
import { gated } from "./gate.js";
import { deciding } from "./preview.js";
import { links } from "./shell.js";
import { cut, points } from "./text.js";

const LONG = 160;

/** A dialog about a paragraph, with `quote` selected if given. `done` receives the decision. */
export function correctHere(book, paragraph, { cast, quote, done }) {
  const heading = h("h2", { id: "here" }, "Correct this paragraph");
  const close = h("button", { class: "quiet", type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = h(
    "dialog",
    { class: "here", "aria-labelledby": "here", onclose: () => dialog.remove() },
    h("div", { class: "row head" }, heading, close),
    paragraph.quotes.length > 0
      ? speakers(book, paragraph, {
          cast,
          quote,
          done: async (made) => {
            dialog.close();
            await done(made);
          },
        })
      : h("p", { class: "soft" }, "This paragraph has no quotes."),
    h("p", {}, h("a", { href: `${links.corrections(book)}#chapter=${paragraph.span.start}` }, "Start a chapter here")),
    h(
      "p",
      { class: "soft small" },
      "To correct who a name refers to, go to ",
      h("a", { href: links.corrections(book) }, "Corrections"),
      ".",
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function speakers(book, paragraph, { cast, quote, done }) {
  const first = quote ?? paragraph.quotes[0];
  const text = points(paragraph.text);
  const words = ({ start, end }) =>
    short(cut(text, Math.max(0, start - paragraph.span.start), end - paragraph.span.start));
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
  const made = deciding(book, { words: "Save", decision, params: gated(book), hint: "Choose a speaker.", done });
  return h(
    "form",
    { class: "correct", oninput: () => made.preview.soon(), onsubmit: (event) => event.preventDefault() },
    boxes,
    h("div", { class: "row" }, h("label", { for: "speaker" }, "Speaker"), who),
    made.parts,
  );
}

const short = (text) => (text.length > LONG ? `${text.slice(0, LONG)} …` : text);
