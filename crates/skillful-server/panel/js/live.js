// What happens on the machine while the page is open: a stream of events, opened again when it breaks.
import { stream } from "./api.js";
import { useEffect, useState } from "../vendor/preact.js";

const KEPT = 300;
const SOON = 500;
const LATE = 15_000;

const state = { status: "connecting", events: [], version: 0, since: 0 };
const listeners = new Set();
let again = null;
let bump = null;

function tell(change) {
  Object.assign(state, change);
  for (const listener of listeners) listener({ ...state });
}

/** Many events come at once when many files change: pages ask again once for all of them. */
function changed() {
  clearTimeout(bump);
  bump = setTimeout(() => tell({ version: state.version + 1 }), 150);
}

function take(event) {
  let data;
  try {
    data = JSON.parse(event.data);
  } catch {
    return;
  }
  const since = Number(event.id) || data.sequence || state.since;
  const entry = { ...data, kind: data.kind ?? event.name, key: `${since}-${state.events.length}`, at: new Date() };
  tell({ since, events: [entry, ...state.events].slice(0, KEPT) });
  changed();
}

/** Server-sent events, as the HTML standard reads them. */
async function listen(reader) {
  let text = "";
  let event = { data: "", id: "", name: "message" };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const lines = text.split(/\r\n|\n|\r/);
    text = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (event.data || event.name === "resync") take(event);
        event = { data: "", id: event.id, name: "message" };
        continue;
      }
      const [, field, content] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (field === "data") event.data += (event.data && "\n") + content;
      if (field === "id") event.id = content;
      if (field === "event") event.name = content;
    }
  }
}

let controller = null;

/** Begins to listen, or begins anew. */
export async function connect() {
  controller?.abort();
  clearTimeout(again);
  const mine = (controller = new AbortController());
  let wait = SOON;
  while (!mine.signal.aborted) {
    try {
      const reader = await stream("/events", state.since, mine.signal);
      if (state.status === "lost") changed();
      tell({ status: "open" });
      wait = SOON;
      await listen(reader);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (error.status === 401) return tell({ status: "signed-out" });
    }
    if (mine.signal.aborted) return;
    tell({ status: "lost" });
    // Spread, so that many pages do not come back in one moment.
    const pause = wait * (0.75 + Math.random() / 2);
    await new Promise((resolve) => {
      again = setTimeout(resolve, pause);
    });
    wait = Math.min(wait * 2, LATE);
  }
}

/** The state of the stream and its events, the newest first. */
export function useLive() {
  const [current, set] = useState({ ...state });
  useEffect(() => {
    listeners.add(set);
    set({ ...state });
    return () => listeners.delete(set);
  }, []);
  return current;
}

/** A number that rises when something changed on the machine. */
export function useVersion() {
  const [version, set] = useState(state.version);
  useEffect(() => {
    const listener = (current) => set(current.version);
    listeners.add(listener);
    set(state.version);
    return () => listeners.delete(listener);
  }, []);
  return version;
}

/** Says that something was changed from here, for pages that would otherwise wait for the event. */
export const touch = changed;
