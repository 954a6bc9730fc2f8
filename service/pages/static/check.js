// A text of one's own about somebody, checked against the book: a note, an essay, another machine's answer.

import { send } from "./api.js";
import { fill, h } from "./dom.js";
import { facts } from "./facts.js";
import { gated } from "./gate.js";
import { trouble } from "./shell.js";

export function checkForm(book, who) {
  const out = h("div", { "aria-live": "polite" });
  const button = h("button", {}, "Check it");
  const ask = async (event) => {
    event.preventDefault();
    button.disabled = true;
    fill(out, h("p", { class: "soft" }, "Reading the book for it …"));
    try {
      const { text } = Object.fromEntries(new FormData(event.target));
      const found = await send("POST", `/books/${book}/check`, { character: who.id, text }, gated(book));
      fill(
        out,
        facts(book, found.facts, { kept: false, heading: "Your text against the book" }) ||
          h("p", { class: "soft" }, "It says nothing that could be checked."),
      );
    } catch (error) {
      fill(out, trouble(error));
    } finally {
      button.disabled = false;
    }
  };
  return h(
    "details",
    { class: "own" },
    h("summary", {}, "Check a text of your own"),
    h(
      "form",
      { onsubmit: ask },
      h("label", { for: "own" }, `What do you say of ${who.name}?`),
      h("textarea", { id: "own", name: "text", rows: 4, required: true }),
      h("div", { class: "row" }, button),
    ),
    out,
  );
}
