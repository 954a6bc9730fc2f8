// An answer on the page: sentences with their sources, and every fact in them with what the book says to it.

import { h, plural } from "./dom.js";
import { links } from "./shell.js";

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

export function facts(book, answer, overrule) {
  if (!answer.facts.length) return "";
  const { facts: count, supported } = answer.prisma;
  const groups = Object.keys(CLASSES).map((name) => [name, answer.facts.filter((f) => f.category === name)]).filter(([, some]) => some.length);
  return h("section", { class: "facts", "aria-labelledby": "checked" },
    h("h2", { id: "checked" }, "Checked against the book"),
    h("p", { class: "soft" }, `${supported} of ${plural(count, "fact")} are borne out by what the book says in so many words.`),
    groups.map(([name, some]) => h("div", {}, h("h3", {}, CLASSES[name]), h("ul", { class: "verdicts" }, some.map((fact) => one(book, fact, overrule))))));
}

function one(book, fact, overrule) {
  const evidence = fact.evidence.map((e) => h("li", {}, h("a", { href: links.reader(book, e.span) }, `ch. ${e.chapter}`), " ", h("q", {}, e.quote)));
  return h("li", {}, h("span", { class: `chip ${fact.label}` }, LABELS[fact.label]), " ", fact.text, overrule ? overrule(fact) : "",
    evidence.length ? h("details", {}, h("summary", {}, plural(evidence.length, "place")), h("ul", {}, evidence)) : "");
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
