import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { packageRoot } from "../../config/package-root.ts";
import { runCommandLine } from "../command-line.ts";
import { type DocumentName, documentJsonSchema } from "../input/document-kinds.ts";
import { EXIT } from "../text/exit-codes.ts";

async function validate(...words: string[]) {
  const terminal = fakeTerminal({ directory: packageRoot() });
  const exit = await runCommandLine(["validate", ...words], terminal);
  return { exit, output: terminal.outputs(), error: terminal.errors() };
}

function written(name: string, text: string): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
}

test.each(["plan", "contract", "report"] satisfies DocumentName[])(
  "config/schemas/%s.schema.json is what the Zod schema says (`miracle validate --schema` renews it)",
  async (name) => {
    const file = readFileSync(join(packageRoot(), "config", "schemas", `${name}.schema.json`), "utf8");
    expect(JSON.parse(file)).toEqual(documentJsonSchema(name));
    expect((await validate("--schema", name)).output).toBe(file);
  },
);

test.each([
  ["plan.yaml", "plan", "2 todos in 2 levels"],
  ["plan.yaml", "todo", "2 todos in 2 levels"],
  ["contract.json", "contract", "1 function, 0 classes, 1 data model, 1 error, 1 path of an API"],
  ["test-report.json", "test_report", "2 tests, 1 red, completed"],
  ["lessons.jsonl", "lessons", "2 records"],
  ["../templates/trading_strategy.yaml", "template", "5 parameters, 4 todos in 1 level"],
])("the sample %s is a valid %s", async (file, type, summary) => {
  const result = await validate(`config/samples/${file}`, "--type", type);
  expect(result).toEqual({ exit: EXIT.done, output: `config/samples/${file} holds: ${summary}\n`, error: "" });
});

test.each([
  ["samples/plan.yaml", "a plan, 2 todos"],
  ["samples/contract.json", "a contract, 1 function"],
  ["samples/test-report.json", "a report, 2 tests"],
  ["samples/lessons.jsonl", "lessons, 2 records"],
  ["templates/trading_strategy.yaml", "a template, 5 parameters"],
])("what %s is, is found by what is in it", async (file, summary) => {
  const result = await validate(`config/${file}`);
  expect(result).toMatchObject({ exit: EXIT.done, output: expect.stringContaining(`holds: ${summary}`) });
});

test("what is wrong in form is told with its line, column and reason", async () => {
  const file = written("plan.yaml", "todos:\n  - id: Bad Id\n    title: x\n  - id: good\n");
  const { exit, error } = await validate(file, "--type", "plan");
  expect(exit).toBe(EXIT.badInput);
  expect(error).toContain(`${file}:2:9: todos.0.id:`);
  expect(error).toContain(`${file}:4:5: todos.1.title:`);
});

test("a field of a plan that there is not is an error with the name that was meant, wherever it stands", async () => {
  const todo = "{ id: a, title: a, acceptence: [x], dependsOn: [], metrics: [{ name: n, command: c, atmost: 1 }] }";
  const text = `titel: t\nrequirements: [{ id: R1, text: x, exmaple: y }]\ntodos:\n  - ${todo}\n`;
  const { exit, error } = await validate(written("plan.yaml", text), "--type", "plan");
  expect(exit).toBe(EXIT.badInput);
  expect(error).toContain('plan.yaml:1:1: unknown key titel (did you mean "title"?)');
  expect(error).toContain('plan.yaml:2:35: unknown key requirements.0.exmaple (did you mean "example"?)');
  expect(error).toContain('unknown key todos.0.acceptence (did you mean "acceptance_criteria"?)');
  expect(error).toContain('unknown key todos.0.dependsOn (did you mean "dependencies"?)');
  expect(error).toContain('unknown key todos.0.metrics.0.atmost (did you mean "at_most"?)');
});

test("all that is wrong with a graph is told, each at its todo", async () => {
  const todo = (id: string, dependencies: string[]) => ({ id, title: id, dependencies, requirements: ["R1"] });
  const todos = [todo("a", ["b"]), todo("b", ["a"]), todo("c", ["gone"])];
  const contract = { title: "t", language: "go" };
  const plan = { title: "t", language: "python", requirements: [{ id: "R1", text: "x" }], contract, todos };
  const { exit, error } = await validate(written("plan.json", JSON.stringify(plan, null, 1)), "-t", "plan");
  expect(exit).toBe(EXIT.badInput);
  expect(error).toMatch(/plan\.json:\d+: todo c depends on gone, which the plan does not have \(plan\.dangling\)/);
  expect(error).toMatch(/plan\.json:\d+: todos depend on each other in a circle: a, b/);
  expect(error).toMatch(/plan\.json:\d+: the language of the plan is python/);
});

test("a contract that contradicts itself is refused", async () => {
  const callable = { file: "a.py", name: "f", examples: [{ call: "f()", returns: "1", raises: "E" }] };
  const contract = { title: "t", language: "python", functions: [callable, callable] };
  const { error } = await validate(written("contract.json", JSON.stringify(contract)), "-t", "contract");
  expect(error).toContain("a.py: f is in functions already");
  expect(error).toContain("says either what it returns or what it raises");
  const typo = written("typo.json", JSON.stringify({ title: "t", language: "python", funktions: [] }));
  expect((await validate(typo, "-t", "contract")).error).toContain('unknown key funktions (did you mean "functions"?)');
});

test("each bad line of lessons is named", async () => {
  const file = written("lessons.jsonl", '{"error":"x"}\nnot json\n{"kind":"pattern"}\n');
  const { exit, error } = await validate(file, "-t", "lessons");
  expect(exit).toBe(EXIT.badInput);
  expect(error).toContain(`${file}:2: not JSON`);
  expect(error).toContain(`${file}:3: `);
});
