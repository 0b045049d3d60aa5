import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { Condition } from "../../domain/plan/plan.ts";
import { conditionCommand, differingEffects } from "./todo-conditions.ts";

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

test("effects that were not declared and those that did not come are told, each with its kind", () => {
  const effects = [
    { change: "create", path: "src/**" },
    { change: "delete", path: "old.js" },
  ] as const;
  const compared = differingEffects(
    [...effects],
    [
      { path: "src/a.js", change: "added" },
      { path: "src/b.js", change: "modified" },
      { path: "old.js", change: "mode" },
    ],
  );
  expect(compared).toEqual({ undeclared: ["edit src/b.js", "edit old.js"], missing: ["delete old.js"] });
});
