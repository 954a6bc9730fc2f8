// Questions about a book, answered from what has been read of it. A question may leave out whom the one before named.

import { get } from "./api.js";
import { button, fill, h } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { crumbs, load, place, show } from "./shell.js";
import { choosing, Writing } from "./writing.js";

const { book } = place();
const asked = h("div", { class: "asked" });
let people = [];

/** The question with its answer, above those before it. */
async function ask(question, options, meant = people) {
  const writing = new Writing(book);
  const part = h("section", {}, h("h2", {}, question), writing.out);
  asked.prepend(part);
  const { answer, problem } = await writing.ask(
    `/books/${book}/questions`,
    { ...options, ...gated(book) },
    { question, people: meant },
  );
  if (answer) people = answer.characters.map((c) => c.id);
  if (problem?.code === "character_ambiguous") {
    const again = ({ id, name, first_chapter }) => {
      const namesake = named.some((other) => other.id !== id && other.name === name);
      return button(namesake ? `${name}, first in chapter ${first_chapter}` : name, () => {
        part.remove();
        ask(question, options, [...meant, id]);
      });
    };
    const named = await Promise.all(problem.body.candidates.map((id) => get(`/books/${book}/characters/${id}`, gated(book))));
    fill(writing.out, h("p", {}, "Whom do you mean?"), h("div", { class: "row" }, named.map(again)));
  }
}

function form(first) {
  const field = h("input", {
    id: "question",
    name: "question",
    type: "search",
    required: true,
    maxlength: 500,
    pattern: ".*[\\p{L}\\p{N}].*",
    title: "Ask with words.",
    value: first,
    autocomplete: "off",
    placeholder: "Who is …? Why did …? Where do they …?",
  });
  const submit = (event) => {
    event.preventDefault();
    const { question, ...options } = Object.fromEntries(new FormData(event.target));
    history.replaceState(null, "", `?q=${encodeURIComponent(question)}`);
    ask(question, options);
    field.select();
  };
  return h(
    "form",
    { class: "question", onsubmit: submit },
    h("label", { for: "question" }, "Your question"),
    h("div", { class: "row" }, field, h("button", {}, "Ask")),
    h("details", {}, h("summary", {}, "Options"), h("div", { class: "row" }, choosing.engine(), choosing.language(), choosing.length())),
  );
}

show(async () => {
  const [about, { chapters }] = await load(book, "Questions");
  const first = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  if (first) ask(first, {});
  return [
    crumbs(about, { asking: false }),
    h("h1", {}, "Ask the book"),
    gateForm(book, chapters),
    form(first),
    asked,
  ];
});
