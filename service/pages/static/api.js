// Client for the public HTTP API. The pages use nothing else, so any client can do what they do.

const KEY = "bookworm.key";

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || "The server sent an unexpected response.");
    Object.assign(this, { status, code: body.code || "unknown", remedy: body.remedy || "", body });
  }
}

export const key = {
  get: () => localStorage.getItem(KEY),
  set: (value) => (value ? localStorage.setItem(KEY, value) : localStorage.removeItem(KEY)),
};

export function address(path, params = {}) {
  const wanted = Object.entries(params).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((v) => v !== null && v !== undefined && v !== "")
      .map((v) => [name, v]),
  );
  const query = new URLSearchParams(wanted).toString();
  return `/v1${path}${query ? `?${query}` : ""}`;
}

export async function request(path, { method = "GET", params, body, form, signal, headers = {} } = {}) {
  const sent = { ...headers };
  if (key.get()) sent.Authorization = `Bearer ${key.get()}`;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address(path, params), {
      method,
      signal,
      headers: sent,
      body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, {
      code: "away",
      detail: "The server is not responding.",
      remedy: "Check that it is running, then try again.",
    });
  }
  if (answer.ok) return answer;
  throw new Problem(answer.status, await answer.json().catch(() => ({})));
}

export async function get(path, params, options = {}) {
  return (await request(path, { params, ...options })).json();
}

export async function send(method, path, body, params, options = {}) {
  const answer = await request(path, { method, body, params, ...options });
  return answer.status === 204 ? null : answer.json();
}

const unanswered = new Map();

/** Sends a correction of a book. If its answer does not arrive and it is sent again, it is stored once. */
export async function correct(book, decision) {
  const sent = JSON.stringify([book, decision]);
  if (!unanswered.has(sent)) unanswered.set(sent, crypto.getRandomValues(new Uint32Array(4)).join("-"));
  const headers = { "Idempotency-Key": unanswered.get(sent) };
  const made = await send("POST", `/books/${book}/decisions`, decision, undefined, { headers });
  unanswered.delete(sent);
  return made;
}

/** All items of a list, fetched page by page, up to `most`. */
export async function all(path, params = {}, most = 1000) {
  const items = [];
  let cursor;
  do {
    const page = await get(path, { ...params, cursor, limit: Math.min(100, most - items.length) });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}
