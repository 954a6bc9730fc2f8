// Requests an answer, shows it while it is being generated, and then in full with downloads.

import { cost, short, sourceList, text } from "./answer.js";
import { Problem } from "./api.js";
import { copyText } from "./copy.js";
import { fill, h, languageOf, quiet, save } from "./dom.js";
import { facts } from "./facts.js";
import { trouble } from "./shell.js";
import { events } from "./sse.js";

const GENERATORS = { offline: "Offline", llama: "Llama", openai: "Language model server" };
const RETRIEVERS = {
  "": "Default",
  telling: "Sentences that say most of the person",
  mentions: "Mentions of the person",
  bm25: "Keyword search (BM25)",
};

const LANGUAGES = { "": "The language of the book", en: "English", zh: "Chinese (中文)", "zh-Hant": "Chinese (繁體中文)" };

const option = ([value, words]) => h("option", { value }, words);

/** The engines that are there, as pairs of name and words, the default one first. */
async function engines() {
  const { generator, model, generators } = await (await fetch("/readyz")).json();
  const words = (name) => (name === generator && model ? model : (GENERATORS[name] ?? name));
  return [generator, ...generators.filter((name) => name !== generator)].map((name) => [name, words(name)]);
}

/** Offer the engines that are there, and say which one is the default. */
async function offer(select) {
  const [[, usual], ...others] = await engines();
  fill(select, [["", `${usual} (default)`], ...others].map(option));
}

/** Offer the language models that are there. Returns whether there is one. */
export async function offerModels(select) {
  const models = (await engines()).filter(([name]) => name !== "offline");
  select.append(...models.map(option));
  return models.length > 0;
}

/** The fields of a form that asks for an answer. */
export const choosing = {
  list: (id, label, entries) => [
    h("label", { for: id }, label),
    h(
      "select",
      { id, name: id },
      Object.entries(entries).map(option),
    ),
  ],
  engine() {
    const fields = choosing.list("generator", "Engine", { "": "Default" });
    offer(fields[1]).catch(() => {}); // the default remains
    return fields;
  },
  language: () => choosing.list("language", "Answer in", LANGUAGES),
  length: () => [
    h("label", { for: "words" }, "Length in words"),
    h("input", { id: "words", name: "words", type: "number", min: 10, max: 2000, placeholder: "auto" }),
  ],
};

export function how() {
  return h(
    "details",
    {},
    h("summary", {}, "Options"),
    h(
      "div",
      { class: "row" },
      choosing.engine(),
      choosing.list("retriever", "Passages from", RETRIEVERS),
      choosing.language(),
      choosing.length(),
    ),
  );
}

const storyOf = ({ task, chapter, question }) =>
  question ?? (chapter ? `Chapter ${chapter}` : task === "recap" ? "Recap" : "Summary");

export class Writing {
  constructor(book) {
    this.book = book;
    this.out = h("div", { class: "output", "aria-live": "polite" });
    this.asked = new AbortController();
  }

  /** Returns the answer, or the problem. Only the latest request counts: an earlier one is aborted. */
  async ask(path, params, body) {
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    const draft = h("p", { class: "draft" });
    fill(this.out, draft);
    this.out.setAttribute("aria-busy", "true");
    try {
      for await (const { event, data } of events(path, {
        params: { ...params, stream: true },
        body,
        signal,
      })) {
        if (event === "text") {
          draft.append(data.text);
          draft.lang ||= languageOf(draft.textContent) ?? "";
        }
        if (event === "thinking" && !draft.hasChildNodes()) {
          fill(this.out, h("p", { class: "quiet" }, "The model is thinking …"), draft);
        }
        if (event === "progress" && !draft.hasChildNodes()) {
          fill(this.out, h("p", { class: "quiet" }, `${data.done} of ${data.parts} texts on parts of the book are written …`), draft);
        }
        if (event === "again") fill(draft);
        if (event === "answer") {
          fill(this.out, this.whole(data));
          return { answer: data };
        }
        if (event === "error") throw new Problem(data.status ?? 500, data);
      }
    } catch (error) {
      if (error.name !== "AbortError") fill(this.out, trouble(error));
      return { problem: error };
    } finally {
      if (!signal.aborted) this.out.removeAttribute("aria-busy");
    }
    return {};
  }

  whole(answer) {
    const name = answer.characters.map((c) => c.name).join(", ") || storyOf(answer);
    const written = text(this.book, answer);
    const told = (fact) =>
      written
        .querySelectorAll("[data-sentence]")
        .forEach((s) => s.classList.toggle("told", Number(s.dataset.sentence) === fact?.sentence));
    return [
      answer.rejected &&
        h(
          "p",
          { class: "warning" },
          `${short(answer.rejected.generator)} gave no usable answer (${answer.rejected.reason}). This is the offline answer.`,
        ),
      written,
      sourceList(this.book, answer),
      h(
        "div",
        { class: "row" },
        copyText("Copy", () => answer.text),
        download("Download Markdown", `${name}.md`, "text/markdown", () => answer.markdown),
        download("Download JSON", `${name}.json`, "application/json", () => JSON.stringify(answer, null, 2)),
      ),
      cost(answer),
      // Quotations that tell the story have no facts to be checked.
      answer.sentences.every((s) => s.remark) ? "" : facts(this.book, answer.facts, { told }),
    ];
  }
}

const download = (words, file, type, content) =>
  quiet(words, () => save(file, new Blob([content()], { type })));
