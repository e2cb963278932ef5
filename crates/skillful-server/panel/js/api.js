// Talking to the server: one way for all requests, with the token where there is one.
const BASE = "/api/v1";
const TOKEN = "skillful-token";

/** A request that failed, as the server tells it (RFC 9457). */
export class Problem extends Error {
  constructor({ title, detail, status = 0, kind = "unavailable", hints = [], ...more }) {
    super(detail || title || "The request failed.");
    Object.assign(this, { title, status, kind, hints, more });
  }
}

const signInListeners = new Set();

/** Calls back whenever the server asks for a token that it did not get. */
export function onSignInNeeded(listener) {
  signInListeners.add(listener);
  return () => signInListeners.delete(listener);
}

/** Keeps a token for as long as this tab is open, and nowhere else. */
export function setToken(token) {
  if (token) sessionStorage.setItem(TOKEN, token);
  else sessionStorage.removeItem(TOKEN);
}

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

function authorised(headers) {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
}

/** A path below the interface; segments are encoded. */
export function at(segments, query = {}) {
  const path = [].concat(segments).map(encodeURIComponent).join("/");
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, value);
  }
  const text = params.toString();
  return `/${path}${text ? `?${text}` : ""}`;
}

async function send(path, options, headers) {
  let response;
  try {
    response = await fetch(BASE + path, { ...options, headers: authorised(headers), credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({
      title: "The server cannot be reached.",
      detail: "The server cannot be reached.",
      kind: "unreachable",
      hints: ["see whether `skillful serve` is still running"],
    });
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({ title: response.statusText }));
  const problem = new Problem({ ...body, status: response.status });
  if (response.status === 401) for (const listener of signInListeners) listener(problem);
  throw problem;
}

/** Asks for a document. */
export async function get(path, signal) {
  const response = await send(path, { signal }, { Accept: "application/json" });
  return response.json();
}

/** Asks for bytes. */
export async function bytes(path) {
  const response = await send(path, {}, { Accept: "application/octet-stream" });
  return response.blob();
}

/** Changes something, or asks with a body. */
export async function call(method, path, body = {}, signal) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const response = await send(path, { method, body: JSON.stringify(body), signal }, headers);
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/** A stream of lines of server-sent events. */
export async function stream(path, since, signal) {
  const headers = { Accept: "text/event-stream" };
  if (since) headers["Last-Event-ID"] = String(since);
  const response = await send(path, { signal, cache: "no-store" }, headers);
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
}
