// What pages have in common: asking for documents, waiting until typing pauses, the title of the page.
import { useEffect, useRef, useState } from "../vendor/preact.js";
import { get } from "./api.js";
import { useVersion } from "./live.js";

/**
 * The document at a path, kept up to date; what was there before stays visible until the next answer is here.
 * A `null` path asks for nothing.
 */
export function useDocument(path, { live = true } = {}) {
  const [state, set] = useState({ path: null });
  const [tick, setTick] = useState(0);
  const version = useVersion();
  useEffect(() => {
    if (path === null) return undefined;
    const controller = new AbortController();
    get(path, controller.signal).then(
      (data) => set({ path, data }),
      (error) => {
        if (error.name === "AbortError") return;
        set((old) => ({ path, data: old.path === path ? old.data : undefined, error }));
      },
    );
    return () => controller.abort();
  }, [path, live ? version : 0, tick]);
  const isCurrent = state.path === path;
  return {
    data: state.data,
    isStale: !isCurrent,
    error: isCurrent ? state.error : undefined,
    reload: () => setTick((old) => old + 1),
  };
}

/** The value once it has not changed for a while. */
export function useSettled(value, milliseconds = 200) {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} · Skillful` : "Skillful";
  }, [title]);
}

/** Work that a button starts: whether it is under way, and what went wrong. */
export function useWork() {
  const [state, set] = useState({ isBusy: false, error: null });
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const run = async (work) => {
    set({ isBusy: true, error: null });
    try {
      const result = await work();
      if (isMounted.current) set({ isBusy: false, error: null });
      return result;
    } catch (error) {
      if (isMounted.current) set({ isBusy: false, error });
      return undefined;
    }
  };
  return { ...state, run, clear: () => set({ isBusy: false, error: null }) };
}
