// Starts processes: the command whose output the picture shows.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/config/package-root.ts";

test("the picture in the README shows what is printed", { timeout: 600_000 }, () => {
  const script = join(packageRoot(), "scripts", "picture.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
