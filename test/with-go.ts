import { test } from "vitest";
import { anyGo } from "../src/languages/go/find-go.ts";

/** For tests: skipped where there is no Go, and the name says so. */
export const withGo = (name: string, run: () => Promise<void>): void => {
  const found = anyGo({ PATH: "/usr/bin:/usr/local/bin" });
  if (found) test(name, run);
  else test.skip(`${name} (SKIPPED: no Go here; apt-get install golang-go)`, () => {});
};
