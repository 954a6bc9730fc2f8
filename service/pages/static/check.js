// Checks the reader's own text about a person against the book: a note, an essay, another model's answer.

import { send } from "./api.js";
import { fill, h } from "./dom.js";
import { facts } from "./facts.js";
import { gated } from "./gate.js";
import { trouble } from "./shell.js";

export function checkForm(book, who) {
  const out = h("div", { "aria-live": "polite" });
  const button = h("button", {}, "Check");
  const ask = async (event) => {
    event.preventDefault();
    button.disabled = true;
    fill(out, h("p", { class: "soft" }, "Checking …"));
    try {
      const { text } = Object.fromEntries(new FormData(event.target));
      const found = await send("POST", `/books/${book}/check`, { character: who.id, text }, gated(book));
      fill(
        out,
        facts(book, found.facts, { kept: false, heading: "Result" }) ||
          h("p", { class: "soft" }, "This text contains no facts to check."),
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
    h("summary", {}, "Check your own text"),
    h(
      "form",
      { onsubmit: ask },
      h("label", { for: "own" }, `Paste a text about ${who.name} to check`),
      h("textarea", { id: "own", name: "text", rows: 4, required: true }),
      h("div", { class: "row" }, button),
    ),
    out,
  );
}
