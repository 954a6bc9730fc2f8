// Answers that are written in the background, as jobs: they go on when the page is closed.

import { get, send } from "./api.js";
import { coded, fill, h, quiet } from "./dom.js";
import { gated } from "./gate.js";
import { Estimate } from "./lib-estimate.js";
import { active, doing } from "./ops-job.js";
import { trouble } from "./shell.js";
import { pause } from "./sse.js";

const [SHOWN, LOOK_MS] = [5, 1500];

/** The path and the parameters with which the answer of a job is asked for. */
function asking(job) {
  const { pathname, searchParams } = new URL(job.answer, location.origin);
  return [pathname.replace(/^\/v1/, ""), Object.fromEntries(searchParams)];
}

function titled(job) {
  const [path] = asking(job);
  const chapter = path.match(/\/chapters\/(\d+)\//)?.[1];
  if (chapter) return `Summary of chapter ${chapter}`;
  return path.endsWith("/recap") ? "Recap" : "Summary";
}

export class Ordered {
  /** `writing` shows what is written. */
  constructor(book, writing) {
    Object.assign(this, { book, writing });
    this.out = h("div", { class: "ordered", "aria-live": "polite" });
  }

  async order(path, params) {
    try {
      this.add(await send("POST", path, undefined, params));
    } catch (error) {
      fill(this.out, trouble(error));
    }
  }

  /** The newest jobs of the book, without those that have read further than the reader. */
  async recall() {
    const { items } = await get("/jobs", { book: this.book, kind: "answer", limit: SHOWN });
    const { upto } = gated(this.book);
    const seen = new Set();
    for (const job of items) {
      if (seen.has(job.answer) || job.state === "cancelled" || asking(job)[1].upto !== upto) continue;
      seen.add(job.answer);
      this.add(job, "append");
    }
    return this.out;
  }

  add(job, where = "prepend") {
    const row = h("div", { class: "state", "data-answer": job.answer });
    this.out.querySelectorAll(".state").forEach((old) => old.dataset.answer === job.answer && old.remove());
    this.out[where](row);
    this.follow(row, job);
  }

  async follow(row, job) {
    const name = titled(job);
    const bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of “${name}”` });
    const said = h("span", {}, "Queued");
    const left = new Estimate();
    const button = (words, act, kind = "quiet writes") => quiet(words, act, `${words}: ${name}`, kind);
    const act = async (what) => {
      try {
        this.add(await send("POST", `/jobs/${job.id}/${what}`));
      } catch (error) {
        fill(row, trouble(error));
      }
    };
    if (active(job)) {
      const stop = button("Cancel", () => {
        stop.disabled = true;
        send("POST", `/jobs/${job.id}/cancel`).catch((error) => fill(row, trouble(error)));
      });
      fill(row, h("p", {}, name), h("div", { class: "bar" }, bar, stop), h("p", { class: "small" }, said));
    }
    while (active(job)) {
      bar.value = job.progress;
      said.textContent = doing(job, left);
      await pause(LOOK_MS);
      if (!row.isConnected) return;
      job = await get(`/jobs/${job.id}`).catch(() => job);
    }
    if (job.state === "succeeded") {
      const show = () => this.writing.ask(...asking(job));
      fill(row, h("p", {}, `${name}: written. `, button("Show", show, "quiet")));
    } else if (job.state === "failed") {
      fill(
        row,
        h("p", {}, `${name}: ${job.error} `, button("Try again", () => act("retry"))),
        h("p", { class: "remedy" }, coded(job.remedy)),
      );
    } else {
      fill(row, h("p", {}, `${name}: cancelled. What is written already is kept. `, button("Go on", () => act("retry"))));
    }
  }
}
