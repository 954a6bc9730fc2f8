// In the reader: who says the quotes of a paragraph, or that a chapter starts with it.

import { h } from "./dom.js";
import { gated } from "./gate.js";
import { deciding } from "./preview.js";
import { links } from "./shell.js";
import { cut, points } from "./text.js";

const LONG = 160;

/** A dialogue about a paragraph; with `quote`, first of all about that one. `done` hears what was decided. */
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
      : h("p", { class: "soft" }, "Nothing is spoken in it."),
    h("p", {}, h("a", { href: `${links.corrections(book)}#chapter=${paragraph.span.start}` }, "A chapter starts here")),
    h(
      "p",
      { class: "soft small" },
      "Names that mean somebody else are corrected ",
      h("a", { href: links.corrections(book) }, "in the cast"),
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
  const name = (id) => cast.get(id)?.name ?? "nobody known";
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
      h("span", { class: "soft small" }, ` now said by ${name(q.speaker)}`),
    );
  const boxes = h("fieldset", { class: "choices" }, h("legend", {}, "Which words?"), paragraph.quotes.map(box));
  const who = h(
    "select",
    { id: "speaker" },
    h("option", { value: "", selected: first.speaker === null }, "nobody known"),
    [...cast.values()].map((c) => h("option", { value: c.id, selected: c.id === first.speaker }, c.name)),
  );
  const chosen = () => [...boxes.querySelectorAll("input:checked")].map((one) => paragraph.quotes[one.value]);
  const decision = () => {
    const wrong = chosen().filter((q) => (q.speaker ?? "") !== who.value);
    return wrong.length > 0 && { kind: "speaker", character: who.value || null, spans: wrong.map((q) => q.span) };
  };
  const made = deciding(book, { words: "Save", decision, params: gated(book), hint: "Choose who says it.", done });
  return h(
    "form",
    { class: "correct", oninput: () => made.preview.soon(), onsubmit: (event) => event.preventDefault() },
    boxes,
    h("div", { class: "row" }, h("label", { for: "speaker" }, "Said by"), who),
    made.parts,
  );
}

const short = (text) => (text.length > LONG ? `${text.slice(0, LONG)} …` : text);
