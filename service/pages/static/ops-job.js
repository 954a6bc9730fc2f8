// A job as a row of a table. The row is updated as the job goes on and never replaced.

import { coded, fill, h, plural, quiet } from "./dom.js";
import { Estimate } from "./lib-estimate.js";
import { STAGES } from "./lib-progress.js";
import { ago, duration } from "./ops-parts.js";
import { links } from "./shell.js";

export const STATES = {
  queued: "Queued",
  running: "Running",
  succeeded: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};
const SURE = 0.05; // share of the work: estimates before it may be hours off
export const active = (job) => job.state === "queued" || job.state === "running";

/** What an unfinished job does, how far it is, and the time left, of which `left` hears. */
export function doing({ progress, seconds_left, stage, state, cancel_requested: stopping }, left) {
  if (seconds_left !== null && progress >= SURE) left.hear(seconds_left);
  const what = stopping ? "Cancelling" : state === "queued" ? "Queued" : (STAGES[stage] ?? "Starting");
  return [what, progress > 0 && `${Math.round(100 * progress)} %`, !stopping && left.words()]
    .filter(Boolean)
    .join(" · ");
}

export class Row {
  constructor(title, act) {
    Object.assign(this, { title, act, job: null, shown: null });
    this.element = h("tr", { tabindex: "-1" });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of “${title}”` });
    this.stage = h("span", {});
    this.left = new Estimate();
  }

  /** Shows the current state and returns a message if it changed. Only the newest of its work can be retried. */
  show(newest) {
    const { state, cancel_requested: stopping } = this.job;
    if (active(this.job)) this.tell();
    const now = [state, stopping, newest].join();
    if (now === this.shown) return null;
    const news = this.shown !== null && !this.shown.startsWith(`${state},`) && !active(this.job);
    this.shown = now;
    const focused = this.element.contains(document.activeElement);
    fill(this.element, this.cells(newest));
    if (focused) (this.element.querySelector("button") ?? this.element).focus();
    return news ? `“${this.title}”: ${STATES[state]}.` : null;
  }

  tell() {
    this.bar.value = this.job.progress;
    this.stage.textContent = doing(this.job, this.left);
  }

  cells(newest) {
    const { job, title } = this;
    const whole = Object.values(job.timings).reduce((sum, seconds) => sum + seconds, 0);
    const took = Object.entries(job.timings)
      .map(([stage, seconds]) => `${stage} ${duration(1000 * seconds)}`)
      .join(", ");
    return [
      h("th", { scope: "row" }, h("a", { href: links.book(job.book) }, title)),
      h("td", {}, h("span", { class: `chip ${job.state}` }, STATES[job.state]), this.change(newest)),
      h(
        "td",
        { class: "small words" },
        active(job) && [this.bar, h("br"), this.stage],
        job.error,
        job.state === "failed" && h("p", { class: "remedy" }, coded(job.remedy)),
        job.state === "succeeded" &&
          whole > 0 && [`Took ${duration(1000 * whole)}`, h("span", { class: "soft" }, ` (${took})`)],
      ),
      h("td", { class: "soft small" }, ago(job.created), job.attempts > 1 && `, ${plural(job.attempts, "attempt")}`),
    ];
  }

  /** The button for the job, next to its state, where it is visible on a phone too. */
  change(newest) {
    const { job, title } = this;
    const button = (words, what, label) => quiet(words, () => this.act(job, what), label, "quiet writes");
    if (active(job)) return !job.cancel_requested && button("Cancel", "cancel", `Cancel processing ${title}`);
    return newest && job.retryable && button("Try again", "retry", `Try again: ${title}`);
  }
}
