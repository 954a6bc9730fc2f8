// Whether the service can work: database and storage, and each engine in use.

import { get } from "./api.js";
import { h } from "./dom.js";
import { ago, coded, quiet, section, table } from "./ops-parts.js";

const STATES = { works: "works", degraded: "in part", missing: "does not work" };
const DOES = {
  resolver: "finds the people",
  embedder: "tells what passages mean",
  retriever: "finds passages",
  generator: "writes",
  extractor: "finds the facts in texts",
  judge: "checks facts",
};

export const health = () =>
  section("health", "Health", "", async (again) => {
    const answer = await (await fetch("/readyz")).json().catch(() => ({ status: "away" }));
    const said = {
      ready: "The service works.",
      degraded: "The service works, but not all of its engines do.",
      away: "The service cannot work now.",
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
        wrong.map(([what, code]) => ` ${what}: ${(code ?? "does not answer").replaceAll("_", " ")}.`),
      ),
      answer.status === "away" && quiet("Look again", again),
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
        ` ${engine.kind}, ${DOES[engine.kind] ?? ""}${engine.in_use ? "" : " when asked for by name"}`,
      ),
    ),
    h("td", {}, h("span", { class: `chip ${engine.health}` }, STATES[engine.health])),
    h(
      "td",
      { class: "small words" },
      coded(engine.detail),
      engine.remedy && h("p", { class: "remedy" }, coded(engine.remedy)),
      engine.stands_in &&
        h("p", { class: "remedy" }, `When what it writes is not fit to be shown, “${engine.stands_in}” stands in.`),
    ),
  );

export const engines = () =>
  section("engines", "Engines", "", async (again) => {
    const { items, looked } = await get("/operations/engines");
    const failing = items.filter((engine) => engine.in_use && engine.health !== "works").length;
    return [
      table("List of engines", ["Engine", "State", "What is known"], items.map(row)),
      h(
        "p",
        { class: "soft small" },
        failing ? `${failing} in use do not fully work. ` : "All in use work. ",
        "Tried ",
        ago(looked),
        ". ",
        quiet("Try them again", again),
      ),
    ];
  });
