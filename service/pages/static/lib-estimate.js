// Time left as a reader wants it: a rough word that counts down, and does not jump with every new guess.

const NEWS = 0.35; // how much a new guess counts against those before it
const LONGER = 1.5; // it may grow only when it is clearly wrong: by so much, and so many seconds
const MORE = 15;

export class Estimate {
  constructor(now = () => performance.now() / 1000) {
    this.now = now;
    this.end = null;
    this.shown = null;
  }

  /** The service guesses so many seconds. */
  hear(seconds) {
    const end = this.now() + seconds;
    this.end = this.end === null ? end : this.end + NEWS * (end - this.end);
  }

  /** "about 20 seconds left", or nothing while nobody knows. */
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
