// Server-sent events over fetch, because an EventSource cannot send a key. Lost connections are resumed.

import { Problem, request } from "./api.js";

const WAITS = [500, 1000, 2000, 4000, 8000];
const SILENCE = 40_000; // the service sends a heartbeat every fifteen seconds
const PASSING = new Set([0, 408, 429]);

/**
 * The events of a stream until it ends: {event, data, id}, each once. With `resume`, a broken stream continues after
 * the last id, and none is kept open while the page is hidden: a browser has only six connections per site.
 */
export async function* events(path, { params, body, signal, resume = false, after = null } = {}) {
  let last = after;
  for (let failures = 0; ;) {
    if (resume) await seen(signal);
    const line = new Line(signal, resume);
    try {
      const headers = last === null ? {} : { "Last-Event-ID": String(last) };
      const answer = await request(path, {
        method: body === undefined ? "GET" : "POST",
        params,
        body,
        signal: line.signal,
        headers: { Accept: "text/event-stream", ...headers },
      });
      for await (const event of frames(answer.body, line)) {
        if (resume && event.event === "error") throw new Problem(event.data.status, event.data);
        failures = 0;
        if (event.id !== null && last !== null && Number(event.id) <= Number(last)) continue;
        last = event.id ?? last;
        yield event;
      }
      return;
    } catch (error) {
      if (!resume || signal?.aborted || lasting(error)) throw error;
    } finally {
      line.close();
    }
    await pause(WAITS[Math.min(failures++, WAITS.length - 1)], signal);
  }
}

const lasting = (error) => error instanceof Problem && !PASSING.has(error.status) && error.status < 500;

/** One connection: closed with the stream and, if it can be resumed, when it is silent or the page is hidden. */
class Line {
  constructor(signal, resume) {
    const own = new AbortController();
    this.signal = own.signal;
    this.whole = signal;
    this.cut = () => own.abort();
    this.look = () => resume && document.hidden && own.abort();
    if (signal?.aborted) own.abort();
    signal?.addEventListener("abort", this.cut);
    document.addEventListener("visibilitychange", this.look);
    this.patience = resume ? SILENCE : null;
    this.heard();
  }

  heard() {
    clearTimeout(this.timer);
    if (this.patience) this.timer = setTimeout(this.cut, this.patience);
  }

  close() {
    clearTimeout(this.timer);
    this.whole?.removeEventListener("abort", this.cut);
    document.removeEventListener("visibilitychange", this.look);
  }
}

/** Waits for the event, the timeout or the abort, whichever comes first. */
function first(target, name, signal, ms) {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      target.removeEventListener(name, end);
      signal?.removeEventListener("abort", end);
      done();
    };
    const timer = ms === undefined ? undefined : setTimeout(end, ms);
    target.addEventListener(name, end);
    signal?.addEventListener("abort", end);
  });
}

async function seen(signal) {
  while (document.hidden && !signal?.aborted) await first(document, "visibilitychange", signal);
}

export const pause = (ms, signal) => first(window, "online", signal, ms);

async function* frames(body, line) {
  let held = "";
  for await (const chunk of pieces(body.pipeThrough(new TextDecoderStream()))) {
    line.heard();
    held += chunk.replaceAll("\r\n", "\n");
    for (let at; (at = held.indexOf("\n\n")) >= 0; held = held.slice(at + 2)) {
      const event = parsed(held.slice(0, at));
      if (event) yield event;
    }
  }
}

async function* pieces(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(frame) {
  const event = { event: "message", data: [], id: null };
  for (const line of frame.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") event.data.push(value);
    else if (name === "event" || name === "id") event[name] = value;
  }
  return event.data.length ? { ...event, data: JSON.parse(event.data.join("\n")) } : null;
}
