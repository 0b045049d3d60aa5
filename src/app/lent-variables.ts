import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { redactions } from "../config/redactions.ts";
import { readTestVariables } from "../config/test-needs.ts";
import { fail } from "../domain/failure.ts";
import { readFrozen } from "../journal/journal.ts";
import type { Recording } from "../journal/recording.ts";
import { type RemoteAddress, serverAddress } from "../workspace/remote-address.ts";

/** Variables for tests, and those of their values (or parts of them) that must not be recorded anywhere. */
export const LentVariables = z.object({ variables: z.record(z.string(), z.string()), secrets: z.array(z.string()) });
export type LentVariables = z.infer<typeof LentVariables>;

/** Those of the task's own directory, if it is here. Whose settings this process has read does not matter. */
export async function ownVariables(recording: Recording): Promise<LentVariables> {
  const { request, settings } = await readFrozen(recording);
  // Where it is not, a directory above its place would be somebody else's.
  const variables = existsSync(request.directory) ? readTestVariables(request.directory) : {};
  return { variables, secrets: redactions({}, variables, settings.redactVariables) };
}

/** A server that is started anew is back before the last of these. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 16_000];

/**
 * The variables of a task's `.miracle/test.env`, from the server that has its directory. They are in no tree and no
 * database, so they are asked for at each run. Null: trees come from elsewhere, and nobody can be asked.
 */
export async function lentVariables(
  remote: RemoteAddress,
  task: string,
  signal: AbortSignal,
): Promise<LentVariables | null> {
  const address = serverAddress(remote, task);
  if (address === null) return null;
  const headers: Record<string, string> = remote.token ? { authorization: `Bearer ${remote.token}` } : {};
  let why = "";
  for (const pause of [...PAUSES_MS, null]) {
    const answer = await fetch(`${address}/test-variables`, { headers, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      why = error instanceof Error ? error.message : String(error);
    });
    if (answer?.ok) return LentVariables.parse(await answer.json());
    // The directory is another server's, or the server is older than this.
    if (answer?.status === 404) return null;
    if (answer) why = `it answers ${answer.status}`;
    if (answer && answer.status < 500) break;
    if (pause !== null) await sleep(pause, undefined, { signal });
  }
  throw fail("environment", "trees.variables", `the variables for tests cannot be read from ${address}: ${why}`);
}
