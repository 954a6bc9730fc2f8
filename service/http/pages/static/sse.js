// Server-sent events over fetch, because an EventSource can send no key; a lost connection is taken up again.

import { Problem, request } from "./api.js";

const WAITS = [500, 1000, 2000, 4000, 8000];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Events of a stream until it ends: {event, data, id}. With `resume`, a broken one goes on after the last id. */
export async function* events(path, { params, signal, resume = false } = {}) {
  let last = null;
  for (let failures = 0; ; ) {
    try {
      const headers = last === null ? {} : { "Last-Event-ID": last };
      const answer = await request(path, { params, signal, headers: { Accept: "text/event-stream", ...headers } });
      for await (const event of frames(answer.body)) {
        failures = 0;
        if (event.id) last = event.id;
        yield event;
      }
      return;
    } catch (error) {
      const lasting = error instanceof Problem && error.status !== 0;
      if (!resume || error.name === "AbortError" || lasting) throw error;
      await pause(WAITS[Math.min(failures++, WAITS.length - 1)]);
    }
  }
}

async function* frames(body) {
  let held = "";
  for await (const chunk of pieces(body.pipeThrough(new TextDecoderStream()))) {
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
