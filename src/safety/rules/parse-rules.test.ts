import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { CommandRulesFile } from "../commands/judging/command-rules.ts";
import { loadCommandRules } from "../commands/load-command-rules.ts";
import { DependencyRules } from "../dependencies/dependency-rules.ts";
import { loadDependencyRules } from "../dependencies/load-dependency-rules.ts";
import { parseRules } from "./parse-rules.ts";

const shipped = readFileSync(join(packageRoot(), "config", "safety", "commands.yaml"), "utf8");

const problemOf = (text: string): string => {
  try {
    parseRules(CommandRulesFile, text, "commands.yaml");
  } catch (error) {
    if (error instanceof TerminalFailure) return error.failure.message;
  }
  return "no failure";
};

test("the shipped rules are valid", async () => {
  await expect(loadCommandRules(packageRoot())).resolves.toBeDefined();
  await expect(loadDependencyRules(packageRoot())).resolves.toBeDefined();
});

test("a wrong value is named by file, line and key", () => {
  expect(problemOf(shipped.replace("maxLength: 100000", "maxLength: many"))).toMatch(
    /^commands\.yaml:\d+:1: maxLength: /,
  );
});

test("an unknown key is named by file, line and key", () => {
  expect(problemOf(`${shipped}\nalow: [ls]\n`)).toMatch(/^commands\.yaml:\d+:1: unknown key alow$/);
});

test("broken YAML is named by file and line", () => {
  expect(problemOf("rules: [\n")).toMatch(/^commands\.yaml:\d+:\d+: /);
});

test("a rule that the code needs cannot be left out", () => {
  const without = shipped.replace(/^ {2}delete\.root:.*\n/m, "");
  expect(problemOf(without)).toMatch(/rules\.delete\.root: this rule is missing/);
});

test("a missing file says what to do", async () => {
  await expect(loadCommandRules("/nowhere")).rejects.toThrow(/commands\.yaml is missing: .*install Miracle again/);
});

test("a list of packages must have versions", () => {
  expect(() => parseRules(DependencyRules, "python: { packages: { pytest: 7 } }", "d.yaml")).toThrow(
    /^d\.yaml:1:\d+: python\.packages\.pytest: /,
  );
});
