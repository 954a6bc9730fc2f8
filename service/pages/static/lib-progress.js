// Shows the progress of books being processed: a few at a time, the oldest first, as the service does.

import { get, Problem, send } from "./api.js";
import { fill, h, quiet } from "./dom.js";
import { Estimate } from "./lib-estimate.js";
import { titleOf, trouble } from "./shell.js";
import { events, pause } from "./sse.js";

export const STAGES = {
  read: "Step 1 of 4: Reading the text",
  resolve: "Step 2 of 4: Identifying people",
  index: "Step 3 of 4: Building the search index",
  publish: "Step 4 of 4: Adding it to the library",
  write: "Writing an answer",
};
const SURE = 0.08; // before this share is done, the service estimates from earlier books
const AT_ONCE = 2; // each uses one of the browser's six connections
const PAUSE_MS = 1500;
const works = (job) => ["queued", "running"].includes(job?.state);
const waiting = [];
let open = 0;

/**
 * Shows the progress of a book in `state`, and calls `done` when it is ready, failed or cancelled. If that cannot be
 * known, calls `lost` with the error.
 */
export function follow(book, state, done, lost = (error) => fill(state, trouble(error))) {
  const shown = new Shown(book, state);
  waiting.push(() => watched(book, shown).then(done, lost));
  next();
}

/** Waits until a job for a book has ended; throws its error if it did not succeed. */
export async function finished(book, { id }, state, remedy) {
  let job;
  // A book that is processed again is ready all the time, and its events may end before its job does.
  do {
    if (job) await pause(PAUSE_MS);
    await new Promise((done, lost) => follow(book, state, done, lost));
    job = await get(`/jobs/${id}`);
  } while (works(job));
  if (job.state !== "succeeded")
    throw new Problem(0, {
      code: job.state,
      detail: job.error ?? "The book was not processed again.",
      remedy: job.remedy ?? remedy,
    });
}

async function next() {
  if (open >= AT_ONCE || !waiting.length) return;
  open += 1;
  try {
    await waiting.shift()();
  } finally {
    open -= 1;
    next();
  }
}

/** The book once no job works on it any more, which may have been cancelled; null if the book was deleted. */
async function watched(book, shown) {
  let after = null;
  try {
    for (;;) {
      for await (const event of events(`/books/${book.id}/events`, { resume: true, after })) {
        if (!shown.state.isConnected) return null;
        after = event.id ?? after;
        shown.hear(event);
      }
      const now = await get(`/books/${book.id}`);
      if (now.state !== "pending") return now;
      const {
        items: [job],
      } = await get("/jobs", { book: book.id, kind: "ingest", limit: 1 });
      if (!works(job)) return { ...now, state: "stopped" };
      await pause(PAUSE_MS);
    }
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  } finally {
    shown.close();
  }
}

class Shown {
  constructor(book, state) {
    const name = titleOf(book);
    this.book = book;
    this.state = state;
    this.bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of “${name}”` });
    this.stage = h("span", {}, "Queued");
    this.rest = h("span", { class: "soft" });
    this.cancel = quiet("Cancel", () => this.stop(), `Cancel processing “${name}”`, "quiet writes");
    fill(
      state,
      h("div", { class: "bar" }, this.bar, this.cancel),
      h("p", { class: "small" }, h("span", { role: "status" }, this.stage), this.rest),
    );
    this.start(null);
    this.clock = setInterval(() => this.tell(), 1000);
  }

  start(job) {
    this.job = job;
    this.bar.value = 0;
    this.share = 0;
    this.left = new Estimate();
  }

  hear({ event, data }) {
    if (data.job && data.job !== this.job) this.start(data.job);
    const { stage, job_progress: share, seconds_left: left } = data.data ?? {};
    if (event === "job.started") this.say("Starting");
    if (event === "stage.started") this.say(STAGES[stage] ?? stage);
    if (share !== undefined) this.share = Math.max(this.share, share);
    if (left !== undefined && this.share >= SURE) this.left.hear(left);
    this.tell();
  }

  say(words) {
    if (this.stage.textContent !== words) this.stage.textContent = words;
  }

  tell() {
    this.bar.value = this.share;
    const known = [this.share > 0 && `${Math.round(100 * this.share)} %`, this.left.words()].filter(Boolean);
    this.rest.textContent = known.length ? ` · ${known.join(" · ")}` : "";
  }

  async stop() {
    this.cancel.disabled = true;
    this.say("Cancelling");
    try {
      const job = this.job ?? (await get("/jobs", { book: this.book.id, kind: "ingest", limit: 1 })).items[0]?.id;
      if (job) await send("POST", `/jobs/${job}/cancel`);
    } catch (error) {
      this.say(error.message);
      this.cancel.disabled = false;
    }
  }

  close() {
    clearInterval(this.clock);
  }
}
