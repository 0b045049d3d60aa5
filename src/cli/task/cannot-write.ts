import { fail, type TerminalFailure } from "../../domain/failure.ts";

/** Why a file that was to be new could not be written. */
export function cannotWrite(name: string, code: string, cause: unknown): TerminalFailure {
  const exists = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
  const why = exists ? "exists already; --force writes over it" : "cannot be written";
  return fail("invalid-input", code, `${name} ${why}`, { cause });
}
