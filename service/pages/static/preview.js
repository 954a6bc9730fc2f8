// What a correction would change, in plain words and with places to look at, before it is made.

import { send } from "./api.js";
import { fill, h, number, plural } from "./dom.js";
import { links, trouble } from "./shell.js";

const PAUSE = 250;
const nobody = "nobody known";
const called = (who) => who?.name ?? nobody;

/** The words of a place, and what stands around them. */
const passage = (place) => [place.before, h("mark", {}, place.text), place.after];

/** A link to it in the reader; with `who`, all that they are called lights up there, too. */
export const chapter = (book, place, who) =>
  h("a", { href: links.reader(book, place.span, who) }, place.chapter ? `ch. ${place.chapter}` : "in the book");

/** Both. */
export const placed = (book, place, who) => [chapter(book, place, who), " ", h("q", {}, passage(place))];

export function previewed(book, found) {
  const lines = said(found);
  if (!lines.length) return h("p", { class: "soft" }, "Nothing would change.");
  const example = (e) =>
    h(
      "li",
      {},
      placed(book, e.place),
      " ",
      h(
        "span",
        { class: "soft" },
        e.quote
          ? `said by ${called(e.becomes)}, not ${called(e.was)}`
          : `means ${called(e.becomes)}, not ${called(e.was)}`,
      ),
    );
  return [
    h(
      "ul",
      { class: "changes" },
      lines.map((line) => h("li", {}, line)),
    ),
    found.places.length > 0 &&
      h(
        "details",
        { open: found.places.length < 3 },
        h(
          "summary",
          {},
          found.mentions + found.quotes > found.places.length
            ? `Look at ${found.places.length} of the places`
            : "Look at the places",
        ),
        h("ul", { class: "examples" }, found.places.map(example)),
      ),
  ];
}

function said(found) {
  const lines = [];
  const hands = [found.mentions && plural(found.mentions, "mention"), found.quotes && plural(found.quotes, "quote")]
    .filter(Boolean)
    .join(" and ");
  if (hands)
    lines.push([h("strong", {}, hands), found.mentions + found.quotes === 1 ? " changes hands." : " change hands."]);
  lines.push(...found.people.map(person).filter(Boolean));
  const [was, now] = [found.narrator_before, found.narrator_after];
  if (was?.id !== now?.id)
    lines.push(
      now
        ? [
            h("strong", {}, now.name),
            was ? ` tells the story, not ${was.name}.` : " tells the story; until now nobody is known to.",
          ]
        : `Nobody is known to tell the story; until now ${was.name} does.`,
    );
  const pair = (p) => `${p.one.name} and ${p.other.name}`;
  if (found.doubts_gone.length) lines.push(`No longer asked: whether ${list(found.doubts_gone.map(pair))} are one.`);
  if (found.doubts_back.length) lines.push(`Asked again: whether ${list(found.doubts_back.map(pair))} are one.`);
  if (found.answers && lines.length)
    lines.push(
      h(
        "span",
        { class: "soft" },
        `${plural(found.answers, "text that was", "texts that were")} written about this book will be written anew when next asked for.`,
      ),
    );
  return lines;
}

function person({ before, after }) {
  if (!before) return [h("strong", {}, after.name), ` joins the cast, with ${counts(after)}.`];
  if (!after) return [h("strong", {}, before.name), " leaves the cast."];
  const name = h("strong", {}, after.name);
  const changed = [
    change(before.mention_count, after.mention_count, "mention"),
    change(before.quotes, after.quotes, "quote"),
  ].filter(Boolean);
  if (before.name !== after.name)
    return [
      h("strong", {}, before.name),
      " is called ",
      name,
      changed.length ? [" and has ", changed.join(" and ")] : "",
      ".",
    ];
  return changed.length ? [name, " has ", changed.join(" and "), "."] : null;
}

const counts = (c) =>
  [plural(c.mention_count, "mention"), c.quotes && plural(c.quotes, "quote")].filter(Boolean).join(" and ");
const change = (before, after, word) => before !== after && `${plural(after, word)} instead of ${number(before)}`;
const FEW = 3;
const list = (names) =>
  (names.length > FEW ? [...names.slice(0, FEW), `${names.length - FEW} more pairs`] : names).join(", and whether ");

/**
 * A live preview of whatever `decision` gives: null while it is not complete, and then `hint` is shown.
 * `out` goes before the button that carries it out; `ready` hears whether it can be.
 */
export class Preview {
  constructor(book, { decision, hint = "", params = {}, ready = () => {} }) {
    Object.assign(this, { book, decision, hint, params, ready, asked: 0 });
    this.out = h("div", { class: "preview", "aria-live": "polite" });
    this.look();
  }

  /** Later on, when nothing was changed meanwhile. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), PAUSE);
    this.ready(false);
  }

  async look() {
    const decision = this.decision();
    const turn = ++this.asked;
    this.ready(false);
    if (!decision) return fill(this.out, this.hint && h("p", { class: "soft" }, this.hint));
    this.out.setAttribute("aria-busy", "true");
    try {
      const found = await send("POST", `/books/${this.book}/decisions/preview`, decision, this.params);
      if (turn !== this.asked) return null;
      fill(this.out, previewed(this.book, found));
      this.ready(true);
    } catch (error) {
      if (turn === this.asked) fill(this.out, trouble(error));
    }
    return this.out.removeAttribute("aria-busy");
  }

  fail(error) {
    this.asked += 1;
    fill(this.out, trouble(error));
  }
}

/** A preview and the button under it, which makes the decision; `done` hears what was decided. */
export function deciding(book, { words, done, params, ...how }) {
  const button = h("button", { class: "main", type: "button", disabled: true, onclick: carry }, words);
  const preview = new Preview(book, {
    ...how,
    params,
    ready: (can) => {
      button.disabled = !can;
    },
  });
  async function carry() {
    button.disabled = true;
    try {
      await done(await send("POST", `/books/${book}/decisions`, how.decision()));
    } catch (error) {
      preview.fail(error);
    }
  }
  return { preview, parts: [preview.out, h("div", { class: "row" }, button)], button, carry };
}

/** A button that opens a preview beneath it, with the button that carries it out. */
export function asking(book, { label, ...how }) {
  const panel = h("div", { class: "asked", hidden: true });
  const button = h("button", { class: "quiet", type: "button", "aria-expanded": "false", onclick: toggle }, label);
  function toggle() {
    const open = panel.hidden;
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    fill(panel, open ? deciding(book, how).parts : "");
  }
  return { button, panel };
}
