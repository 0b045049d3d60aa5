import { expect, test } from "vitest";
import { Contract } from "../../domain/contract.ts";
import { Plan } from "../../domain/plan.ts";
import { exampleGroups } from "./example-groups.ts";

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
