// The fact check: every fact of an answer with its verdict and evidence, by category. Readers can change a verdict.

import { send } from "./api.js";
import { fill, h, number, plural, quiet } from "./dom.js";
import { links, trouble } from "./shell.js";
import { set } from "./text.js";

const CATEGORIES = {
  role: "Role",
  relationship: "Relationships",
  personality: "Personality",
  event: "Events",
  mental_state: "Thoughts and feelings",
  other: "Other",
};
export const LABELS = {
  supported: "Supported",
  contradicted: "Contradicted",
  unsupported: "Not found",
  uncertain: "Uncertain",
};

const counts = (fact) => fact.overruled ?? fact.label;
/** Whether nothing was checked of it but whom it means: the words are the book's own. */
const isQuoted = (fact) => fact.quoted && counts(fact) === "supported";
const verdict = (fact) => (isQuoted(fact) ? "Quoted" : LABELS[counts(fact)]);

/** `told` gets a fact while it is hovered or focused, and null afterwards. Only `kept` facts can be overruled. */
export function facts(book, found, { told = () => {}, kept = true, heading = "Fact check" } = {}) {
  if (!found.length) return "";
  const tally = h("div", { class: "tally" });
  const count = () => fill(tally, summary(found));
  const row = (fact) =>
    one(book, fact, {
      told,
      kept,
      changed: (now) => {
        found = found.map((f) => (f.id === now.id ? now : f));
        count();
      },
    });
  const groups = Object.keys(CATEGORIES)
    .map((name) => [name, found.filter((f) => f.category === name)])
    .filter(([, some]) => some.length);
  count();
  return h(
    "section",
    { class: "facts", "aria-label": heading },
    h("h2", {}, heading),
    tally,
    groups.map(([name, some]) =>
      h("div", {}, h("h3", {}, CATEGORIES[name]), h("ul", { class: "verdicts" }, some.map(row))),
    ),
  );
}

function summary(found) {
  const groups = Object.keys(LABELS)
    .map((label) => [label, found.filter((f) => counts(f) === label).length])
    .filter(([, n]) => n);
  const quoted = found.filter(isQuoted).length;
  const borne = found.filter((f) => counts(f) === "supported").length - quoted;
  const rest = found.length - quoted;
  const said = [
    quoted && `${plural(quoted, "quotation")} of the book`,
    rest && `${number(borne)} of ${plural(rest, quoted ? "other fact" : "fact")} supported by the book`,
  ].filter(Boolean);
  return [
    h("p", { class: "soft" }, `${said.join(", ")}.`),
    h(
      "div",
      { class: "shares", "aria-hidden": "true" },
      groups.map(([label, n]) => h("span", { class: label, "--share": n, title: `${LABELS[label]}: ${n}` })),
    ),
  ];
}

function one(book, fact, how) {
  const evidence = fact.evidence.map((e) =>
    h(
      "li",
      {},
      h("a", { href: links.reader(book, e.span, fact.subject) }, `ch. ${e.chapter}`),
      " ",
      h("q", {}, set(e.quote)),
    ),
  );
  const look = () => how.told(fact);
  const leave = () => how.told(null);
  const item = h("li", { onmouseenter: look, onmouseleave: leave, onfocusin: look, onfocusout: leave });
  const was = fact.overruled
    ? h("span", { class: "soft small" }, ` (marked by you; automatic verdict: ${LABELS[fact.label]})`)
    : "";
  return fill(
    item,
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: `chip ${counts(fact)}` }, verdict(fact)),
        h("span", {}, fact.text, was),
        h("span", { class: "soft small places" }, evidence.length ? plural(evidence.length, "passage") : "no passage"),
      ),
      evidence.length
        ? h("ul", { class: "passages" }, evidence)
        : h("p", { class: "soft" }, "No matching passage was found in the book."),
      fact.note && h("p", { class: "soft small" }, fact.note),
      how.kept && overruling(book, fact, item, how),
    ),
  );
}

/** Buttons that overrule a verdict. The reader's verdict counts until it is undone. */
function overruling(book, fact, item, how) {
  const at = `/books/${book}/facts/${encodeURIComponent(fact.id)}/overruling`;
  const change = async (label) => {
    try {
      if (label) await send("PUT", at, { label });
      else await send("DELETE", at);
      const now = { ...fact, overruled: label };
      const fresh = one(book, now, how);
      fresh.querySelector("details").open = true;
      item.replaceWith(fresh);
      fresh.querySelector("summary").focus();
      how.changed(now);
    } catch (error) {
      item.append(trouble(error));
    }
  };
  const others = Object.keys(LABELS).filter((label) => label !== counts(fact));
  return h(
    "p",
    { class: "row small writes" },
    "Mark as ",
    others.map((label) => quiet(LABELS[label], () => change(label))),
    fact.overruled && quiet("Undo", () => change(null)),
  );
}
