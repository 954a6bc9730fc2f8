// Every fact of an answer with what the book says to it, by category; and a way to say that the judge is wrong.

import { send } from "./api.js";
import { fill, h, number, plural } from "./dom.js";
import { links, trouble } from "./shell.js";
import { set } from "./text.js";

const CATEGORIES = {
  role: "Role",
  relationship: "Relations",
  personality: "Personality",
  event: "Events",
  mental_state: "Mind and feeling",
  other: "Other",
};
const LABELS = {
  supported: "borne out",
  contradicted: "contradicted",
  unsupported: "not found",
  uncertain: "uncertain",
};

const counts = (fact) => fact.overruled ?? fact.label;

/** `told` is called with a fact's sentence while the fact is looked at, and with null after; `kept` facts can be overruled. */
export function facts(book, found, { told = () => {}, kept = true, heading = "Checked against the book" } = {}) {
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
  const borne = found.filter((f) => counts(f) === "supported").length;
  return [
    h(
      "p",
      { class: "soft" },
      `Of ${plural(found.length, "fact")}, ${borne === found.length ? "all are" : borne === 1 ? "one is" : `${number(borne)} are`} borne out by what the book says.`,
    ),
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
    ? h("span", { class: "soft small" }, ` (you say so; the judge: ${LABELS[fact.label]})`)
    : "";
  return fill(
    item,
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: `chip ${counts(fact)}` }, LABELS[counts(fact)]),
        h("span", {}, fact.text, was),
        h("span", { class: "soft small places" }, evidence.length ? plural(evidence.length, "place") : "no place"),
      ),
      evidence.length
        ? h("ul", { class: "passages" }, evidence)
        : h("p", { class: "soft" }, "No place in the book was found for it."),
      fact.note && h("p", { class: "soft small" }, fact.note),
      how.kept && overruling(book, fact, item, how),
    ),
  );
}

/** A reader knows better: what they say counts, until they take it back. */
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
    { class: "row small" },
    "It is rather ",
    others.map((label) => h("button", { class: "quiet", type: "button", onclick: () => change(label) }, LABELS[label])),
    fact.overruled && h("button", { class: "quiet", type: "button", onclick: () => change(null) }, "as the judge says"),
  );
}
