// The health of the service: database, storage and engines.

import { get } from "./api.js";
import { coded, h, quiet } from "./dom.js";
import { ago, section, table } from "./ops-parts.js";

const STATES = { works: "OK", degraded: "Degraded", missing: "Unavailable" };
const DOES = {
  resolver: "finds people",
  embedder: "compares passages by meaning",
  retriever: "finds passages",
  generator: "writes answers",
  extractor: "finds facts in texts",
  judge: "checks facts",
};

export const health = () =>
  section("health", "Health", "", async (again) => {
    const answer = await (await fetch("/readyz")).json().catch(() => ({ status: "away" }));
    const said = {
      ready: "The service is healthy.",
      degraded: "The service is running, but some engines have problems.",
      away: "The service is unavailable.",
    }[answer.status];
    const wrong = [
      ["Database", answer.database],
      ["Storage", answer.store],
    ].filter(([, code]) => code !== "ok");
    return [
      h(
        "p",
        { class: answer.status === "ready" ? null : "warning" },
        h("strong", {}, said),
        wrong.map(([what, code]) => ` ${what}: ${(code ?? "not responding").replaceAll("_", " ")}.`),
      ),
      answer.status === "away" && quiet("Check again", again),
    ];
  });

const row = (engine) =>
  h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      engine.name,
      h(
        "span",
        { class: "soft" },
        ` ${engine.kind}, ${DOES[engine.kind] ?? ""}${engine.in_use ? "" : ", on request only"}`,
      ),
    ),
    h("td", {}, h("span", { class: `chip ${engine.health}` }, STATES[engine.health])),
    h(
      "td",
      { class: "small words" },
      coded(engine.detail),
      engine.remedy && h("p", { class: "remedy" }, coded(engine.remedy)),
      engine.stands_in &&
        h("p", { class: "remedy" }, `If its output cannot be used, “${engine.stands_in}” is used instead.`),
    ),
  );

export const engines = () =>
  section("engines", "Engines", "", async (again) => {
    const { items, looked } = await get("/operations/engines");
    const failing = items.filter((engine) => engine.in_use && engine.health !== "works").length;
    return [
      table("List of engines", ["Engine", "Status", "Details"], items.map(row)),
      h(
        "p",
        { class: "soft small" },
        failing ? `Engines in use with problems: ${failing}. ` : "All OK. ",
        "Checked ",
        ago(looked),
        ". ",
        quiet("Check again", again),
      ),
    ];
  });
