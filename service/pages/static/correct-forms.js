// Forms that correct people; each shows a preview of what it would change.

import { fill, h, plural } from "./dom.js";
import { deciding } from "./preview.js";

const WRONG = {
  merge: "Merge two people",
  split: "Split a person",
  rename: "Rename a person",
  hide: "Remove a person",
  narrator: "Set narrator",
};
const FIELDS = { merge, split, rename, hide, narrator };

/** `about` holds the initial choice and is updated with each choice: {wrong, who, other}. */
export function forms(book, { cast, narrator: teller }, about, done) {
  const place = h("div", {});
  const choose = (wrong) => {
    about.wrong = wrong;
    fill(place, form(book, FIELDS[wrong]({ cast, teller, about }), done));
  };
  const radio = (kind) =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "radio",
        name: "wrong",
        value: kind,
        checked: kind === about.wrong,
        onchange: () => choose(kind),
      }),
      ` ${WRONG[kind]}`,
    );
  choose(about.wrong in WRONG ? about.wrong : "merge");
  return h(
    "section",
    { "aria-labelledby": "correct" },
    h("h2", { id: "correct" }, "People"),
    h(
      "fieldset",
      { class: "choices" },
      h("legend", {}, "What do you want to do?"),
      Object.keys(WRONG).map((kind) => radio(kind)),
    ),
    place,
  );
}

function form(book, { fields, decision, words, hint }, done) {
  const made = deciding(book, { words, decision, hint, done });
  const changed = () => made.preview.soon();
  return h(
    "form",
    {
      class: "correct",
      oninput: changed,
      onsubmit: (event) => {
        event.preventDefault();
        if (!made.button.disabled) made.carry();
      },
    },
    h("div", { class: "row" }, fields),
    made.parts,
  );
}

/** A list to choose a person from. The choice is remembered for the next form. */
function person(id, words, { cast, about }, key) {
  const chosen = cast.some((c) => c.id === about[key]) ? about[key] : "";
  const field = h(
    "select",
    {
      id,
      onchange: () => {
        about[key] = field.value;
      },
    },
    h("option", { value: "" }, "Choose a person …"),
    cast.map((c) => h("option", { value: c.id, selected: c.id === chosen }, c.name)),
  );
  return { field, parts: [h("label", { for: id }, words), field], of: () => cast.find((c) => c.id === field.value) };
}

const text = (id, words, value) => {
  const field = h("input", { id, value, maxlength: 200, autocomplete: "off" });
  return { field, parts: [h("label", { for: id }, words), field] };
};

function merge(given) {
  const one = person("merge-into", "Person to keep", given, "who");
  const other = person("merge-other", "Duplicate", given, "other");
  return {
    fields: [one.parts, other.parts],
    words: "Merge",
    hint: "Choose two people. The duplicate is removed, and its names and mentions go to the person you keep.",
    decision: () =>
      one.field.value &&
      other.field.value &&
      one.field.value !== other.field.value && { kind: "merge", character: one.field.value, other: other.field.value },
  };
}

function split(given) {
  const who = person("split-who", "Person to split", given, "who");
  const name = text("split-name", "Name of the second person", "");
  const names = h("fieldset", { class: "choices" });
  const ticked = () => [...names.querySelectorAll("input:checked")].map((box) => box.value);
  let own = false;
  name.field.addEventListener("input", () => {
    own = name.field.value !== "";
  });
  const box = (alias) =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "checkbox",
        value: alias.text,
        onchange: () => {
          if (!own) name.field.value = ticked()[0] ?? "";
        },
      }),
      ` ${alias.text} `,
      h("span", { class: "soft small" }, plural(alias.count, "time")),
    );
  const list = () => {
    const known = who.of()?.aliases.filter((a) => a.count) ?? [];
    names.hidden = !known.length;
    fill(names, h("legend", {}, "Which names belong to the second person?"), known.map(box));
  };
  who.field.addEventListener("change", list);
  list();
  return {
    fields: [who.parts, names, name.parts],
    words: "Split",
    hint: "Choose a person, select the names that belong to the second person, and enter that person’s name. Mentions that are only “he” or “she” do not change.",
    decision: () =>
      who.field.value &&
      ticked().length > 0 &&
      name.field.value.trim() && {
        kind: "split",
        character: who.field.value,
        aliases: ticked(),
        name: name.field.value,
      },
  };
}

function rename(given) {
  const who = person("rename-who", "Person", given, "who");
  const name = text("rename-name", "New name", "");
  return {
    fields: [who.parts, name.parts],
    words: "Rename",
    hint: "Choose a person and enter the new name.",
    decision: () =>
      who.field.value &&
      name.field.value.trim() && { kind: "rename", character: who.field.value, name: name.field.value },
  };
}

function hide(given) {
  const who = person("hide-who", "Person to remove", given, "who");
  return {
    fields: [who.parts],
    words: "Remove",
    hint: "Choose an entry that is not a person: a horse, a house, a misread word. The text does not change.",
    decision: () => who.field.value && { kind: "hide", character: who.field.value },
  };
}

function narrator({ cast, teller, about }) {
  const who = person("narrator-who", "Narrator", { cast, about: { ...about, teller: about.who ?? teller } }, "teller");
  return {
    fields: [who.parts],
    words: "Set narrator",
    hint: "The narrator is the “I” of the story, outside quotes.",
    decision: () => who.field.value && who.field.value !== teller && { kind: "narrator", character: who.field.value },
  };
}
