// Watching books being read: a few at a time, the oldest first, as they are read.

import { get, send } from "./api.js";
import { fill, h } from "./dom.js";
import { Estimate } from "./lib-estimate.js";
import { titleOf, trouble } from "./shell.js";
import { events, pause } from "./sse.js";

export const STAGES = {
  read: "Reading the text",
  resolve: "Finding out who is who",
  index: "Learning to search it",
  publish: "Putting it on the shelf",
};
const SURE = 0.08; // before that much is done, the service guesses by other books and another day
const AT_ONCE = 2; // each holds one of the browser's six connections
const waiting = [];
let open = 0;

/** Shows in `state` how far a book is, and says so when it is done, failed or cancelled. */
export function follow(book, state, done) {
  const shown = new Shown(book, state);
  waiting.push(() => watched(book, shown).then(done, (error) => fill(state, trouble(error))));
  next();
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

/** The book as it is when no job is at it any more, perhaps stopped before it was read; null when it is gone. */
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
      } = await get("/jobs", { book: book.id, limit: 1 });
      if (!["queued", "running"].includes(job?.state)) return { ...now, state: "stopped" };
      await pause(1500);
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
    this.bar = h("progress", { max: 1, value: 0, "aria-label": `How far “${name}” is` });
    this.stage = h("span", {}, "Waiting its turn");
    this.rest = h("span", { class: "soft" });
    this.cancel = h(
      "button",
      { class: "quiet", type: "button", "aria-label": `Stop reading “${name}”`, onclick: () => this.stop() },
      "Stop",
    );
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
    if (event === "job.started") this.say("Beginning");
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
    this.say("Stopping");
    try {
      const job = this.job ?? (await get("/jobs", { book: this.book.id, limit: 1 })).items[0]?.id;
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
