import { useEffect, useMemo, useState } from "preact/hooks";
import { api, Problem } from "../api.ts";
import type { TaskView } from "../shapes.ts";
import { pause } from "./awake.ts";

const PAGE = 200;
const EVERY_MS = 2500;

/** All tasks the page knows of, by id. What has not ended is always complete; what has ended comes page by page. */
class TaskCatalogue {
  readonly #tasks = new Map<string, TaskView>();
  #next: string | null | undefined;
  #loading = false;

  get complete(): boolean {
    return this.#next === null;
  }

  /** Newest first. */
  list(): TaskView[] {
    return [...this.#tasks.values()].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  }

  /** The newest, and all that has not ended. */
  async refresh(signal: AbortSignal): Promise<void> {
    const open = [...this.#tasks.values()].filter(({ state }) => !hasEnded(state));
    const pages = await Promise.all([
      api.tasks({ limit: 50 }, signal),
      api.tasks({ limit: PAGE, status: "running" }, signal),
      api.tasks({ limit: PAGE, status: "paused" }, signal),
    ]);
    this.#next ??= pages[0].next;
    if (pages[0].next === null) this.#next = null;
    const told = pages.flatMap(({ tasks }) => tasks);
    for (const task of told) this.#tasks.set(task.id, task);
    // What was open and is in none of the answers ended a while ago.
    const silent = open.filter(({ id }) => !told.some((task) => task.id === id));
    for (const task of await Promise.all(silent.map(({ id }) => api.task(id, signal)))) this.#tasks.set(task.id, task);
  }

  /** What the server finds by words of the goal: long before everything is here. */
  async find(words: string, signal: AbortSignal): Promise<void> {
    const page = await api.tasks({ limit: PAGE, search: words }, signal);
    for (const task of page.tasks) this.#tasks.set(task.id, task);
  }

  /** The next page of older ones; false when there is none, or when it is on its way. */
  async more(signal: AbortSignal): Promise<boolean> {
    if (this.#loading || this.#next === null || this.#next === undefined) return false;
    this.#loading = true;
    try {
      const page = await api.tasks({ limit: PAGE, before: this.#next }, signal);
      for (const task of page.tasks) this.#tasks.set(task.id, task);
      this.#next = page.next;
      return true;
    } finally {
      this.#loading = false;
    }
  }
}

export const hasEnded = (state: TaskView["state"]): boolean =>
  state === "proven" || state === "checked" || state === "not-proven" || state === "cancelled";

export interface LiveCatalogue {
  /** Undefined before the first answer. */
  tasks: TaskView[] | undefined;
  complete: boolean;
  problem: Problem | undefined;
  more(): void;
}

/** The catalogue as it changes. A search must not miss what was not loaded yet: then all of it is. */
export function useCatalogue(search: string): LiveCatalogue {
  const catalogue = useMemo(() => new TaskCatalogue(), []);
  const [state, setState] = useState<Omit<LiveCatalogue, "more">>({
    tasks: undefined,
    complete: false,
    problem: undefined,
  });
  const ended = useMemo(() => new AbortController(), []);
  const tell = () =>
    !ended.signal.aborted && setState({ tasks: catalogue.list(), complete: catalogue.complete, problem: undefined });
  const complain = (error: unknown) =>
    error instanceof Problem && setState((before) => ({ ...before, problem: error }));
  useEffect(() => {
    const watch = async () => {
      while (!ended.signal.aborted) {
        await catalogue.refresh(ended.signal).then(tell, complain);
        await pause(EVERY_MS, ended.signal);
      }
    };
    void watch();
    return () => ended.abort();
  }, []);
  const more = () => void catalogue.more(ended.signal).then((came) => came && tell(), complain);
  const { tasks, complete } = state;
  useEffect(() => {
    if (search !== "" && tasks !== undefined && !complete) more();
  }, [search, tasks, complete]);
  useEffect(() => {
    if (search === "" || complete) return;
    // Not for each letter.
    const timer = setTimeout(() => void catalogue.find(search.slice(0, 200), ended.signal).then(tell, complain), 250);
    return () => clearTimeout(timer);
  }, [search]);
  return { ...state, more };
}
