import { expect, onTestFinished, test, vi } from "vitest";
import { artifactsOfTask } from "../src/app/artifacts-of-task.ts";
import { storyLines } from "../src/cli/text/story-text.ts";
import { planFrom, WrittenPlan } from "../src/domain/plan/written-plan.ts";
import { findTask } from "../src/store/tasks.ts";
import { AppBuilder } from "./app-builder.ts";
import type { ServedRequest } from "./model-server.ts";
import { addGoal, byRole, call, extraRoleOf, roleOf } from "./scripted-goal.ts";
import { stuckGoal, stuckScript } from "./stuck-goal.ts";

const stuck = [
  call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" }),
  call("finish", { summary: "wrote add" }),
  // Nothing is changed: the same tests stay red on the same tree.
  call("finish", { summary: "it is right" }),
];
const wrong = call("finish", { cause: "unknown", hypothesis: "look again", next: "code" });

async function run(found: object, coder: typeof stuck) {
  const seen: ServedRequest[] = [];
  const script = byRole({
    ...addGoal,
    coder: [...stuck, ...coder],
    reflector: [wrong, wrong],
    debugger: [
      call("create_file", { path: "calc.py", content: "" }),
      call("run_command", { command: "python3 -c 'import calc; print(calc.add(2, 3))' && echo > calc.py" }),
      call("finish", found),
    ],
  });
  const builder = await AppBuilder.create((request, index) => {
    seen.push(request);
    return script(request, index);
  });
  const app = await builder.open();
  const { limits } = builder.settings();
  const settings = builder.settings({ limits: { ...limits, debugAttempts: 2 } });
  const words = "Write a module that adds two numbers";
  const end = await builder.start(app, { goal: `${words}\nAnd what its template says`, words }, settings);
  const last = (role: string) =>
    JSON.stringify(seen.findLast((request) => (extraRoleOf(request) ?? roleOf(request)) === role)?.messages);
  return { end, events: builder.events, last };
}

test("a todo that stays red is debugged, worked on with what was found, and done when its own tests are green", async () => {
  const found = { cause: "implementation_bug", finding: "add(2, 3) gives -1", instructions: "use + in calc.py" };
  const { end, events, last } = await run(found, [
    call("edit_file", { path: "calc.py", oldText: "a - b", newText: "a + b" }),
    call("finish", { summary: "it adds" }),
  ]);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const shown = last("debugger");
  expect(shown).toContain("What is red");
  expect(shown).toContain("+    return a - b");
  expect(shown).toContain("there is no tool create_file");
  expect(shown).toContain("-1");
  // What the template adds, the requirements say.
  expect(shown).not.toContain("what its template says");
  // What the debugger did to the files is gone; who goes on with the attempt is shown it, and what is red in it.
  const told = last("coder");
  expect(told).toContain("use + in calc.py");
  expect(told).toContain("Your change so far");
  expect(told).toContain("+    return a - b");
  expect(told).toContain("What is still red");
  const story = storyLines(events).join("\n");
  expect(story).toContain("add-debug, because add stays red: implementation bug");
  expect(story).toContain("add-debug 1: green");
});

test("what a reader sent back is no ground to stand on: what it did to the configuration of tests is put back", async () => {
  const finding = { severity: "high", path: "calc.py", line: 2, message: "it subtracts", instead: "" };
  const outOfScope = ["a pytest.ini"];
  const planned = addGoal.planner.map(({ name, arguments: plan }) =>
    call(name, typeof plan === "object" ? { ...plan, outOfScope } : plan),
  );
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      // What is named as out of scope is not asked for.
      planner: planned,
      coder: [
        call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" }),
        call("create_file", { path: "pytest.ini", content: "[pytest]\naddopts = -q\n" }),
        call("finish", { summary: "wrote add" }),
        call("edit_file", { path: "calc.py", oldText: "a - b", newText: "a + b" }),
        call("finish", { summary: "it adds" }),
      ],
      reviewer: [call("finish", { findings: [finding] }), call("finish", { findings: [] })],
      debugger: [call("finish", { cause: "implementation_bug", finding: "it subtracts", instructions: "use +" })],
    }),
  );
  const app = await builder.open();
  const limits = { ...builder.settings().limits, maxIterations: 1, debugAttempts: 2 };
  const settings = builder.settings({ limits, review: true });
  expect(await builder.start(app, { goal: stuckGoal }, settings)).toMatchObject({ outcome: { status: "proven" } });
  expect(Object.keys(builder.files())).not.toContain("pytest.ini");
});

test.each([
  { branchDepth: 2, status: "proven", expected: ["add-debug", "add-debug-2"] },
  { branchDepth: 1, status: "not-proven", expected: ["add-debug"] },
])("a branch that stays red is looked at by another debugger, $branchDepth deep and no deeper", async (wanted) => {
  const found = { cause: "implementation_bug", finding: "it subtracts", instructions: "use + in calc.py" };
  const again = call("finish", { summary: "it is right" });
  const mended = [call("edit_file", { path: "calc.py", oldText: "a - b", newText: "a + b" }), again];
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [...stuck, again, ...(wanted.branchDepth === 1 ? [] : mended)],
      reflector: [wrong, wrong, wrong],
      debugger: [call("finish", found), call("finish", { ...found, finding: "it still subtracts" })],
    }),
  );
  const app = await builder.open();
  const limits = { ...builder.settings().limits, debugAttempts: 1, branchDepth: wanted.branchDepth };
  const end = await builder.start(app, { goal: stuckGoal }, builder.settings({ limits }));
  expect(end).toMatchObject({ outcome: { status: wanted.status } });
  const branches = builder.events.flatMap((event) => (event.type === "todo-branched" ? [event.branch.id] : []));
  expect(branches).toEqual(wanted.expected);
  // They are a part of the plan, as people and other programs read it.
  const made = await artifactsOfTask(app, await findTask(app.store, end.task));
  const read = (name: string) => JSON.parse(made.find(({ path }) => path === name)?.content ?? "null");
  const { todos } = WrittenPlan.parse(read("todo_list.json"));
  expect(todos.filter((todo) => todo.is_temporary)).toMatchObject(
    wanted.expected.map((id) => ({
      id,
      parent_id: "add",
      agent_role: "debugger",
      branch_reason: "implementation_bug",
      debug_instructions: "use + in calc.py",
      max_debug_attempts: 1,
    })),
  );
  expect(storyLines(builder.events).join("\n")).toContain("✗ add-debug: it subtracts (failed)");
  // What the debugger found, and what goes on to a person, are reports.
  const isGivenUp = wanted.status === "not-proven";
  expect(read("failure_report.json")).toMatchObject({
    diagnoses: wanted.expected.map((id) => ({ id, debug_instructions: "use + in calc.py" })),
    failure: isGivenUp ? { code: expect.any(String) } : null,
  });
  if (isGivenUp)
    expect(read("escalation.json")).toMatchObject({ task: end.task, failure: { code: expect.any(String) } });
  else expect(read("escalation.json")).toBeNull();
});

test("where the reflector cannot tell why, a debugger is asked at once", async () => {
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        ...stuck.slice(0, 2),
        call("edit_file", { path: "calc.py", oldText: "a - b", newText: "a + b" }),
        call("finish", { summary: "it adds" }),
      ],
      reflector: [call("finish", { cause: "unknown", hypothesis: "-", next: "debug" })],
      debugger: [call("finish", { cause: "implementation_bug", finding: "it subtracts", instructions: "use +" })],
    }),
  );
  const app = await builder.open();
  const settings = builder.settings({ limits: { ...builder.settings().limits, debugAttempts: 2 } });
  const end = await builder.start(app, { goal: "Write a module that adds two numbers" }, settings);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const story = storyLines(builder.events).join("\n");
  expect(story).toContain("add-debug, because add stays red");
  expect(story).not.toContain("add 2:");
});

/** The plan of the goal as a person writes it, with more said of its todo. */
const written = (todo: object) =>
  planFrom(
    WrittenPlan.parse({
      title: "add two numbers",
      language: "python",
      requirements: [{ id: "R1", text: "calc.add(a, b) returns the sum of two numbers" }],
      todos: [{ id: "add", title: "write calc.add", requirements: ["R1"], ...todo }],
    }),
  );

const found = call("finish", { cause: "implementation_bug", finding: "it subtracts", instructions: "use +" });
/** Another change that does not help, every time. */
const tries = (times: number) =>
  Array.from({ length: times }, (_, at) => [
    call("edit_file", { path: "calc.py", oldText: "a - b", newText: `a - b - ${at + 1}` }),
    call("finish", { summary: `try ${at}` }),
  ]).flat();

test("max_debug_attempts of a plan's todo bounds the attempts on what the debugger found", async () => {
  const builder = await AppBuilder.create(
    byRole({ ...addGoal, coder: [...stuck, ...tries(5)], reflector: Array(8).fill(wrong), debugger: [found] }),
  );
  const app = await builder.open();
  const limits = { ...builder.settings().limits, debugAttempts: 4 };
  const plan = written({ max_debug_attempts: 2 });
  const end = await builder.start(app, { goal: stuckGoal, plan }, builder.settings({ limits }));
  expect(end).toMatchObject({ outcome: { status: "not-proven" } });
  const attempts = builder.events.flatMap((event) =>
    event.type === "iteration-settled" && event.iteration.todo === "add-debug" ? [event.iteration.number] : [],
  );
  expect(attempts).toEqual([1, 2]);
});

test.each([
  { when: "before a debugger looks", asked: "coder", branches: [] },
  { when: "while it works on a branch", asked: "debugger", branches: ["add-debug"] },
])("a todo whose own time is up $when goes no further: a branch has no time of its own", async (wanted) => {
  const real = Date.now;
  let ahead = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => real() + ahead);
  onTestFinished(() => clock.mockRestore());
  const script = byRole({
    ...addGoal,
    coder: [...stuck, ...tries(5)],
    reflector: Array(8).fill(wrong),
    debugger: [found],
  });
  const asked: string[] = [];
  const builder = await AppBuilder.create((request, index) => {
    const role = extraRoleOf(request) ?? roleOf(request);
    if (role === wanted.asked) ahead = 3_600_000;
    if (ahead > 0) asked.push(role);
    return script(request, index);
  });
  const app = await builder.open();
  const limits = { ...builder.settings().limits, debugAttempts: 4, timeoutMs: 36_000_000 };
  const plan = written({ timeout_ms: 600_000 });
  const end = await builder.start(app, { goal: stuckGoal, plan }, builder.settings({ limits }));
  expect(end).toMatchObject({ outcome: { failure: { code: "todo.timeout" } } });
  expect(builder.events.flatMap((event) => (event.type === "todo-branched" ? [event.branch.id] : []))).toEqual(
    wanted.branches,
  );
  expect(new Set(asked)).toEqual(new Set([wanted.asked]));
});

test("where the tests are at fault nobody is sent to change the code, and a person reads why", async () => {
  const found = { cause: "spec_mismatch", finding: "the goal says nothing of negative numbers", instructions: "-" };
  const { end } = await run(found, []);
  expect(end).toMatchObject({
    outcome: {
      status: "not-proven",
      failure: { code: "branch.spec-mismatch", message: expect.stringContaining("nothing of negative numbers") },
    },
  });
});

test("several explanations are tried, and tests that nobody saw choose between green ones, which spends them", async () => {
  const builder = await AppBuilder.create(stuckScript);
  const app = await builder.open();
  const { limits } = builder.settings();
  const settings = builder.settings({ limits: { ...limits, debugAttempts: 1, candidates: 2, parallel: 2 } });
  const end = await builder.start(app, { goal: stuckGoal }, settings);
  const chosen = builder.events.find((event) => event.type === "candidate-chosen");
  expect(chosen?.candidates.map(({ green, unseenRed }) => [green, unseenRed])).toEqual([
    [true, 1],
    [true, 0],
  ]);
  expect(chosen?.chosen).toBe(2);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const spent = evidence?.tests.filter((test) => test.spent).map(({ id }) => id);
  expect(spent).toContain("tests/test_add_unseen.py::test_adds_unseen");
});
