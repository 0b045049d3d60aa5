import { tmpdir } from "node:os";
import { fail, TerminalFailure } from "../domain/failure.ts";
import { git, STANDARD_PATH } from "./git.ts";
import { accessTo, addressFor, printableAddress, type RemoteAddress } from "./remote-address.ts";

/** A task that nobody has: a server that knows us answers that it has nothing of it. */
const NOBODYS = "t00000000";

/** Asks once whether trees can be exchanged there, and throws the reason if not. */
export async function probeRemote(remote: RemoteAddress): Promise<void> {
  const run = { gitDirectory: tmpdir(), path: STANDARD_PATH, env: accessTo(remote) };
  try {
    await git(["ls-remote", "--quiet", "--", addressFor(remote, NOBODYS)], run);
  } catch (error) {
    throw error instanceof TerminalFailure ? unreachable(remote, error) : error;
  }
}

export function unreachable(remote: RemoteAddress, cause: TerminalFailure): TerminalFailure {
  const said = (cause.failure.detail ?? cause.message).split("\n").findLast((line) => line.trim() !== "");
  const where = printableAddress(remote);
  const message = `trees cannot be exchanged with ${where}: ${said}; see server.trees of the settings, and MIRACLE_TOKEN`;
  return fail("environment", "trees.unreachable", message, { cause });
}
