import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { removeTree } from "../src/workspace/remove-tree.ts";
import { quickPlace } from "./temporary.ts";

/** Makes directories for the tests of a file; all are gone at its end, whatever the tests did to their modes. */
export function scratchDirectories(): (name: string) => string {
  const made: string[] = [];
  afterAll(() => {
    for (const path of made) removeTree(path);
  }, 120_000);
  return (name) => {
    const path = mkdtempSync(join(quickPlace(), `miracle-${name}-`));
    made.push(path);
    return path;
  };
}
