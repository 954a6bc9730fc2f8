// Forms that correct people; each shows a preview of what it would change.

import { fill, h, plural, titled } from "./dom.js";
import { deciding } from "./preview.js";

const WRONG = {
  merge: "Merge two people",
  split: "Split a person",
  rename: "Rename a person",
  hide: "Remove a person",
  narrator: "Set narrator",
};
const NEW = "+";
const NOBODY = "-";
const FIELDS = { merge, split, rename, hide, narrator };

/** `about` holds the initial choice and is updated with each choice: {wrong, who, other}. */
export function forms(book, { cast, narrator: teller, chapters }, about, done) {
  const place = h("div", {});
  const choose = (wrong) => {
    about.wrong = wrong;
    fill(place, form(book, FIELDS[wrong]({ cast, teller, about, chapters }), done));
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
  return titled(
    "correct",
    "People",
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
  return { field, parts: labelled(id, words, field), of: () => cast.find((c) => c.id === field.value) };
}

const text = (id, words, value) => {
  const field = h("input", { id, value, maxlength: 200, autocomplete: "off" });
  return { field, parts: labelled(id, words, field) };
};

const labelled = (id, words, field) => h("span", { class: "row" }, h("label", { for: id }, words), field);

function merge(given) {
  const one = person("merge-into", "Person to keep", given, "who");
  const other = person("merge-other", "Duplicate", given, "other");
  const told = revealed("merge", given.chapters);
  return {
    fields: [one.parts, other.parts, told.parts],
    words: "Merge",
    hint: "Choose two people. The duplicate is removed, and its names and mentions go to the person you keep. If the book reveals only later that they are one, choose the chapter: readers see two people before its end.",
    decision: () =>
      one.field.value &&
      other.field.value &&
      one.field.value !== other.field.value && {
        kind: "merge",
        character: one.field.value,
        other: other.field.value,
        spans: told.spans(),
      },
  };
}

/** A list to choose the chapter from in which two turn out to be one; that of `passage` is chosen already. */
export function revealed(id, chapters, passage) {
  const said = (c) => passage && c.start < passage.end && passage.end <= c.end;
  const option = (c) => h("option", { value: c.number, selected: said(c) }, `${c.number}. ${c.title}`);
  const field = h("select", { id: `${id}-revealed` }, h("option", { value: "" }, "the start"), chapters.map(option));
  return {
    parts: labelled(field.id, "Readers know it after", field),
    spans: () => chapters.filter((c) => String(c.number) === field.value).map(({ start, end }) => ({ start, end })),
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
  const part = chapterRange("split", "Whole chapters", "none", given.chapters);
  const along = h("input", { type: "checkbox", id: "split-along", checked: true });
  return {
    fields: [
      who.parts,
      names,
      part.parts,
      h("label", { class: "choice", for: "split-along" }, along, " Pronouns and quotes go with the names nearest to them"),
      name.parts,
    ],
    words: "Split",
    hint: "Choose a person, select the names or chapters that belong to the second person, and enter that person’s name. The narrator’s “I” does not change.",
    decision: () =>
      who.field.value &&
      (ticked().length > 0 || part.spans().length > 0) &&
      name.field.value.trim() && {
        kind: "split",
        character: who.field.value,
        aliases: ticked(),
        spans: part.spans(),
        name: name.field.value,
        pronouns: along.checked,
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

function narrator({ cast, teller, about, chapters }) {
  const who = person("narrator-who", "Narrator", { cast, about: { ...about, teller: about.who ?? teller } }, "teller");
  who.field.options[0].after(
    h("option", { value: NEW }, "Somebody who is not listed …"),
    h("option", { value: NOBODY }, "Nobody: no “I” tells the story"),
  );
  const name = text("narrator-name", "Name, if the book gives one", "the narrator");
  const naming = h("div", {}, name.parts);
  const part = chapterRange("narrator", "Tells", "the whole book", chapters);
  const chosen = () => {
    naming.hidden = who.field.value !== NEW;
  };
  who.field.addEventListener("change", chosen);
  chosen();
  return {
    fields: [who.parts, naming, part.parts],
    words: "Set narrator",
    hint: "The narrator is the “I” of the story, outside quotes. A letter, a diary or a story within the story can have its own.",
    decision: () => {
      const { value } = who.field;
      const spans = part.spans();
      if (!value || (value === teller && !spans.length)) return null;
      if (value === NEW) return name.field.value.trim() && { kind: "narrator", name: name.field.value, spans };
      return { kind: "narrator", character: value === NOBODY ? null : value, spans };
    },
  };
}

/** Two lists to choose chapters from, of which the second ends the range. `none` says what no choice means. */
function chapterRange(id, words, none, chapters) {
  const option = (c) => h("option", { value: c.number }, `${c.number}. ${c.title}`);
  const from = h("select", { id: `${id}-from` }, h("option", { value: "" }, none), chapters.map(option));
  const to = h("select", { id: `${id}-to` }, chapters.map(option));
  const until = h("span", { class: "row" }, h("label", { for: `${id}-to` }, "to"), to);
  const chosen = () => {
    until.hidden = !from.value;
    if (Number(to.value) < Number(from.value)) to.value = from.value;
  };
  from.addEventListener("change", () => {
    to.value = from.value;
    chosen();
  });
  to.addEventListener("change", chosen);
  chosen();
  return {
    parts: h("div", { class: "row" }, h("label", { for: `${id}-from` }, words), from, until),
    spans: () =>
      from.value ? [{ start: chapters[from.value - 1].start, end: chapters[to.value - 1].end }] : [],
  };
}
