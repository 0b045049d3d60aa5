import { fail, TerminalFailure } from "../domain/failure.ts";
import { systemFailure } from "../domain/system-failure.ts";
import { errorCode } from "./error-code.ts";

/** Runs work on a path that a model chose. Errors about the path go to the model. Errors of the machine do not. */
export async function answering<Result>(path: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const code = errorCode(cause);
    if (cause instanceof TerminalFailure || code === undefined || systemFailure(cause)) throw cause;
    throw fail("invalid-input", "file.refused", `${path.slice(0, 200)} cannot be used (${code})`, { cause });
  }
}
