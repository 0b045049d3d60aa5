import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api.ts";
import { pause } from "./awake.ts";

export interface Resource<T> {
  /** The newest there is; it stays while a newer one is asked for. */
  value: T | undefined;
  problem: Problem | undefined;
  reload(): void;
}

interface Renewal {
  /** What it is asked for again by when it changes; the old value stays until the new one is there. */
  version?: readonly unknown[];
  everyMs?: number;
  /** While the page is out of sight; absent: nobody is asked then, and at once when it is seen again. */
  unseenMs?: number;
}

/** Asks for what the keys name: once, and again as the renewal says. With other keys the old value is gone. */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  { version = [], everyMs, unseenMs }: Renewal = {},
): Resource<T> {
  const [state, setState] = useState<{ key: string; value?: T; problem?: Problem }>({ key: "" });
  const [round, setRound] = useState(0);
  const newest = useRef(load);
  newest.current = load;
  const key = JSON.stringify(keys);
  const edition = JSON.stringify(version);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const ask = async () => {
      do {
        try {
          const value = await newest.current(signal);
          if (!signal.aborted) setState({ key, value });
        } catch (error) {
          if (signal.aborted) return;
          const problem = error instanceof Problem ? error : new Problem(0, "page.fault", String(error));
          setState((before) => (before.key === key ? { ...before, problem } : { key, problem }));
        }
        if (everyMs === undefined) return;
        await pause(everyMs, signal, unseenMs);
      } while (!signal.aborted);
    };
    void ask();
    return () => ended.abort();
  }, [key, edition, round, everyMs, unseenMs]);
  const isOwn = state.key === key;
  return {
    value: isOwn ? state.value : undefined,
    problem: isOwn ? state.problem : undefined,
    reload: () => setRound((before) => before + 1),
  };
}

/** The hour, told anew at this interval: what says how long something takes is drawn again. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
