// An answer on the page: sentences with their sources, and every fact in them with what the book says to it.

import { send } from "./api.js";
import { fill, h, plural } from "./dom.js";
import { links, trouble } from "./shell.js";

const CLASSES = { role: "Role", relationship: "Relations", personality: "Personality", event: "Events", mental_state: "Mind and feeling", other: "Other" };
const LABELS = { supported: "borne out", contradicted: "contradicted", unsupported: "not found", uncertain: "uncertain" };

/** The sources of a whole answer in the order in which it comes to them, each once. */
function sources(sentences) {
  const found = new Map();
  for (const citation of sentences.flatMap((s) => s.citations)) {
    const name = `${citation.span.start}-${citation.span.end}`;
    if (!found.has(name)) found.set(name, { ...citation, number: found.size + 1 });
  }
  return found;
}

function cited(book, sentence, all) {
  return sentence.citations.map((citation) => {
    const { number, quote, chapter } = all.get(`${citation.span.start}-${citation.span.end}`);
    return h("a", { class: "cite", href: links.reader(book, citation.span), title: `Chapter ${chapter}: ${quote}` }, number);
  });
}

export function text(book, answer) {
  const all = sources(answer.sentences);
  const blocks = [];
  for (const sentence of answer.sentences) {
    if (sentence.heading) blocks.push(h("h3", {}, sentence.heading));
    if (!blocks.length || blocks.at(-1).tagName !== "P") blocks.push(h("p", {}));
    const said = h("span", { class: sentence.citations.length ? "" : "unsupported", title: sentence.citations.length ? null : "Nothing in the book was found for this" }, sentence.text);
    blocks.at(-1).append(said, ...cited(book, sentence, all), " ");
  }
  return h("div", { class: "answer" }, blocks);
}

export function facts(book, answer) {
  if (!answer.facts.length) return "";
  const { facts: count, supported } = answer.prisma;
  const groups = Object.keys(CLASSES).map((name) => [name, answer.facts.filter((f) => f.category === name)]).filter(([, some]) => some.length);
  return h("section", { class: "facts", "aria-labelledby": "checked" },
    h("h2", { id: "checked" }, "Checked against the book"),
    h("p", { class: "soft" }, `Of ${plural(count, "fact")}, ${supported === count ? "all are" : supported === 1 ? "one is" : `${supported} are`} borne out by what the book says.`),
    groups.map(([name, some]) => h("div", {}, h("h3", {}, CLASSES[name]), h("ul", { class: "verdicts" }, some.map((fact) => one(book, fact))))));
}

const counts = (fact) => fact.overruled ?? fact.label;

function one(book, fact) {
  const evidence = fact.evidence.map((e) => h("li", {}, h("a", { href: links.reader(book, e.span) }, `ch. ${e.chapter}`), " ", h("q", {}, e.quote)));
  const item = h("li", {});
  const chip = h("span", { class: `chip ${counts(fact)}` }, LABELS[counts(fact)]);
  const was = fact.overruled ? h("span", { class: "soft small" }, ` (you say so; the judge: ${LABELS[fact.label]})`) : "";
  return fill(item, chip, " ", fact.text, was,
    h("details", {}, h("summary", {}, evidence.length ? plural(evidence.length, "place") : "no place found"),
      evidence.length ? h("ul", {}, evidence) : "", overruling(book, fact, item)));
}

/** A reader knows better: what they say counts, until they take it back. */
function overruling(book, fact, item) {
  const at = `/books/${book}/facts/${encodeURIComponent(fact.id)}/overruling`;
  const change = async (label) => {
    try {
      if (label) await send("PUT", at, { label });
      else await send("DELETE", at);
      item.replaceWith(one(book, { ...fact, overruled: label }));
    } catch (error) {
      item.append(trouble(error));
    }
  };
  const others = Object.keys(LABELS).filter((label) => label !== counts(fact));
  return h("p", { class: "row small" }, "It is rather ", others.map((label) => h("button", { class: "quiet", type: "button", onclick: () => change(label) }, LABELS[label])),
    fact.overruled && h("button", { class: "quiet", type: "button", onclick: () => change(null) }, "as the judge says"));
}

export function cost(answer) {
  const { usage, provenance: from } = answer;
  const tokens = usage.calls ? `, ${usage.calls} calls, ${usage.prompt_tokens} + ${usage.completion_tokens} tokens` : "";
  return h("p", { class: "soft small" }, `Written by ${from.generator}, checked by ${from.judge}, in ${usage.seconds.toFixed(2)} s${tokens}.`, (answer.notes ?? []).map((n) => ` ${n}`));
}

/** As a text to take along. */
export function markdown(name, answer) {
  const all = sources(answer.sentences);
  const lines = [`# ${name}`, ""];
  let paragraph = "";
  const end = () => { if (paragraph) lines.push(paragraph.trim(), ""); paragraph = ""; };
  for (const sentence of answer.sentences) {
    if (sentence.heading) { end(); lines.push(`## ${sentence.heading}`, ""); }
    paragraph += `${sentence.text}${sentence.citations.map((c) => `[^${all.get(`${c.span.start}-${c.span.end}`).number}]`).join("")} `;
  }
  end();
  for (const { number, chapter, quote } of all.values()) lines.push(`[^${number}]: Chapter ${chapter}: ${quote.replaceAll(/\s+/g, " ")}`);
  return `${lines.join("\n")}\n`;
}
