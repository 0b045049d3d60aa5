import { expect, test } from "vitest";
import { didYouMean, nearest } from "./did-you-mean.ts";

const commands = ["run", "resume", "history", "show", "config", "doctor"];

test("finds a word with a slip of the fingers", () => {
  expect(nearest("histroy", commands)).toBe("history");
  expect(nearest("Config", commands)).toBe("config");
  expect(nearest("rum", commands)).toBe("run");
});

test("stays silent when nothing is near", () => {
  expect(nearest("elephant", commands)).toBeUndefined();
  expect(didYouMean("elephant", commands)).toBe("");
});

test("finds a name that was cut short, joined otherwise or only begun alike", () => {
  const keys = ["id", "agent_role", "dependencies", "acceptance_criteria", "expected_artifacts", "out_of_scope"];
  expect(nearest("acceptence", keys)).toBe("acceptance_criteria");
  expect(nearest("criteria", keys)).toBe("acceptance_criteria");
  expect(nearest("role", keys)).toBe("agent_role");
  expect(nearest("artifacts", keys)).toBe("expected_artifacts");
  expect(nearest("outOfScope", keys)).toBe("out_of_scope");
  expect(nearest("dependsOn", keys)).toBe("dependencies");
  for (const other of ["deploy", "of", "accounts", "expense", "colour"]) expect(nearest(other, keys)).toBeUndefined();
});
