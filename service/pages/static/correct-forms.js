// What may be wrong with the cast, each with a form that says beforehand what it would change.

import { fill, h, plural } from "./dom.js";
import { deciding } from "./preview.js";

const WRONG = {
  merge: "Two people are one",
  split: "One person is two",
  rename: "Somebody has the wrong name",
  hide: "Somebody is no person at all",
  narrator: "Somebody else tells the story",
};
const FIELDS = { merge, split, rename, hide, narrator };

/** `about` says what is chosen at first, and is told what is chosen: {wrong, who, other}. */
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
    h("h2", { id: "correct" }, "Correct the cast"),
    h(
      "fieldset",
      { class: "choices" },
      h("legend", {}, "What is wrong?"),
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

/** Whom it is about, with the choice remembered for the next form. */
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
    h("option", { value: "" }, "choose …"),
    cast.map((c) => h("option", { value: c.id, selected: c.id === chosen }, c.name)),
  );
  return { field, parts: [h("label", { for: id }, words), field], of: () => cast.find((c) => c.id === field.value) };
}

const text = (id, words, value) => {
  const field = h("input", { id, value, maxlength: 200, autocomplete: "off" });
  return { field, parts: [h("label", { for: id }, words), field] };
};

function merge(given) {
  const one = person("merge-into", "Keep", given, "who");
  const other = person("merge-other", "and take in", given, "other");
  return {
    fields: [one.parts, other.parts],
    words: "Make them one",
    hint: "Choose two people. The second goes, and all that is said of them is said of the first.",
    decision: () =>
      one.field.value &&
      other.field.value &&
      one.field.value !== other.field.value && { kind: "merge", character: one.field.value, other: other.field.value },
  };
}

function split(given) {
  const who = person("split-who", "Two people are taken for", given, "who");
  const name = text("split-name", "Call the other one", "");
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
    fill(names, h("legend", {}, "Which names are the other one’s?"), known.map(box));
  };
  who.field.addEventListener("change", list);
  list();
  return {
    fields: [who.parts, names, name.parts],
    words: "Part them",
    hint: "Choose who is really two, tick the names that mean the other one, and say what to call them. Where only “he” or “she” is said, nothing changes.",
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
  const who = person("rename-who", "Call", given, "who");
  const name = text("rename-name", "by the name", "");
  return {
    fields: [who.parts, name.parts],
    words: "Rename",
    hint: "Choose somebody, and write the name that is to be shown.",
    decision: () =>
      who.field.value &&
      name.field.value.trim() && { kind: "rename", character: who.field.value, name: name.field.value },
  };
}

function hide(given) {
  const who = person("hide-who", "Take out of the cast", given, "who");
  return {
    fields: [who.parts],
    words: "Take out",
    hint: "Choose whoever is no person: a horse, a house, a misread word. The text stays as it is.",
    decision: () => who.field.value && { kind: "hide", character: who.field.value },
  };
}

function narrator({ cast, teller, about }) {
  const who = person(
    "narrator-who",
    "The story is told by",
    { cast, about: { ...about, teller: about.who ?? teller } },
    "teller",
  );
  return {
    fields: [who.parts],
    words: "Set",
    hint: "Whoever you choose becomes the “I” of the story, outside quotes.",
    decision: () => who.field.value && who.field.value !== teller && { kind: "narrator", character: who.field.value },
  };
}
