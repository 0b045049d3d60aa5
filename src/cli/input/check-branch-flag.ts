import { fail } from "../../domain/failure.ts";

/** That a branch cannot be made is said before anything is paid for. */
export async function checkBranchFlag(flags: { branch?: string; apply?: boolean }, directory: string): Promise<void> {
  if (flags.branch === undefined) return;
  if (flags.apply === false) {
    throw fail(
      "invalid-input",
      "cli.usage",
      "--branch delivers the result, --no-apply keeps it: leave out one of them",
    );
  }
  const { checkBranch } = await import("../../workspace/user-branch.ts");
  await checkBranch(directory, flags.branch);
}
