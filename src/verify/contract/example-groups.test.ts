import { expect, test } from "vitest";
import { Contract } from "../../domain/plan/contract.ts";
import { Plan } from "../../domain/plan/plan.ts";
import { exampleGroups, requirementOfExample } from "./example-groups.ts";

const contract = Contract.parse({
  title: "t",
  language: "python",
  functions: [
    { file: "a.py", name: "a" },
    { file: "b.py", name: "b" },
    { file: "nobody.py", name: "c" },
  ],
});

const plan = (dependsOn: string[]) =>
  Plan.parse({
    todos: [
      { id: "one", title: "one", artifacts: ["a.py"] },
      { id: "two", title: "two", artifacts: ["b.py"], dependsOn },
    ],
  });

test("all examples run after a todo that stands on all others", () => {
  expect(exampleGroups(contract, plan(["one"]))).toEqual([{ todo: "two", contract }]);
});

test("beside each other, each todo has the examples of the files it makes", () => {
  const groups = exampleGroups(contract, plan([]));
  expect(groups.map(({ todo, contract }) => [todo, contract.functions.map(({ name }) => name)])).toEqual([
    ["one", ["a"]],
    ["two", ["b"]],
  ]);
});

test("an example stands with the requirement that names its function", () => {
  const requirements = [
    { id: "R1", text: "reads a file", assumption: false },
    { id: "R2", text: "lines.parse(text) splits a text", assumption: false },
    { id: "R3", text: "lines.parse_line(text) reads one line", assumption: false },
  ];
  const functions = ["parse", "parse_line", "other"].map((name) => ({ file: "lines.py", name }));
  const written = Contract.parse({ title: "t", language: "python", functions });
  const about = (test: string) => requirementOfExample(test, written, requirements);
  expect(about("test_parse_example_1")).toBe("R2");
  expect(about("test_parse_line_example_1")).toBe("R3");
  expect(about("other: example 1")).toBe("R1");
});
