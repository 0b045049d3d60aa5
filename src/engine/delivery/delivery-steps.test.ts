import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { CassetteRecording, parseCassette } from "../../journal/cassette.ts";
import { deliverySteps } from "./delivery-steps.ts";

test("the branch of a debugger is no branch of the user's repository", async () => {
  const name = "trading-strategy.json";
  const recording = new CassetteRecording(
    parseCassette(readFileSync(join(packageRoot(), "cassettes", name), "utf8"), name),
  );
  expect(await recording.strands()).toContain("todo:exit/debug");
  const steps = await deliverySteps(recording);
  expect(steps.map(({ kind, part, strand }) => `${strand} ${kind} ${part}`)).toEqual([
    "task apply intent",
    "task apply done",
  ]);
});
