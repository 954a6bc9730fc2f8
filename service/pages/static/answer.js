// An answer on the page: its sentences with their sources, and its cost.

import { h } from "./dom.js";
import { links } from "./shell.js";
import { set } from "./text.js";

const placed = ({ span }) => `${span.start}-${span.end}`;

/** All sources of an answer in order of first use, each once. */
function sources(sentences) {
  const found = new Map();
  for (const citation of sentences.flatMap((s) => s.citations)) {
    if (!found.has(placed(citation))) found.set(placed(citation), { ...citation, number: found.size + 1 });
  }
  return found;
}

/** Links to the sources of a sentence. Hovering shows the quote; the reader also highlights the first person named. */
function cited(book, sentence, all) {
  return sentence.citations.map((citation) => {
    const { number, quote, chapter } = all.get(placed(citation));
    return h(
      "a",
      {
        class: "cite",
        href: links.reader(book, citation.span, sentence.characters[0]),
        "aria-label": `Source ${number}, chapter ${chapter}`,
      },
      number,
      h("span", { class: "peek", "aria-hidden": "true" }, h("b", {}, `Chapter ${chapter}`), " ", set(quote)),
    );
  });
}

/** What is said of a sentence that the book does not bear out. */
const DOUBTS = { contradicted: "the book says otherwise", unsupported: "not borne out by the book" };

function doubted(sentence) {
  if (sentence.doubt) return `A fact of it: ${DOUBTS[sentence.doubt]}`;
  return sentence.citations.length || sentence.remark ? null : "No supporting passage was found";
}

export function text(book, answer) {
  const all = sources(answer.sentences);
  const blocks = [];
  answer.sentences.forEach((sentence, at) => {
    if (sentence.heading) blocks.push(h("h3", {}, sentence.heading));
    if (sentence.line || !blocks.length || blocks.at(-1).tagName !== "P") blocks.push(h("p", {}));
    const said = h(
      "span",
      {
        "data-sentence": at,
        class: doubted(sentence) ? "unsupported" : "",
        title: doubted(sentence),
      },
      sentence.text,
    );
    const doubt = sentence.doubt ? h("span", { class: "doubt small" }, ` (${DOUBTS[sentence.doubt]})`) : "";
    blocks.at(-1).append(said, doubt, ...cited(book, sentence, all), " ");
  });
  return h("div", { class: "answer" }, blocks);
}

/** The same sources as a list. */
export function sourceList(book, answer) {
  const all = [...sources(answer.sentences).values()];
  if (!all.length) return "";
  return h(
    "details",
    { class: "sources" },
    h("summary", {}, all.length === 1 ? "1 source" : `${all.length} sources`),
    h(
      "ol",
      { class: "passages" },
      all.map((c) =>
        h("li", {}, h("a", { href: links.reader(book, c.span) }, `ch. ${c.chapter}`), " ", h("q", {}, set(c.quote))),
      ),
    ),
  );
}

/** The name of a server's model, also of one that checks; other names as they are. */
export const short = (engine) => /openai\/\d+:(.+?)(?:\+(?:judging|facts)\/.*)?$/.exec(engine)?.[1] ?? engine;

export function cost(answer) {
  const { usage, kept, provenance: from } = answer;
  const tokens = (used) => `${used.calls} calls, ${used.prompt_tokens} + ${used.completion_tokens} tokens`;
  return h(
    "p",
    { class: "soft small" },
    `Written by ${short(from.generator)}, checked by ${short(from.judge)}, in ${usage.seconds.toFixed(2)} s${usage.calls ? `, ${tokens(usage)}` : ""}.`,
    kept.calls > 0 && ` Kept from before: ${tokens(kept)}.`,
    (answer.notes ?? []).map((n) => ` ${n}`),
  );
}
