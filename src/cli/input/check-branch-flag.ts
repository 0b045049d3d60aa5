import { fail } from "../../domain/failure.ts";
import { checkBranch } from "../../workspace/user-branch.ts";

/** A branch that cannot be made is refused before anything is paid for. */
export async function checkBranchFlag(flags: { branch?: string; apply?: boolean }, directory: string): Promise<void> {
  if (flags.branch === undefined) return;
  if (flags.apply === false) {
    throw fail(
      "invalid-input",
      "cli.usage",
      "--branch delivers the result, --no-apply keeps it: leave out one of them",
    );
  }
  await checkBranch(directory, flags.branch);
}
