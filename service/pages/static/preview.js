// A preview of what a correction would change, in words and with example passages.

import { correct, send } from "./api.js";
import { fill, h, number, plural } from "./dom.js";
import { links, trouble } from "./shell.js";

const PAUSE = 250;
const nobody = "unknown";
const called = (who) => who?.name ?? nobody;

/** The text of a place, with its context. */
const passage = (place) => [place.before, h("mark", {}, place.text), place.after];

/** A link to a place in the reader; with `who`, all mentions of that person are highlighted there. */
export const chapter = (book, place, who) =>
  h("a", { href: links.reader(book, place.span, who) }, place.chapter ? `ch. ${place.chapter}` : "in the book");

/** The link and the text. */
export const placed = (book, place, who) => [chapter(book, place, who), " ", h("q", {}, passage(place))];

export function previewed(book, found, name) {
  const lines = said(found, name);
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
          ? `said by ${called(e.becomes)} instead of ${called(e.was)}`
          : `refers to ${called(e.becomes)} instead of ${called(e.was)}`,
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
            ? `Show ${plural(found.places.length, "example")}`
            : "Show the passages",
        ),
        h("ul", { class: "examples" }, found.places.map(example)),
      ),
  ];
}

/** Whether somebody receives what is taken from others. */
function given({ people, places }) {
  const more = ({ before, after }, of) => after && after[of] > (before?.[of] ?? 0);
  return places.some((p) => p.becomes) || people.some((p) => more(p, "mention_count") || more(p, "quotes"));
}

function said(found, name) {
  const lines = [];
  const hands = (fate, ...counted) => {
    const words = counted.filter(([count]) => count).map(([count, word]) => plural(count, word));
    if (words.length) lines.push([h("strong", {}, words.join(" and ")), ` will ${fate}.`]);
  };
  const [mentions, quotes] = [
    [found.mentions, "mention"],
    [found.quotes, "quote"],
  ];
  if (given(found)) hands("be moved", mentions, quotes);
  else {
    hands("refer to nobody", mentions);
    hands("have no speaker", quotes);
  }
  lines.push(...found.people.map(person).filter(Boolean));
  const [was, now] = [found.narrator_before, found.narrator_after];
  if (was?.id !== now?.id)
    lines.push(
      now
        ? [h("strong", {}, now.name), was ? ` becomes the narrator instead of ${was.name}.` : " becomes the narrator."]
        : `${was.name} is no longer the narrator.`,
    );
  lines.push(...found.namesakes.map(taken));
  lines.push(...found.without_effect.map((number) => ["Will no longer have an effect: ", name(number), "."]));
  const pair = (p) => `${p.one.name} and ${p.other.name}`;
  if (found.doubts_gone.length) lines.push(`Removed from possible duplicates: ${list(found.doubts_gone.map(pair))}.`);
  if (found.doubts_back.length) lines.push(`Back in possible duplicates: ${list(found.doubts_back.map(pair))}.`);
  if (found.answers && lines.length)
    lines.push(
      h(
        "span",
        { class: "soft" },
        `${plural(found.answers, "generated text")} about this book will be regenerated when next opened.`,
      ),
    );
  return lines;
}

function person({ before, after }) {
  if (!before) return [h("strong", {}, after.name), ` is added, with ${counts(after)}.`];
  if (!after) return [h("strong", {}, before.name), " is removed."];
  const name = h("strong", {}, after.name);
  const changed = [
    change(before.mention_count, after.mention_count, "mention"),
    change(before.quotes, after.quotes, "quote"),
  ].filter(Boolean);
  if (before.name !== after.name)
    return [
      h("strong", {}, before.name),
      " is renamed to ",
      name,
      changed.length ? [" and has ", changed.join(" and ")] : "",
      ".",
    ];
  return changed.length ? [name, " has ", changed.join(" and "), "."] : null;
}

const taken = (c) => [
  "This name already means ",
  h("strong", {}, c.name),
  ` (${plural(c.mention_count, "mention")}). Merge them if they are one person.`,
];
const counts = (c) =>
  [plural(c.mention_count, "mention"), c.quotes && plural(c.quotes, "quote")].filter(Boolean).join(" and ");
const change = (before, after, word) => before !== after && `${plural(after, word)} instead of ${number(before)}`;
const FEW = 3;
const list = (names) =>
  (names.length > FEW ? [...names.slice(0, FEW), `${names.length - FEW} more pairs`] : names).join("; ");

/** Shows why a correction was refused; the page hears of it, as the book may have been corrected meanwhile. */
export function refused(out, error) {
  fill(out, trouble(error));
  if (error.code === "decision_invalid") out.dispatchEvent(new CustomEvent("refused", { bubbles: true }));
}

/**
 * A live preview of the correction that `decision` returns. While it returns null, `hint` is shown.
 * `out` goes above the button that saves; `ready` is told whether saving is possible. `name` tells an earlier
 * correction by its number.
 */
export class Preview {
  constructor(book, { decision, hint = "", params = {}, name = (number) => `Correction ${number}`, ready = () => {} }) {
    Object.assign(this, { book, decision, hint, params, name, ready, asked: 0 });
    this.out = h("div", { class: "preview", "aria-live": "polite" });
    this.look();
  }

  /** Updates after a pause without changes. */
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
      fill(this.out, previewed(this.book, found, this.name));
      this.ready(true);
    } catch (error) {
      if (turn === this.asked) refused(this.out, error);
    }
    return this.out.removeAttribute("aria-busy");
  }

  fail(error) {
    this.asked += 1;
    refused(this.out, error);
  }
}

/** A preview with a button below that saves the decision; `done` receives it. */
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
      await done(await correct(book, how.decision()));
    } catch (error) {
      preview.fail(error);
      button.disabled = error.code !== "away"; // what is refused must be changed first
    }
  }
  return { preview, parts: [preview.out, h("div", { class: "row" }, button)], button, carry };
}

/** A button that opens a preview below it, with `fields` above and its own button that saves. */
export function asking(book, { label, fields = [], ...how }) {
  const panel = h("div", { class: "asked", hidden: true });
  const button = h("button", { class: "quiet", type: "button", "aria-expanded": "false", onclick: toggle }, label);
  function toggle() {
    const open = panel.hidden;
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    fill(panel, open ? [fields, deciding(book, how).parts] : "");
  }
  return { button, panel };
}
