import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { besideOwnNode } from "./own-node.ts";

test("a person whose Node is of another major version is told which one the tests ran on", () => {
  const directory = temporaryDirectory("miracle-node-");
  const program = join(directory, "node");
  writeFileSync(program, "#!/bin/sh\necho v20.20.2\n");
  chmodSync(program, 0o755);
  const env = { PATH: `${directory}:/usr/bin:/bin` };
  expect(besideOwnNode("v24.2.0", env)).toBe(
    "the tests of JavaScript ran on Node v24.2.0, which comes with Miracle; yours is v20.20.2",
  );
  expect(besideOwnNode("v20.1.0", env)).toBeNull();
  expect(besideOwnNode(undefined, env)).toBeNull();
  expect(besideOwnNode("v24.2.0", { PATH: join(directory, "nothing") })).toBeNull();
});
