// Building blocks of the operations page: sections that load themselves, tables, readable figures.

import { fill, h } from "./dom.js";
import { trouble } from "./shell.js";

/** A section that loads its own content and shows its own errors. */
export function section(id, title, about, make) {
  const part = h("div", { "aria-busy": "true" }, h("p", { class: "soft" }, "Loading …"));
  const again = async () => {
    part.setAttribute("aria-busy", "true");
    try {
      fill(part, await make(again));
    } catch (error) {
      fill(part, trouble(error));
    }
    part.removeAttribute("aria-busy");
  };
  again();
  return h(
    "section",
    { class: "operation", "aria-labelledby": id },
    h("h2", { id, tabindex: "-1" }, title),
    about && h("p", { class: "soft small" }, about),
    part,
  );
}

export const table = (name, heads, rows) =>
  h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) =>
            h("th", { scope: "col", class: head.startsWith("#") ? "count" : null }, head.replace("#", "")),
          ),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );

export const figure = (value) => h("td", { class: "count" }, value);

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];
/** Zero is shown as a dash, so that it does not distract. */
export function bytes(count) {
  if (!count) return "–";
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** power;
  return `${power && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

export function duration(ms) {
  if (ms < 1) return "under 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.round((ms % 60_000) / 1000)];
  if (minutes < 10) return `${minutes} min ${seconds} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [
  ["second", 1],
  ["minute", 60],
  ["hour", 3600],
  ["day", 86_400],
];
/** "3 minutes ago", or a date if it was more than a week ago; hovering shows the exact time. */
export function ago(text) {
  const when = new Date(text);
  const seconds = (when - Date.now()) / 1000;
  const [unit, size] = STEPS.findLast(([, step]) => Math.abs(seconds) >= step) ?? STEPS[0];
  const said =
    Math.abs(seconds) < 10
      ? "just now"
      : Math.abs(seconds) > 7 * 86_400
        ? when.toLocaleDateString("en", { dateStyle: "medium" })
        : words.format(Math.round(seconds / size), unit);
  return h("time", { datetime: text, title: when.toLocaleString("en") }, said);
}

export const percent = (share) => (share === null ? "–" : `${Math.round(100 * share)} %`);
