import { afterAll } from "vitest";
import { scratch } from "../src/workspace/awkward-tree.ts";
import { removeTree } from "../src/workspace/remove-tree.ts";

/** Makes directories for the tests of a file; all are gone at its end, whatever the tests did to their modes. */
export function scratchDirectories(): (name: string) => string {
  const made: string[] = [];
  afterAll(() => {
    for (const path of made) removeTree(path);
  });
  return (name) => {
    const path = scratch(name);
    made.push(path);
    return path;
  };
}
