import { expect, test } from "vitest";
import { gathered } from "../../../test/evidence-builder.ts";
import type { Event, EventBody } from "../../domain/task/event.ts";
import { eventLine } from "./event-line.ts";
import { storyLines } from "./story-text.ts";

const tests = ["[1-25]", "[3-75]"].map((variant) => ({
  id: `tests/test_fee.py::test_fee${variant}`,
  origin: "visible" as const,
  role: "red-to-green" as const,
  before: "absent" as const,
  after: "passed" as const,
  onOldCode: "failed" as const,
}));
const ids = tests.map(({ id }) => id);
const suiteOf = (passed: number, red: number) => ({
  ending: "completed" as const,
  passed,
  red,
  skipped: 0,
  durationMs: 1,
});

const story: EventBody[] = [
  {
    type: "plan-made",
    size: "small",
    spec: {
      title: "Mend the fee",
      kind: "fix",
      language: "python",
      requirements: [{ id: "R1", text: "the fee is capped", assumption: true }],
      outOfScope: ["discounts"],
      accept: [],
    },
    plan: {
      todos: [
        {
          id: "fee",
          title: "cap it",
          role: "coder",
          dependsOn: [],
          requirements: ["R1"],
          acceptance: [],
          artifacts: [],
        },
      ],
    },
  },
  {
    type: "iteration-settled",
    iteration: {
      number: 1,
      todo: "fee",
      tree: "a",
      outcome: "red",
      passed: 0,
      red: ["x"],
      summary: "used max",
      failure: { kind: "logic", code: "tests.red", message: "1 red: x" },
      reflection: "max raises the fee",
      hypothesis: "use min",
      tokens: 1,
      durationMs: 1,
    },
  },
];

const applied: EventBody[] = [
  {
    type: "evidence-gathered",
    evidence: gathered({
      requirements: [{ id: "R1", text: "the fee is capped", assumption: true, support: "red-to-green", tests: ids }],
      tests,
      suite: { command: "pytest", before: suiteOf(1, 0), after: suiteOf(3, 0) },
    }),
  },
  { type: "change-applied", files: ["fees.py"], directory: "/work" },
];

test("tells an unfinished task's plan and what each iteration taught", () => {
  expect(storyLines(story.map(event))).toEqual([
    "  plan: Mend the fee (small fix, python)",
    "    ○ fee: cap it (ready)",
    "    R1 the fee is capped (assumption)",
    "    out of scope: discounts",
    "  iterations",
    "    fee 1: red",
    "      did: used max",
    "      failed: 1 red: x",
    "      why: max raises the fee",
    "      next: use min",
  ]);
});

test("calls work on all parts together the whole change", () => {
  const merged = story.map((body) =>
    body.type === "iteration-settled" ? { ...body, iteration: { ...body.iteration, todo: "merged" } } : body,
  );
  expect(storyLines(merged.map(event))).toContain("    the whole change 1: red");
});

test("names a requirement once, with its tests, and where the result stands", () => {
  const lines = storyLines([...story, ...applied].map(event));
  expect(lines.slice(-5)).toEqual([
    "  evidence",
    "    ✓ R1 the fee is capped (assumption)",
    "        red before, green now: tests/test_fee.py: test_fee (2 cases)",
    "    suite: 1 passed before, 3 passed now, 0 red",
    "  applied: 1 file",
  ]);
  expect(lines.filter((line) => line.includes("the fee is capped"))).toHaveLength(1);
  const undone: EventBody = { type: "change-undone", files: ["fees.py"], directory: "/work" };
  expect(storyLines([...applied, undone].map(event)).at(-1)).toBe("  taken back: 1 file");
});

test("names the tests that stay red, and a requirement that nothing shows", () => {
  const [first, second] = tests;
  const evidence = gathered({
    requirements: [
      { id: "R1", text: "one", assumption: false, support: "none", tests: ids },
      { id: "R2", text: "two", assumption: false, support: "none", tests: [] },
    ],
    tests: [...(first ? [first] : []), ...(second ? [{ ...second, after: "failed" as const }] : [])],
    suite: { command: "pytest", before: null, after: suiteOf(1, 1) },
  });
  expect(storyLines([event({ type: "evidence-gathered", evidence })]).slice(1, 5)).toEqual([
    "    ✗ R1 one",
    "        not green: tests/test_fee.py: test_fee",
    "    ✗ R2 two",
    "        nothing shows it",
  ]);
});

function event(body: EventBody): Event {
  return { task: "t1", number: 1, at: 0, step: "s", ...body };
}

test("says why a task stopped, unless it went on since", () => {
  const at = (number: number) => ({ task: "t00000001", number, at: number, step: "" });
  const paused: Event = { ...at(1), type: "task-paused", reason: "no key" };
  expect(storyLines([paused])).toEqual(["  stopped: no key"]);
  expect(storyLines([paused, { ...at(2), type: "phase-changed", phase: "coding", iteration: 1 }])).toEqual([]);
});

test("Enter at a question takes its default and refuses nothing", () => {
  const asked = { type: "approval-answered", id: "a1", subject: "question", question: "Which sign?" } as const;
  const answers = [
    { granted: false, by: "ada", at: 1, reason: "" },
    { granted: true, by: "ada", at: 2, reason: "€" },
  ];
  const events = answers.map(
    (answer, index): Event => ({ task: "t1", number: index + 1, at: 0, step: "", ...asked, answer }),
  );
  const told = ["default taken by ada: Which sign?", "answered by ada: Which sign?: €"];
  expect(storyLines(events)).toEqual(["  asked", ...told.map((line) => `    ${line}`)]);
  expect(events.map(eventLine)).toEqual(told);
});

test("says what was refused, who allowed what, and what still waits", () => {
  const request = { id: "a1", subject: "deps", question: "run `pip install x`", detail: "" } as const;
  const refused: EventBody & { type: "safety-refused" } = {
    type: "safety-refused",
    what: "command",
    subject: "rm -rf /",
    reasons: [],
  };
  const answer = { granted: false, by: "ada", at: 1, reason: "no need" };
  const bodies: EventBody[] = [
    refused,
    refused,
    { ...refused, what: "code" },
    { type: "approval-requested", request },
    { type: "approval-answered", id: "a1", subject: "deps", question: request.question, answer },
    { type: "approval-requested", request: { ...request, id: "a2", question: "run `curl`" } },
  ];
  const events = bodies.map((body, index): Event => ({ task: "t1", number: index + 1, at: 0, step: "", ...body }));
  expect(storyLines(events)).toEqual([
    "  refused: 3 (2 command, 1 code)",
    "  asked",
    "    not allowed by ada: run `pip install x`: no need",
    "    waits: run `curl` (miracle approve a2)",
  ]);
});
