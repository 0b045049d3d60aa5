import { describe, expect, test } from "vitest";
import { Plan } from "../../domain/plan/plan.ts";
import { changesOfPlan, changesOfSpec, describeChanges } from "../../domain/plan/plan-changes.ts";
import { Spec } from "../../domain/plan/spec.ts";
import { type Event, EventBody } from "../../domain/task/event.ts";
import { renderView } from "../terminal/render-view.ts";
import { eventLine } from "./event-line.ts";
import { eventLines } from "./event-lines.ts";
import { widthOf } from "./printable.ts";
import { emptyView, reduceView, type ViewModel } from "./view-model.ts";

const usage = (costMicros: number | null) => ({
  inputTokens: 1000,
  outputTokens: 200,
  cachedInputTokens: 0,
  costMicros,
});
const asked = (costMicros: number | null): EventBody => ({
  type: "model-called",
  role: "coder",
  model: "openai/gpt",
  attempts: 1,
  usage: usage(costMicros),
  durationMs: 2000,
});

const story: EventBody[] = [
  { type: "task-started", goal: "add numbers", directory: "/work", baseTree: "b" },
  { type: "phase-changed", phase: "planning", iteration: 0 },
  asked(5000),
  { type: "phase-changed", phase: "coding", iteration: 2, todo: "parser" },
  { type: "tool-called", tool: "run_command", subject: "pytest -q", ok: false, durationMs: 10 },
  asked(2500),
  {
    type: "tests-run",
    scope: "visible",
    counts: { passed: 3, red: 1, skipped: 0 },
    passed: false,
    red: [{ id: "test_x.py::test_y", message: "" }],
    durationMs: 5,
  },
];

describe("the view of a run", () => {
  test("adds up what the events say", () => {
    expect(viewOf(story)).toMatchObject({
      goal: "add numbers",
      phase: "coding",
      iteration: 2,
      todo: "parser",
      tests: { passed: 3, red: 1 },
      tokens: 2400,
      costMicros: 7500,
      calls: 2,
      tool: { name: "run_command", subject: "pytest -q", ok: false },
    });
  });

  test("counts the iterations of all todos and keeps what was done", () => {
    const settled = (number: number, outcome: "red" | "green", summary: string): EventBody => ({
      type: "iteration-settled",
      iteration: { number, todo: "a", tree: "t", outcome, passed: 1, red: [], summary, tokens: 1, durationMs: 1 },
    });
    const view = viewOf([settled(1, "red", "tried"), settled(2, "green", "did a"), settled(1, "green", "did b")]);
    expect(view).toMatchObject({ iterations: 3, summaries: ["did a", "did b"] });
    const ended = ["todo:a", "todo:a", "mend:1"].map((strand) => ({
      ...event(settled(1, "green", "did it")),
      step: `${strand}/phase/3`,
    }));
    expect(ended.reduce(reduceView, emptyView)).toMatchObject({ iterations: 3, attempts: ["todo:a", "mend:1"] });
    const mending = { ...event({ type: "phase-changed", phase: "coding", iteration: 1 }), step: "mend:1/phase/1" };
    expect(draw(reduceView(view, mending), { maxIterations: 2 })[0]).toContain("coding  mending, iteration 1/2");
    const failure = { kind: "logic" as const, code: "reviewer.findings", message: "the reviewer found: x" };
    const iteration = { number: 1, todo: "a", tree: "t", passed: 0, red: [], tokens: 1, durationMs: 1, failure };
    const read: EventBody = {
      type: "iteration-settled",
      iteration: { ...iteration, outcome: "blocked", summary: "did c" },
    };
    expect(viewOf([read]).summaries).toEqual(["did c"]);
  });

  test("keeps what the readers of a change found last", () => {
    const read = (message: string[]): EventBody => ({
      type: "change-reviewed",
      role: "reviewer",
      iteration: 1,
      ruling: "approved",
      findings: message.map((text) => ({ severity: "low", path: "a.py", line: 1, message: text, instead: "" })),
    });
    const found = Object.values(viewOf([read(["one", "two"]), read(["two"])]).findings).flat();
    expect(found.map(({ message }) => message)).toEqual(["two"]);
  });

  test("says when a part of the cost is not known", () => {
    expect(viewOf([...story, asked(null)])).toMatchObject({ costMicros: 7500, costIsPartial: true });
  });

  test("shows streaming text until the call is over", () => {
    let view = viewOf(story);
    for (const text of ["first line\n", "second ", "line"]) {
      view = reduceView(view, { type: "model-delta", task: "t1", text });
    }
    expect(draw(view).slice(-2)).toEqual(["  first line", "  second line"]);
    expect(draw(reduceView(view, event(asked(1)))).join("\n")).not.toContain("second");
  });

  test("keeps only the end of a long stream", () => {
    let view = emptyView;
    for (let i = 0; i < 1000; i += 1) view = reduceView(view, { type: "model-delta", task: "t1", text: "word " });
    expect(view.text.length).toBeLessThanOrEqual(1000);
  });
});

describe("the drawing", () => {
  test("shows phase, iteration, tests, time, money, tokens and the last tool", () => {
    const [status, tool] = draw(viewOf(story), { maxIterations: 15, columns: 200 });
    expect(status).toMatch(
      /coding {2}iteration 2\/15 {2}3 passed {2}1 red {2}1m 05s {2}\$0.0075 {2}2.4k tokens {2}todo parser/,
    );
    expect(tool).toBe("  ✗ run_command pytest -q");
  });

  test("says that it waits for the model, and not the tool that has ended before", () => {
    const heard = { type: "model-heard", task: "t1", model: "local/free", patienceMs: 300_000, at: 1_064_000 } as const;
    const waiting = reduceView(viewOf(story), heard);
    expect(draw(waiting).slice(1)).toEqual(["  waits for local/free"]);
    const writing = reduceView(waiting, { type: "model-delta", task: "t1", text: "I think" });
    expect(draw(writing).slice(1)).toEqual(["  ✗ run_command pytest -q", "  I think"]);
  });

  test("has the plan as a list where it has several todos, and no counter passes its end", () => {
    const todos = ["a", "b", "c"].map((id) => ({
      id,
      title: `do ${id}`,
      requirements: [],
      dependsOn: [],
      artifacts: [],
    }));
    const requirements = [{ id: "R1", text: "it works", assumption: false }];
    const spec = { title: "x", kind: "feature", language: "python", requirements, outOfScope: [], accept: [] } as const;
    const made = { type: "plan-made", size: "large", spec: { ...spec }, plan: { todos } };
    const done = (todo: string): EventBody => ({ type: "todo-settled", todo, ok: true });
    const coding: EventBody = { type: "phase-changed", phase: "coding", iteration: 16, todo: "b" };
    const [first, ...rest] = draw(viewOf([EventBody.parse(made), done("a"), done("a"), coding]), { maxIterations: 15 });
    expect([first, ...rest.slice(0, 2)]).toEqual([
      "  ● a: do a (done)",
      "  ◐ b: do b (running, iteration 16)",
      "  ○ c: do c (ready)",
    ]);
    expect(rest[2]).toMatch(/coding {2}iteration 16 {2}.*1 of 3 todos/);
  });

  test("tells how far the proof is, and how long it will take", () => {
    const tell = (done: number, at: number) =>
      ({ type: "progress", task: "t1", text: "mutants", done, of: 50, at }) as const;
    const view = [tell(0, 1_000_000), tell(10, 1_010_000)].reduce(reduceView, viewOf(story));
    expect(draw(view)[1]).toBe("  mutants: 10 of 50, about 40s left");
    const over = reduceView(view, tell(70, 1_020_000));
    expect(draw(over)[1]).toBe("  mutants: 50 of 50");
    const heard = { type: "model-heard", task: "t1", model: "local/m", patienceMs: 300_000, at: 1_030_000 } as const;
    expect(draw(reduceView(over, heard)).join("\n"), "a model is waited for now").not.toContain("mutants");
    expect(draw(reduceView(view, heard)).join("\n"), "both at once").toContain("mutants: 10 of 50");
  });

  test("names a server that is silent, until it is heard", () => {
    const heard = (at: number) =>
      ({ type: "model-heard", task: "t1", model: "local/m", patienceMs: 300_000, at }) as const;
    expect(draw(reduceView(viewOf(story.slice(0, 2)), heard(1_000_000)))[0], "before its first answer").toContain(
      "local/m",
    );
    const view = reduceView(viewOf(story), heard(1_005_000));
    expect(draw(view)[1]).toBe("  local/m has been silent for 1m 00s; given up after 5m 00s");
    expect(draw(reduceView(view, heard(1_064_000))).join("\n")).not.toContain("silent");
    expect(draw(reduceView(view, event(asked(1)))).join("\n")).not.toContain("silent");
  });

  test("never exceeds a narrow terminal", () => {
    const view = reduceView(viewOf(story), {
      type: "model-delta",
      task: "t1",
      text: "日本語のとても長い文章".repeat(9),
    });
    for (let columns = 1; columns < 90; columns += 1) {
      for (const line of draw(view, { columns })) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  test("has no escape sequence without colour, whatever a tool was called with", () => {
    const nasty: EventBody = {
      type: "tool-called",
      tool: "search",
      subject: "\u001b[2J\u001b]0;x\u0007",
      ok: true,
      durationMs: 1,
    };
    expect(draw(viewOf([...story, nasty])).join("")).not.toMatch(/\p{Cc}/u);
    expect(eventLine(event(nasty))).not.toMatch(/\p{Cc}/u);
  });
});

describe("a line of an event", () => {
  test("names red tests with what they expected, but not endlessly", () => {
    const red = Array.from({ length: 50 }, (_, index) => ({
      id: `t.py::test_${index}`,
      message:
        index === 0
          ? "def test():\n>   assert add(1, 2) == 4\nE   assert 3 == 4\nE     \nE    + where 3 = add(1, 2)\nE   more"
          : "",
    }));
    const counts = { passed: 1, red: 50, skipped: 2 };
    const lines = eventLines(event({ type: "tests-run", scope: "suite", counts, passed: false, red, durationMs: 1 }));
    expect(lines.map(({ text }) => text)).toEqual([
      "tests: 1 passed, 50 red, 2 skipped",
      "  ✗ t.py::test_0",
      "      assert 3 == 4",
      "      + where 3 = add(1, 2)",
      "  ✗ t.py::test_1",
      "  ✗ t.py::test_2",
      "  and 47 more",
    ]);
  });

  test("says that new tests are expected to be red, unless some pass already", () => {
    const line = (passed: number, red: number) => {
      const counts = { passed, red, skipped: 0 };
      const body = { type: "tests-run", scope: "red-check", counts, passed: false, red: [], durationMs: 1 } as const;
      return eventLine(event({ ...body, red: [] }));
    };
    expect(line(0, 2)).toBe("new tests before the change: 0 passed, 2 red (expected: the code is not there yet)");
    expect(line(1, 1)).toBe("new tests before the change: 1 passed, 1 red");
  });

  test("shows a plan that a person changed as plans are shown, with what is other in it marked", () => {
    const specOf = (...requirements: object[]) =>
      Spec.parse({ title: "add", kind: "feature", language: "python", requirements, outOfScope: ["rounding"] });
    const words = { input: "add('a', 1)", output: "TypeError" };
    const before = specOf(
      { id: "R1", text: "sums" },
      { id: "R2", text: "refuses words", assumption: true },
      { id: "R4", text: "prints" },
    );
    const spec = specOf(
      { id: "R1", text: "adds", quote: "add it up" },
      { id: "R2", text: "refuses words", example: words },
      { id: "R3", text: "takes floats", assumption: true },
    );
    const plan = Plan.parse({ todos: [{ id: "add", title: "write add", requirements: ["R1"] }] });
    const changes = { ...changesOfPlan(plan, plan), requirements: changesOfSpec(before, spec) };
    const amendment = {
      ...{ message: "m1", words: "add it up", by: "ada", at: 1 },
      ...{ added: ["R3"], changed: ["R1", "R2"], dropped: ["R4"] },
    };
    const updated = { type: "plan-updated", why: "add it up", amendment, changes, size: "small", spec, plan } as const;
    expect(eventLines(event(updated)).map(({ text }) => text)).toEqual([
      "spec amended: add it up",
      "  ~ R1 adds",
      "  ~ R2 refuses words",
      "  + R3 (assumption) takes floats",
      "  - R4 prints",
      "    out of scope: rounding",
      expect.stringContaining("1 assumption"),
    ]);
    expect(describeChanges(changes)).toEqual([
      "- requirement R4: prints",
      "+ requirement R3: takes floats",
      "~ requirement R1: adds",
      "~ requirement R2 was said, it is no assumption any more",
      "~ requirement R2, example: add('a', 1) → TypeError",
    ]);
  });

  test("says why red tests are not held against a change", () => {
    const counts = { passed: 12, red: 3, skipped: 0 };
    const body = { type: "tests-run", scope: "gate", counts, passed: false, red: [], durationMs: 1 } as const;
    const lines = (excused: { obsolete: number; before: number }) => eventLines(event({ ...body, red: [], excused }));
    const all = "verifier: 12 passed, 3 red (2 obsolete by the goal, 1 red before the change, too)";
    expect(lines({ obsolete: 2, before: 1 })).toEqual([{ text: all, tone: "good" }]);
    const some = "verifier: 12 passed, 3 red (of these 2 obsolete by the goal)";
    expect(lines({ obsolete: 2, before: 0 })).toEqual([{ text: some, tone: "bad" }]);
  });

  test("is missing where another event says the same", () => {
    expect(eventLine(event({ type: "phase-changed", phase: "success", todo: "parser", iteration: 1 }))).toBeNull();
    expect(eventLine(event({ type: "phase-changed", phase: "proven", iteration: 0 }))).toBeNull();
  });

  test("is always one line", () => {
    const line = eventLine(event({ type: "warning-raised", code: "x", message: "one\ntwo\r\nthree" }));
    expect(line).toBe("warning: one two three");
  });
});

function viewOf(bodies: EventBody[]): ViewModel {
  return bodies.map(event).reduce(reduceView, emptyView);
}

function event(body: EventBody): Event {
  return { task: "t1", number: 1, at: 1_000_000, step: "s", ...body };
}

function draw(view: ViewModel, { columns = 80, maxIterations = 0 } = {}): string[] {
  return renderView(view, { now: 1_065_000, columns, color: false, ...(maxIterations && { maxIterations }) });
}
