import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { Condition, Metric } from "./plan.ts";
import { conditionCommand, metricCommand } from "./todo-demands.ts";

test("a condition is a command that succeeds where it holds, whatever the path is called", () => {
  const directory = temporaryDirectory("miracle-condition-");
  const odd = "it's; rm -rf x";
  mkdirSync(join(directory, odd));
  writeFileSync(join(directory, "x"), "");
  const holds = (condition: Condition) => {
    try {
      execFileSync("bash", ["-c", conditionCommand(condition)], { cwd: directory });
      return true;
    } catch {
      return false;
    }
  };
  expect([holds({ exists: odd }), holds({ absent: odd })]).toEqual([true, false]);
  expect([holds({ exists: "y" }), holds({ absent: "y" }), holds({ exists: "x" })]).toEqual([false, true, true]);
  expect([holds({ command: "test -f x" }), holds({ command: "false" })]).toEqual([true, false]);
});

test("a metric is a command that says the figure and succeeds where it is within its bounds", () => {
  const run = (metric: Omit<Metric, "name">) => {
    const { status, stdout } = spawnSync("bash", ["-c", metricCommand({ name: "it's lines", ...metric })]);
    return { holds: status === 0, said: stdout.toString() };
  };
  expect(run({ command: "echo 12", atMost: 12 })).toEqual({ holds: true, said: "it's lines: 12, must be <= 12\n" });
  expect(run({ command: "echo -1.5e1", atLeast: -15, atMost: 0 }).holds).toBe(true);
  expect(run({ command: "printf .5", atLeast: 0.25 }).holds).toBe(true);
  expect(run({ command: "echo 12.1", atMost: 12 })).toEqual({
    holds: false,
    said: "it's lines: 12.1, must be <= 12\n",
  });
  expect(run({ command: "echo 3", atLeast: 4, atMost: 9 }).holds).toBe(false);
  // What is no figure is within no bounds: nothing, words, a program of awk's, a failed command.
  for (const command of ["true", "echo few", "echo '1) || (1'", "echo 1; false", "echo 1; echo 2"]) {
    expect(run({ command, atMost: 100 }).holds).toBe(false);
  }
});
