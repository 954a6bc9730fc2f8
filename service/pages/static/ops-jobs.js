// The list of jobs: running, failed with the reason, and a button to try again. Rows of running jobs are updated.

import { get, send } from "./api.js";
import { fill, h, quiet } from "./dom.js";
import { Row, STATES, active } from "./ops-job.js";
import { section, table } from "./ops-parts.js";
import { titleOf, trouble } from "./shell.js";
import { pause } from "./sse.js";

const [PAGE, BUSY_MS, IDLE_MS] = [8, 1500, 15_000];

/** What a job does. Only the newest of those that do the same can be tried again. */
const work = (job) => `${job.book} ${job.answer ?? ""}`;

export function jobs() {
  const said = h("div", { class: "small", "aria-live": "polite" });
  const state = h(
    "select",
    { id: "job-state", onchange: () => begin().catch(tell) },
    h("option", { value: "" }, "All"),
    Object.entries(STATES).map(([value, name]) => h("option", { value }, name)),
  );
  const held = h("div", {});
  const more = quiet("Show older jobs", () => look(turn, next).catch(tell));
  const titles = new Map();
  const latest = new Map();
  const tell = (error) => fill(said, trouble(error));
  let rows = new Map();
  let next = null;
  let turn = 0;
  let body;

  async function begin() {
    turn += 1;
    rows = new Map();
    body = null;
    await look(turn);
    watch(turn);
  }

  /** The newest jobs, or those after `cursor`. Existing rows are updated in place, so that focus stays. */
  async function look(mine, cursor) {
    const { items, next: following } = await get("/jobs", { state: state.value, limit: PAGE, cursor });
    const read = items.filter((job) => !active(job) && active(rows.get(job.id)?.job ?? job)); // these may have a title now
    await Promise.all(
      [...new Set(items.map((job) => job.book))]
        .filter((book) => !titles.has(book) || read.some((job) => job.book === book))
        .map(name),
    );
    if (mine !== turn) return;
    if (cursor || !body) next = following;
    if (!body) open(items.length);
    for (const job of items) if (!(latest.get(work(job)) > job.id)) latest.set(work(job), job.id);
    for (const job of cursor ? items : items.toReversed()) {
      if (!rows.has(job.id)) {
        rows.set(job.id, new Row(titles.get(job.book), act));
        body[cursor ? "append" : "prepend"](rows.get(job.id).element);
      }
      Object.assign(rows.get(job.id), { job, title: titles.get(job.book) });
    }
    for (const row of rows.values()) {
      const news = row.show(latest.get(work(row.job)) === row.job.id);
      if (news) fill(said, h("p", {}, news));
    }
    more.hidden = !next;
  }

  const name = async (book) => titles.set(book, await get(`/books/${book}`).then(titleOf, () => "Deleted book"));

  function open(any) {
    body = h("tbody", {});
    const shown = table("List of jobs", ["Book", "Status", "Details", "Started"], []);
    shown.querySelector("tbody").replaceWith(body);
    fill(
      held,
      shown,
      !any && h("p", { class: "soft" }, state.value ? "No jobs with this status." : "No jobs yet."),
      more,
    );
  }

  /** Polls often while a job is active, rarely otherwise, and never while the page is hidden. */
  async function watch(mine) {
    for (;;) {
      await pause([...rows.values()].some((row) => active(row.job)) ? BUSY_MS : IDLE_MS);
      if (mine !== turn || !held.isConnected) return;
      if (document.visibilityState === "visible") await look(mine).catch(() => {});
    }
  }

  async function act(job, what) {
    try {
      await send("POST", `/jobs/${job.id}/${what}`);
      if (what === "retry") fill(said, h("p", {}, `“${titles.get(job.book)}” is queued again.`));
      if (what === "retry" && state.value) {
        state.value = "";
        await begin();
      } else await look(turn);
    } catch (error) {
      tell(error);
    }
  }

  return section("jobs", "Jobs", "", async () => {
    await begin();
    return [h("p", { class: "row" }, h("label", { for: "job-state" }, "Status"), state), said, held];
  });
}
