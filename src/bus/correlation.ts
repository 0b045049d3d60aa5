import { AsyncLocalStorage } from "node:async_hooks";

interface Asked {
  request: string | null;
  person: string | null;
}

/**
 * The request that something is done for, from the door on to every log line, message and model call, and who asked. It
 * steers nothing but whose turn it is in a queue: nothing of it is recorded in a step.
 */
const requests = new AsyncLocalStorage<Asked>();

/** Null: for nobody, whatever it was called from. */
export const forRequest = <T>(request: string | null, work: () => T, person: string | null = null): T =>
  requests.run({ request, person }, work);

/** Null: nobody asked over HTTP. */
export const currentRequest = (): string | null => requests.getStore()?.request ?? null;

/** Who asked, by the name of their token. */
export const currentPerson = (): string | null => requests.getStore()?.person ?? null;
