import { expect, test } from "vitest";
import type { PlanFile } from "./plan-file.ts";
import { writePlan } from "./write-plan.ts";
import { planFrom, WrittenPlan } from "./written-plan.ts";

const small = { title: "numbers", language: "python", requirements: [{ id: "R1", text: "adds" }] };
const parent = { id: "t2_add", title: "add", requirements: ["R1"] };
const branch = {
  id: "t2_branch_01",
  parent_id: "t2_add",
  title: "a sum is wrong",
  agent_role: "debugger",
  branch_reason: "implementation_bug",
  debug_instructions: "mind the sign",
  is_temporary: true,
  max_debug_attempts: 3,
};

test("every field of a plan is written and read again", () => {
  const plan: PlanFile = {
    goal: "Add numbers",
    size: "large",
    spec: {
      title: "numbers",
      kind: "fix",
      language: "python",
      requirements: [{ id: "R1", text: "adds", assumption: false, example: { input: "1 + 1", output: "2" } }],
      outOfScope: ["floats"],
      accept: ["make check"],
      superseded: [{ test: "test_a.py::test_b", requirement: "R1", quote: "not any more" }],
    },
    plan: {
      todos: [
        {
          id: "a",
          title: "add",
          description: "with care",
          role: "coder",
          dependsOn: [],
          requirements: ["R1"],
          acceptance: ["true"],
          artifacts: ["a.py"],
          priority: -1,
          files: ["*.py"],
          preconditions: [{ absent: "a.py" }],
          postconditions: [{ exists: "a.py" }, { command: "true" }],
          metrics: [{ name: "lines", command: "wc -l < a.py", atMost: 9, atLeast: 1 }],
          effects: [{ change: "create", path: "a.py" }],
          timeoutMs: 1000,
          retries: 0,
          debugAttempts: 0,
        },
        { id: "b", title: "b", role: "coder", dependsOn: ["a"], requirements: ["R1"], acceptance: [], artifacts: [] },
      ],
    },
    relevantFiles: ["README.md"],
  };
  expect(planFrom(WrittenPlan.parse(JSON.parse(JSON.stringify(writePlan(plan)))))).toEqual(plan);
});

test("what a branch found out is told to whoever works on its parent", () => {
  const { plan } = planFrom(WrittenPlan.parse({ ...small, todos: [parent, branch] }));
  expect(plan.todos).toMatchObject([
    {
      id: "t2_add",
      description: "Found out earlier (implementation_bug), a sum is wrong: mind the sign",
      debugAttempts: 3,
    },
  ]);
});

test("a branch todo is read as the first documents write it, and written with its parent's plan as it is read", () => {
  const theirs = {
    ...branch,
    parent_id: "t2_add",
    title: "Debug indicator failures (RSI mismatch)",
    branch_reason: "test_failure",
    debug_instructions: "RSI calculation incorrect. Expected 28.5, got 32.1.",
  };
  const read = planFrom(WrittenPlan.parse({ ...small, todos: [parent, theirs] }));
  expect(read.plan.todos[0]?.description).toContain("Expected 28.5, got 32.1.");
  const id = `${"x".repeat(40)}`;
  const own = {
    id: `${id}-debug-2`,
    parent: id,
    reason: "timeout",
    finding: "slow",
    instructions: "be quick",
  } as const;
  const plan = planFrom(WrittenPlan.parse({ ...small, todos: [{ ...parent, id }] }));
  const written = writePlan(plan, [{ ...own, maxAttempts: 3 }]);
  expect(WrittenPlan.parse(JSON.parse(JSON.stringify(written))).todos).toMatchObject([
    { id, is_temporary: false },
    { id: own.id, parent_id: id, branch_reason: "timeout", is_temporary: true, max_debug_attempts: 3 },
  ]);
});

test.each([
  [[{ ...parent, id: "x".repeat(41) }], "todos.0.id", "Invalid string"],
  [[{ ...parent, id: "result" }], "todos.0.id", "reserved"],
  [[parent, { ...branch, parent_id: "gone" }], "todos.1.parent_id", "there is no todo gone"],
  [[branch], "todos", "only branch todos"],
  [[{ ...parent, debug_instructions: "x" }], "todos.0.debug_instructions", "belongs to a branch todo"],
  [[parent, { ...branch, acceptance_criteria: ["true"] }], "todos.1.acceptance_criteria", "from its parent"],
  [[{ ...parent, agent_role: "tester" }], "todos.0.agent_role", "coder works on a todo"],
  [[{ ...parent, agent_role: "debugger" }], "todos.0.agent_role", "belongs to a branch todo"],
  [[{ ...parent, metrics: [{ name: "x", command: "y" }] }], "todos.0.metrics.0", "at_most or at_least"],
])("what would mean nothing is refused: %j", (todos, path, message) => {
  const issues = WrittenPlan.safeParse({ ...small, todos }).error?.issues ?? [];
  expect(issues.map((issue) => [issue.path.join("."), issue.message])).toContainEqual([
    path,
    expect.stringContaining(message),
  ]);
});
