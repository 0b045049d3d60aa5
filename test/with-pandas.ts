import { test } from "vitest";
import { pythonModules } from "../src/languages/python/find-python.ts";

/** For tests: skipped where Python has no pandas, and the name says so. */
export const withPandas = (name: string, run: () => Promise<void>): void => {
  const found = pythonModules(["pandas"], "/", { PATH: "/usr/bin:/bin" }).has("pandas");
  // Each run of tests imports it anew, which takes its time.
  if (found) test(name, { timeout: 600_000 }, run);
  else test.skip(`${name} (SKIPPED: no pandas here; apt-get install python3-pandas)`, () => {});
};
