// Who may be one and the same: what matters most first, each with what speaks for it and a place of either.

import { send } from "./api.js";
import { fill, h, plural } from "./dom.js";
import { asking, placed } from "./preview.js";
import { links, trouble } from "./shell.js";

const FIRST = 5;

export function queue(book, items, done) {
  const list = h(
    "ul",
    { class: "books" },
    items.slice(0, FIRST).map((d) => doubt(book, d, done)),
  );
  const more =
    items.length > FIRST &&
    h(
      "button",
      {
        class: "quiet",
        type: "button",
        onclick: (event) => {
          const rest = items.slice(FIRST).map((d) => doubt(book, d, done));
          list.append(...rest);
          event.target.remove();
          rest[0].querySelector("a").focus();
        },
      },
      `Show ${items.length - FIRST} more`,
    );
  return h(
    "section",
    { "aria-labelledby": "doubts" },
    h("h2", { id: "doubts" }, "May be one and the same"),
    items.length
      ? [
          h(
            "p",
            { class: "soft" },
            `${plural(items.length, "question")}, beginning with those that matter most to the book.`,
          ),
          list,
          more,
        ]
      : h("p", { class: "soft" }, "No question is open."),
  );
}

function doubt(book, { one, other, evidence, confidence, impact, merge, dismiss }, done) {
  const said = h("div", { "aria-live": "polite" });
  const two = async () => {
    try {
      await done(await send("POST", `/books/${book}/decisions`, dismiss));
    } catch (error) {
      fill(said, trouble(error));
    }
  };
  const same = asking(book, {
    label: "They are one",
    words: `Make them one, called ${one.name}`,
    decision: () => merge,
    done,
  });
  const person = (p) => h("a", { href: links.person(book, p.id) }, p.name);
  const seen = (p) => h("li", {}, placed(book, p.place, p.id));
  return h(
    "li",
    { class: "doubt" },
    h("h3", {}, "Is ", person(one), " the same as ", person(other), "?"),
    h(
      "p",
      { class: "soft" },
      `${evidence[0].toUpperCase()}${evidence.slice(1)}. That they are one is ${likely(confidence)}; ${plural(impact, "mention")} would become ${one.name}’s.`,
    ),
    h("ul", { class: "examples" }, seen(one), seen(other)),
    h(
      "div",
      { class: "row" },
      same.button,
      h("button", { class: "quiet", type: "button", onclick: two }, "They are two"),
    ),
    same.panel,
    said,
  );
}

const likely = (share) => (share >= 0.67 ? "likely" : share >= 0.4 ? "about as likely as not" : "not very likely");
