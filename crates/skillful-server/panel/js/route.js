// Which page is shown: `#/skills?state=broken`. All that a person would want to share is in it.
import { useEffect, useState } from "../vendor/preact.js";

function read() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const segments = path.split("/").filter(Boolean).map(decoded);
  return { segments, query: new URLSearchParams(query), key: location.hash };
}

function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of a page: segments are encoded, empty values of the query left out. */
export function to(segments, query = {}) {
  const path = [].concat(segments).map(encodeURIComponent).join("/");
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, value);
  }
  const text = params.toString();
  return `#/${path}${text ? `?${text}` : ""}`;
}

/** The address of a skill, or of one of its sides. */
export const skillAt = (id, side, query) => to(side ? ["skill", id, ...[].concat(side)] : ["skill", id], query);

let shown = location.hash;
let guard = null;
const listeners = new Set();

/** Asks `ask(leave)` before the page is left; `null` lets anybody go. */
export function setGuard(ask) {
  guard = ask;
}

export function go(address, { replace = false } = {}) {
  if (address === location.hash) return;
  if (replace) {
    history.replaceState(null, "", address);
    changed();
  } else {
    location.hash = address;
  }
}

function changed() {
  if (guard && location.hash !== shown) {
    const wanted = location.hash;
    history.replaceState(null, "", shown || "#/");
    guard(() => {
      guard = null;
      location.hash = wanted;
    });
    return;
  }
  shown = location.hash;
  for (const listener of listeners) listener(read());
}

addEventListener("hashchange", changed);
addEventListener("beforeunload", (event) => {
  if (guard) event.preventDefault();
});

/** The route, and again whenever it changes. */
export function useRoute() {
  const [route, set] = useState(read);
  useEffect(() => {
    listeners.add(set);
    set(read());
    return () => listeners.delete(set);
  }, []);
  return route;
}
