import { expect, test } from "vitest";
import { type Plan, Todo } from "./plan.ts";
import { changesOfPlan, describeChanges } from "./plan-changes.ts";
import { type ProposedTodo, updatedPlan, updateProblem, withHomes } from "./update-plan.ts";

const todo = (id: string, more: Partial<Todo> = {}): Todo => Todo.parse({ id, title: `do ${id}`, ...more });
const proposed = (id: string, requirements: string[], more: Partial<ProposedTodo> = {}): ProposedTodo => ({
  id,
  title: `do ${id}`,
  dependsOn: [],
  requirements,
  artifacts: [`${id}.py`],
  ...more,
});

const plan: Plan = {
  todos: [
    todo("read", { requirements: ["R1"], artifacts: ["read.py"] }),
    todo("write", { requirements: ["R2", "R3"], artifacts: ["write.py"], files: ["write.py"], dependsOn: ["read"] }),
  ],
};
const stand = { plan, done: new Set(["read"]), requirements: ["R1", "R2", "R3"] };
const idsOf = ({ todos }: Plan) => todos.map(({ id }) => id);

test("what is done stays as it is, and what is new begins from it", () => {
  const next = updatedPlan(stand, [
    proposed("read", ["R3"], { title: "another" }),
    proposed("format", ["R3"]),
    proposed("write", ["R2"], { dependsOn: ["format"] }),
  ]);
  expect(idsOf(next)).toEqual(["read", "format", "write"]);
  expect(next.todos[0]).toEqual(plan.todos[0]);
  expect(next.todos[1]?.dependsOn).toEqual(["read"]);
  // What the planner does not speak of stays.
  expect(next.todos[2]?.files).toEqual(["write.py"]);
  expect(updateProblem(stand, next)).toBeUndefined();
});

test("a plan of any size may be changed, and grows by ten todos at the most", () => {
  const many = Array.from({ length: 30 }, (_, index) => todo(`part-${index}`, { requirements: ["R1"] }));
  const large = { plan: { todos: many }, done: new Set<string>(), requirements: ["R1"] };
  const same = many.map(({ id }) => proposed(id, ["R1"]));
  const more = (count: number) => Array.from({ length: count }, (_, index) => proposed(`more-${index}`, ["R1"]));
  expect(updateProblem(large, updatedPlan(large, [...same, ...more(10)]))).toBeUndefined();
  expect(updateProblem(large, updatedPlan(large, [...same, ...more(11)]))).toMatch(/^11 todos more than before/);
});

test("a plan may not lose a requirement", () => {
  const next = updatedPlan(stand, [proposed("write", ["R2"])]);
  expect(updateProblem(stand, next)).toBe("no todo fulfils requirement R3");
});

test("what is new or changed cannot have been fulfilled by what is done", () => {
  const open = { ...stand, open: ["R1"] };
  expect(updateProblem(open, updatedPlan(open, [proposed("write", ["R2", "R3"])]))).toMatch(/^R1 is new or changed/);
  const again = updatedPlan(open, [proposed("write", ["R2", "R3"]), proposed("reread", ["R1"])]);
  expect(updateProblem(open, again)).toBeUndefined();
});

test("circles and unknown todos are refused with the usual errors", () => {
  const circle = [proposed("a", ["R2"], { dependsOn: ["b"] }), proposed("b", ["R3"], { dependsOn: ["a"] })];
  expect(() => updatedPlan(stand, circle)).toThrow("todos depend on each other in a circle: a, b");
  expect(() => updatedPlan(stand, [proposed("a", ["R2", "R3"], { dependsOn: ["gone"] })])).toThrow(
    "todo a depends on gone, which the plan does not have",
  );
});

test("todos that might write the same file are worked on in turn", () => {
  const next = updatedPlan(stand, [
    proposed("a", ["R2"], { artifacts: ["x.py"] }),
    proposed("b", ["R3"], { artifacts: ["x.py"] }),
  ]);
  expect(next.todos[2]?.dependsOn).toEqual(["read", "a"]);
});

test("what a person said of a todo stays: when it is done, and what may be written", () => {
  const check = { acceptance: ["make check"], files: ["write.py"] };
  const theirs = plan.todos.map((one) => ({ ...one, files: ["read.py"], ...(one.id === "write" && check) }));
  const given = { ...stand, plan: { todos: theirs }, given: theirs };
  const left = (...todos: ProposedTodo[]) => updatedPlan(given, todos);
  const eased = left(proposed("write", ["R2", "R3"], { acceptance: ["true"], files: ["**"] }));
  expect(eased.todos[1]).toMatchObject({ acceptance: ["make check", "true"], files: ["write.py"] });
  expect(updateProblem(given, eased)).toBeUndefined();
  expect(updateProblem(given, left(proposed("other", ["R2", "R3"], { files: ["write.py"] })))).toContain("keep it");
  const write = proposed("write", ["R2"]);
  expect(updateProblem(given, left(write, proposed("other", ["R3"])))).toContain("give other `files` out of");
  expect(updateProblem(given, left(write, proposed("other", ["R3"], { files: ["read.py"] })))).toBeUndefined();
});

const file = (path: string, home: string, requirements: string[]) => ({
  path,
  content: "",
  todo: home,
  covers: requirements.map((requirement, index) => ({ test: `t${index}`, requirement })),
});

test("tests follow their requirements to the todo after which they can be green", () => {
  const next = updatedPlan(stand, [proposed("format", ["R3"]), proposed("print", ["R2"], { dependsOn: ["format"] })]);
  const files = [file("a", "read", ["R1"]), file("b", "write", ["R3"]), file("c", "write", ["R2", "R3"])];
  const homes = withHomes(files, next, stand.done);
  expect("files" in homes && homes.files.map((one) => one.todo)).toEqual(["read", "format", "print"]);
});

test("tests of two parts that do not stand on each other have no place", () => {
  const next = updatedPlan(stand, [proposed("format", ["R3"]), proposed("print", ["R2"])]);
  expect(withHomes([file("c", "write", ["R2", "R3"])], next, stand.done)).toEqual({
    problem: "R2, R3 are tested together: let one todo fulfil them, or let one of their todos depend on the others",
  });
});

test("a change of a plan is told by todo and field", () => {
  const next = updatedPlan(stand, [
    proposed("print", ["R3"]),
    proposed("write", ["R2"], { title: "write it", artifacts: ["write.py"] }),
  ]);
  expect(describeChanges(changesOfPlan(plan, next))).toEqual([
    "+ todo print: do print",
    "~ todo write, title: do write → write it",
    "~ todo write, dependsOn: read → print",
    "~ todo write, requirements: R2, R3 → R2",
  ]);
});
