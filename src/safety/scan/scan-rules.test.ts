import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseRules } from "../rules/parse-rules.ts";
import { CodeRules } from "./rule.ts";

const root = join(import.meta.dirname, "../../..");

test("a mistake in a rule is told with file, line and key", () => {
  const text = "broken: {}\nrules:\n  - id: Bad\n    on: [call]\n";
  expect(() => parseRules(CodeRules, text, "python.yaml")).toThrow(
    /^python\.yaml:3:5: rules\.0\.id: expected a dotted name/,
  );
  expect(() => parseRules(CodeRules, "rules: [", "python.yaml")).toThrow(/^python\.yaml:1:/);
});

test("every shipped rule has a name of its own", () => {
  const ids = ["python", "javascript", "go", "files"].flatMap((name) => {
    const { rules }: { rules: { id: string }[] } = parse(
      readFileSync(join(root, `config/safety/${name}.yaml`), "utf8"),
    );
    return rules.map(({ id }) => id);
  });
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.length).toBeGreaterThan(150);
  expect(globSync("config/safety/*.yaml", { cwd: root }).length).toBeGreaterThanOrEqual(5);
});
