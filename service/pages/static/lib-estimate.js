// The time left in rough words. It counts down and does not jump with every new estimate.

const NEWS = 0.35; // the weight of a new estimate against earlier ones
const LONGER = 1.5; // it grows only when clearly wrong: by this factor plus the seconds below
const MORE = 15;

export class Estimate {
  constructor(now = () => performance.now() / 1000) {
    this.now = now;
    this.end = null;
    this.shown = null;
  }

  /** Takes a new estimate of the service, in seconds. */
  hear(seconds) {
    const end = this.now() + seconds;
    this.end = this.end === null ? end : this.end + NEWS * (end - this.end);
  }

  /** "about 20 seconds left", or nothing before the first estimate. */
  words() {
    if (this.end === null) return "";
    const left = Math.max(0, this.end - this.now());
    if (this.shown === null || left < this.shown || left > LONGER * this.shown + MORE) this.shown = left;
    return said(this.shown);
  }
}

function said(seconds) {
  if (seconds < 8) return "a few seconds left";
  if (seconds < 50) return `about ${Math.ceil(seconds / 10) * 10} seconds left`;
  if (seconds < 90) return "about a minute left";
  return `about ${Math.round(seconds / 60)} minutes left`;
}
