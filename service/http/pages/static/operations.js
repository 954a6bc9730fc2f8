// For whoever runs the service: what it does, what it can't, how quick it is.

import { all, send } from "./api.js";
import { date, fill, h, number, plural } from "./dom.js";
import { links, show, titleOf, trouble } from "./shell.js";

const said = h("div", { "aria-live": "polite" });
const JOBS = 50;

async function health() {
  let answer;
  try {
    answer = await (await fetch("/readyz")).json();
  } catch {
    return h("p", { class: "trouble" }, "The service does not answer.");
  }
  const rows = [["Database", answer.database], ["Storage", answer.store], ...Object.entries(answer.degraded ?? {})];
  return h("dl", { class: "facts" }, h("dt", {}, "Service"), h("dd", {}, answer.status), rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
}

function jobs(items, titles) {
  const cancel = async (job) => {
    try {
      await send("POST", `/jobs/${job.id}/cancel`);
      await render();
    } catch (error) {
      fill(said, trouble(error));
    }
  };
  const row = (job) => h("tr", {},
    h("td", {}, date(job.created)), h("th", { scope: "row" }, titles.has(job.book) ? h("a", { href: links.book(job.book) }, titles.get(job.book)) : job.book),
    h("td", {}, job.state, job.state === "running" ? ` ${Math.round(100 * job.progress)} %` : ""),
    h("td", {}, job.error ? [job.error, " ", h("span", { class: "soft" }, job.remedy ?? "")] : Object.entries(job.timings).map(([stage, seconds]) => `${stage} ${seconds.toFixed(1)} s`).join(", ")),
    h("td", {}, ["queued", "running"].includes(job.state) && h("button", { class: "quiet", type: "button", onclick: () => cancel(job) }, "Cancel")));
  return table("Jobs", ["When", "Book", "State", "What happened", ""], items.map(row));
}

const table = (name, heads, rows) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
  h("table", {}, h("thead", {}, h("tr", {}, heads.map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, rows)));

/** By route, from the sums and counts that /metrics tells. */
async function slowest() {
  const text = await (await fetch("/metrics")).text().catch(() => "");
  const seen = new Map();
  for (const [, which, labels, value] of text.matchAll(/^bookworm_request_seconds_(sum|count)\{([^}]*)\} ([\d.e+-]+)$/gm)) {
    const route = /route="([^"]*)"/.exec(labels)?.[1];
    const method = /method="([^"]*)"/.exec(labels)?.[1];
    const name = `${method} ${route}`;
    const held = seen.get(name) ?? { sum: 0, count: 0 };
    held[which] += Number(value);
    seen.set(name, held);
  }
  const rows = [...seen].filter(([, m]) => m.count).map(([name, m]) => [name, m.count, (1000 * m.sum) / m.count]).sort((a, b) => b[2] - a[2]).slice(0, 12);
  return rows.length ? table("Slowest requests", ["Request", "How many", "Mean"], rows.map(([name, count, ms]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "count" }, number(count)), h("td", { class: "count" }, `${ms.toFixed(1)} ms`))))
    : h("p", { class: "soft" }, "Nothing measured yet.");
}

async function page() {
  const [books, recent] = await Promise.all([all("/books"), all("/jobs", {}, JOBS)]);
  const titles = new Map(books.map((b) => [b.id, titleOf(b)]));
  const failed = recent.filter((j) => j.state === "failed").length;
  return [h("h1", {}, "Operations"), said, h("h2", {}, "Health"), later(health),
    h("h2", {}, "Jobs"), h("p", { class: "soft" }, `${plural(recent.length, "job")} shown, ${failed} failed.`), jobs(recent, titles),
    h("h2", {}, "Slowest requests"), later(slowest)];
}

/** A part of the page that may take its time: engines are tried before they are called sound. */
function later(make) {
  const part = h("div", { "aria-busy": "true" }, h("p", { class: "soft" }, "Looking …"));
  make().then((found) => fill(part, found), (error) => fill(part, trouble(error))).finally(() => part.removeAttribute("aria-busy"));
  return part;
}

const render = () => show(page);
render();
