import { expect, test } from "vitest";
import { differsInDependencies } from "./only-dependencies.ts";

const toml = (dependencies: string, more = "") =>
  `[project]\nname = "own"\ndependencies = [${dependencies}]\n[tool.x]\nreleased = 2024-01-01\n${more}`;

test("only what a project depends on is another", () => {
  expect(differsInDependencies(toml(""), toml('"tiny"'))).toBe(true);
  expect(differsInDependencies(toml(""), toml("", '[dependency-groups]\ntest = ["tiny"]\n'))).toBe(true);
});

test("something else is another, too, or cannot be read", () => {
  expect(differsInDependencies(toml(""), toml('"tiny"', "y = 1\n"))).toBe(false);
  expect(differsInDependencies(toml(""), toml('"tiny"').replace("own", "other"))).toBe(false);
  expect(differsInDependencies(null, toml('"tiny"'))).toBe(false);
  expect(differsInDependencies("[", toml(""))).toBe(false);
});
