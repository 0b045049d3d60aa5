import { expect, test } from "vitest";
import { PlanFile } from "../domain/plan/plan-file.ts";
import { checkTemplate, fillTemplate, goalOf, planOf, Template, whereThere } from "../domain/plan/template.ts";
import { packageRoot } from "./package-root.ts";
import { listTemplates, readTemplate, templatePlaces } from "./templates.ts";

const places = templatePlaces(packageRoot(), []);

const template = Template.parse({
  name: "sample",
  summary: "a sample",
  goal: "Count {{what}}",
  language: "python",
  complete: true,
  parameters: { what: { description: "a word", pattern: "[a-z]+" }, most: { description: "a number", default: "3" } },
  requirements: [{ id: "R1", text: "counts at most {{most}} {{ what }}", example: { input: "{{what}}", output: "1" } }],
  todos: [{ id: "count", title: "count {{what}}", requirements: ["R1"] }],
  files: { "fixtures/{{keep}}.txt": "{{what}}\n" },
});

test("the templates that ship hold, and those that are complete are whole plans", () => {
  const shipped = listTemplates(places);
  expect(shipped.map(({ name }) => name)).toEqual([
    "cli_tool",
    "data_pipeline",
    "library",
    "trading_strategy",
    "web_app",
  ]);
  for (const each of shipped) expect(JSON.stringify(fillTemplate(each, {}))).not.toContain("{{");
  const strategy = fillTemplate(readTemplate(places, "trading_strategy"), { symbol: "GOLD", stop: "1.5" });
  const plan = PlanFile.parse(planOf(strategy));
  expect(plan.goal).toContain("GOLD");
  expect(plan.plan.todos.map(({ id }) => id)).toEqual(["load-data", "indicators", "entry", "exit"]);
  expect(plan.spec.requirements.at(-1)?.text).toContain("1 - 1.5 / 100");
  expect(Object.keys(strategy.files)).toContain("fixtures/sample_trend.csv");
});

test("the strategy is told in data frames where pandas is there, and names every artifact and who begins a step", () => {
  const written = readTemplate(places, "trading_strategy");
  const frames = fillTemplate(whereThere(written, new Set(["pandas"])), {});
  const plain = fillTemplate(whereThere(written, new Set()), {});
  const text = (id: string, of = frames) => of.requirements.find((item) => item.id === id)?.text;
  for (const id of ["R1", "R3", "R4", "R5", "R7"]) expect(text(id)).toMatch(/DataFrame|Series/);
  expect(frames.goal).toContain("pandas");
  expect(JSON.stringify(plain)).not.toMatch(/pandas|DataFrame|Series/);
  for (const of of [frames, plain]) expect(text("R4", of)).toContain("macd(values, fast, slow, signal)");
  const steps = frames.todos.map(({ id, role, dependsOn, artifacts }) => ({ id, role, dependsOn, artifacts }));
  expect(steps.map(({ role }) => role)).toEqual(["coder", "architect", "coder", "coder"]);
  expect(steps.flatMap(({ dependsOn }) => dependsOn)).toEqual([]);
  const artifacts = steps.flatMap((step) => step.artifacts);
  for (const name of [
    "backtesting_adapter.py",
    "indicator_contract.json",
    "ai_strategy_entry.py",
    "ai_strategy_exit.py",
  ])
    expect(artifacts).toContain(name);
  expect(artifacts.filter((path) => /^fixtures\/sample_\w+\.csv$/.test(path))).toHaveLength(3);
  expect(artifacts.filter((path) => /^indicators\/\w+\.py$/.test(path))).toHaveLength(4);
});

test("parameters stand in every text, and a goal of one's own comes first", () => {
  const filled = fillTemplate({ ...template, files: {} }, { what: "pears" });
  expect(filled.requirements[0]).toMatchObject({ text: "counts at most 3 pears", example: { input: "pears" } });
  expect(goalOf(filled, "")).toBe("Count pears");
  expect(goalOf(filled, "Count my pears")).toMatch(
    /^Count my pears\n\nThis is a sample\..*\n- R1: counts at most 3 pears/,
  );
  expect(planOf(filled)?.plan.todos[0]?.title).toBe("count pears");
});

test.each([
  [{}, "what is needed: --set what=…"],
  [{ what: "Pears!" }, 'what must be a word, not "Pears!"'],
  [{ what: "pears", whom: "me" }, "has no parameter whom; it has what, most"],
])("a parameter that is missing, does not fit or is unknown is refused: %o", (given, message) => {
  expect(() => fillTemplate(template, given)).toThrow(message);
});

test("what a template lacks is said when it is read", () => {
  expect(checkTemplate(template)).toEqual(["{{keep}} is no parameter"]);
  const { language: _, ...without } = template;
  const broken = { ...without, files: {}, todos: [{ ...template.todos[0], requirements: ["R2"] }] };
  expect(checkTemplate(Template.parse(broken))).toEqual([
    "todo count names requirement R2, which does not exist",
    "no todo fulfils requirement R1",
    "a complete template has a goal and a language",
  ]);
  expect(() => readTemplate(places, "web_ap")).toThrow("there is no template web_ap (did you mean");
});
