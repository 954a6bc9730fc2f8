// The self-check: the share of supported facts by day, as a small chart for each generator and as a table.

import { get } from "./api.js";
import { h, number, plural, svg } from "./dom.js";
import { LABELS } from "./facts.js";
import { figure, percent, section, table } from "./ops-parts.js";

const VERDICTS = ["supported", "uncertain", "unsupported", "contradicted"];
const PERIODS = { 7: "7 days", 30: "30 days", 90: "90 days", 365: "365 days" };
const DAY = 86_400_000;
const day = (text) => Date.parse(`${text}T00:00:00Z`);
const short = (text) =>
  new Date(day(text)).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** By generator and judge, because scores of different judges cannot be compared; most facts first. */
function groups(items) {
  const found = new Map();
  for (const item of items) {
    const name = `${item.generator}, checked by ${item.judge}`;
    found.set(name, [...(found.get(name) ?? []), item]);
  }
  return [...found].sort(([, a], [, b]) => summed(b).facts - summed(a).facts);
}

function summed(items) {
  const sum = (of) => items.reduce((total, item) => total + of(item), 0);
  const facts = sum((item) => item.facts);
  return {
    answers: sum((item) => item.answers),
    facts,
    precision: facts ? sum((item) => item.verdicts.supported) / facts : null,
  };
}

/** A column for each day, as wide as the period allows, divided by verdict; supported facts are at the bottom. */
function columns(items, since, until) {
  const days = Math.round((day(until) - day(since)) / DAY) + 1;
  const bars = items
    .filter((item) => item.facts)
    .map((item) => {
      const x = Math.round((day(item.day) - day(since)) / DAY);
      let top = 100;
      const said = `${short(item.day)}: ${percent(item.precision)} of ${plural(item.facts, "fact")}`;
      return svg(
        "g",
        {},
        svg("title", {}, said),
        VERDICTS.map((verdict) => {
          const height = (100 * item.verdicts[verdict]) / item.facts;
          top -= height;
          return svg("rect", { class: verdict, x: x + 0.08, y: top, width: 0.84, height });
        }),
      );
    });
  const lines = [0, 50, 100].map((y) => svg("line", { x1: 0, x2: days, y1: y, y2: y }));
  return { days, bars, lines };
}

function chart(name, items, { since, until }) {
  const { answers, facts, precision } = summed(items);
  const { days, bars, lines } = columns(items, since, until);
  const measured = items.filter((item) => item.facts);
  const ends =
    measured.length > 1
      ? `, from ${percent(measured[0].precision)} on ${short(measured[0].day)} to ${percent(measured.at(-1).precision)} on ${short(measured.at(-1).day)}`
      : "";
  const said = `${percent(precision)} of ${plural(facts, "fact")} in ${plural(answers, "answer")} were supported${ends}.`;
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, h("strong", {}, name), h("br"), said),
    h(
      "div",
      { class: "plot" },
      h(
        "div",
        { class: "scale small soft", "aria-hidden": "true" },
        h("span", {}, "100 %"),
        h("span", {}, "50 %"),
        h("span", {}, "0 %"),
      ),
      svg(
        "svg",
        {
          viewBox: `0 0 ${days} 100`,
          preserveAspectRatio: "none",
          role: "img",
          "aria-label": `Facts by verdict and day, ${name}. ${said} The table below has the same figures.`,
        },
        lines,
        bars,
      ),
      h(
        "div",
        { class: "dates small soft", "aria-hidden": "true" },
        h("span", {}, short(since)),
        h("span", {}, short(until)),
      ),
    ),
    h("details", { class: "small" }, h("summary", {}, "Show as a table"), byDay(name, items)),
  );
}

const byDay = (name, items) =>
  table(
    `By day: ${name}`,
    ["Day", "#Supported %", "#Answers", "#Facts", ...VERDICTS.map((v) => `#${LABELS[v]}`)],
    items.toReversed().map((item) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, short(item.day)),
        figure(percent(item.precision)),
        figure(number(item.answers)),
        figure(number(item.facts)),
        VERDICTS.map((verdict) => figure(number(item.verdicts[verdict]))),
      ),
    ),
  );

export function precision() {
  const period = h(
    "select",
    { id: "period" },
    Object.entries(PERIODS).map(([days, name]) => h("option", { value: days, selected: days === "30" }, name)),
  );
  return section(
    "precision",
    "Self-check",
    "The share of facts in answers that Bookworm’s own check found supported by the book (PRISMA). Each answer counts once, with its first verdicts.",
    async (again) => {
      period.onchange = again;
      const found = await get("/operations/precision", { days: period.value });
      const legend = h(
        "p",
        { class: "legend small" },
        VERDICTS.map((verdict) =>
          h("span", {}, h("span", { class: `key ${verdict}`, "aria-hidden": "true" }), ` ${LABELS[verdict]} `),
        ),
      );
      const charts = groups(found.items).map(([name, items]) => chart(name, items, found));
      return [
        h("p", { class: "row" }, h("label", { for: "period" }, "Over the last"), period),
        charts.length
          ? [legend, h("div", { class: "charts" }, charts)]
          : h("p", { class: "soft" }, "No answers in this period. Open a person’s page to generate one."),
      ];
    },
  );
}
