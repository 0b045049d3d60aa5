import { describe, expect, test } from "vitest";
import { TerminalFailure } from "../domain/failure.ts";
import { parseYaml } from "./parse-yaml.ts";

describe("parseYaml", () => {
  test("reads what a person wrote", () => {
    const { value } = parseYaml("limits:\n  maxCost: 2.5\n  timeout: 90s\n", "c.yaml");
    expect(value).toEqual({ limits: { maxCost: 2.5, timeout: "90s" } });
  });

  test("takes an empty file as nothing said", () => {
    expect(parseYaml("# nothing yet\n", "c.yaml").value).toEqual({});
  });

  test("knows the line of a value", () => {
    const { lineOf } = parseYaml("effort: quick\nlimits:\n  maxTurns: 3\n", "c.yaml");
    expect(lineOf(["limits", "maxTurns"])).toBe(3);
    expect(lineOf(["limits", "maxCost"])).toBeUndefined();
  });

  test.each([
    ["a wrong type", "limits:\n  maxCost: five\n", "c.yaml:2:12: limits.maxCost: expected number, received string"],
    [
      "a wrong duration",
      "limits:\n  timeout: 5 days\n",
      "c.yaml:2:12: limits.timeout: expected a duration like 90s, 10m or 2h",
    ],
    [
      "a number as duration",
      "limits:\n  timeout: 90\n",
      "c.yaml:2:12: limits.timeout: expected a duration like 90s, 10m or 2h",
    ],
    ["a wrong choice", "effort: huge\n", 'c.yaml:1:9: effort: expected one of "quick"|"standard"|"thorough"'],
    ["an unknown key", "limits:\n  maxcost: 5\n", 'c.yaml:2:3: unknown key limits.maxcost (did you mean "maxCost"?)'],
    ["an unknown key at the top", "limit: {}\n", 'c.yaml:1:1: unknown key limit (did you mean "limits"?)'],
    [
      "an unknown key below a name",
      "providers:\n  mine:\n    baseurl: http://x\n",
      'c.yaml:3:5: unknown key providers.mine.baseurl (did you mean "baseUrl"?)',
    ],
    ["an unknown key like nothing", "zebra: 1\n", "c.yaml:1:1: unknown key zebra"],
    ["an item of a list", "confirm: [plan, everything]\n", 'c.yaml:1:17: confirm.1: expected one of "plan"|"diff"'],
    ["a model without provider", "model: gpt\n", "c.yaml:1:8: model: a model is written provider/name"],
    ["a list instead of a map", "- a\n- b\n", "c.yaml:1:1: expected object, received array at the top of the file"],
    [
      "a negative price",
      "prices:\n  a/b: { input: -1, output: 1 }\n",
      "c.yaml:2:17: prices.a/b.input: Too small: expected number to be >=0",
    ],
  ])("names the place of %s in one line", (_, text, message) => {
    expect(problem(text).message).toBe(message);
  });

  test.each([
    ["an open bracket", "limits: [1, 2\nmore: 1\n"],
    ["tabs as indentation", "limits:\n\tmaxTurns: 1\n"],
    ["a key twice", "effort: quick\neffort: quick\n"],
    ["two documents", "effort: quick\n---\neffort: quick\n"],
  ])("names the place of broken YAML: %s", (_, text) => {
    const { message } = problem(text);
    expect(message).toMatch(/^c\.yaml:[12]:\d+: \S/);
    expect(message).not.toContain("\n");
  });

  test("lists further problems as details, one line each", () => {
    const failure = problem("zebra: 1\neffort: huge\n").failure;
    expect(failure.detail?.split("\n")).toHaveLength(1);
  });

  test("refuses aliases that expand without end", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 10; level += 1) {
      const aliases = Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ");
      lines.push(`a${level}: &a${level} [${aliases}]`);
    }
    expect(problem(lines.join("\n")).message).toMatch(/alias/);
  });
});

function problem(text: string): TerminalFailure {
  try {
    parseYaml(text, "c.yaml");
  } catch (error) {
    if (error instanceof TerminalFailure) return error;
    throw error;
  }
  throw new Error("was accepted");
}
