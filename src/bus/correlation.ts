import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The request that something is done for, from the door on to every log line, message and model call. It steers nothing:
 * nothing of it is recorded in a step.
 */
const requests = new AsyncLocalStorage<string | null>();

/** Null: for nobody, whatever it was called from. */
export const forRequest = <T>(id: string | null, work: () => T): T => requests.run(id, work);

/** Null: nobody asked over HTTP. */
export const currentRequest = (): string | null => requests.getStore() ?? null;
