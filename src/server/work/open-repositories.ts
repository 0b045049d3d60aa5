import { type Bus, isDelta } from "../../bus/bus.ts";
import type { Store } from "../../store/store.ts";
import { findTask } from "../../store/tasks.ts";
import { Repositories, type RepositoryPlace } from "./repositories.ts";

const NONE: RepositoryPlace = { listed: {}, root: "", env: {} };

/** The repositories of a server or worker. What a task of theirs delivers is pushed as soon as it is there. */
export async function openRepositories(
  place: RepositoryPlace | undefined,
  store: Store,
  bus: Bus,
  report: (error: unknown) => void,
): Promise<Repositories> {
  const repositories = await Repositories.open(place ?? NONE, report);
  const push = async (task: string) => {
    const { directory } = await findTask(store, task);
    if (repositories.has(directory)) await repositories.push(directory);
  };
  bus.subscribe((message) => {
    if (!isDelta(message) && message.type === "change-applied") void push(message.task).catch(report);
  });
  return repositories;
}
