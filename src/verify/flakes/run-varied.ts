import { runTests, type TestRequest } from "../../languages/run-tests.ts";
import type { RunVaried } from "./find-flakes.ts";

interface VariedRuns extends Omit<TestRequest, "files" | "workspace" | "options" | "place"> {
  /** Lays the tree out anew and says where: every run gets a clean one. */
  cleanWorkspace: () => Promise<string>;
}

/** Which runners can be asked for another order. */
export const canShuffle = (runner: string): boolean => runner === "pytest" || runner === "go test";

export function variedRuns({ cleanWorkspace, ...request }: VariedRuns): RunVaried {
  return async (vary, files) =>
    runTests({
      ...request,
      workspace: await cleanWorkspace(),
      files: [...files],
      ...(vary && { options: { vary } }),
    });
}
