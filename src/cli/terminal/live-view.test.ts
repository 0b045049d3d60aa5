import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { screen } from "../../../test/screen.ts";
import { type Event, EventBody } from "../../domain/task/event.ts";
import { openView } from "./live-view.ts";

const coding: Event = { task: "t1", number: 1, at: 0, step: "s", type: "phase-changed", phase: "coding", iteration: 1 };
const tool: Event = {
  task: "t1",
  number: 2,
  at: 0,
  step: "s",
  type: "tool-called",
  tool: "search",
  subject: "x",
  ok: true,
  durationMs: 1,
};

test("writes plain lines to stderr when it is not a terminal", () => {
  const terminal = fakeTerminal();
  using view = openView(terminal, { mode: "live" });
  view.show(coding);
  view.show({ type: "model-delta", task: "t1", text: "thinking" });
  view.show(tool);
  expect(terminal.errors()).toBe("coding, iteration 1\nsearch x\n");
  expect(terminal.outputs()).toBe("");
});

test("writes one event per line to stdout with --json, and nothing else", () => {
  const terminal = fakeTerminal({ errorIsTerminal: true });
  {
    using view = openView(terminal, { mode: "json" });
    view.show(coding);
    view.show({ type: "model-delta", task: "t1", text: "thinking" });
    view.show(tool);
  }
  expect(
    terminal
      .outputs()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([coding, tool]);
  expect(terminal.errors()).toBe("");
});

test("a tool of an earlier phase is not shown as if it still ran", () => {
  using view = openView(fakeTerminal(), { mode: "quiet" });
  view.show(tool);
  expect(view.model.tool).not.toBeNull();
  view.show({ ...coding, number: 3, phase: "proving" });
  expect(view.model.tool).toBeNull();
});

test("a question that is put here is not announced before", () => {
  const request = { id: "a1", subject: "plan" as const, question: "go on with this plan", detail: "" };
  const asked: Event = { task: "t1", number: 3, at: 0, step: "s", type: "approval-requested", request };
  const shown = (inputIsTerminal: boolean) => {
    const terminal = fakeTerminal({ errorIsTerminal: true, inputIsTerminal, env: { NO_COLOR: "1" } });
    using view = openView(terminal, { mode: "live", now: () => 0 });
    view.show(asked);
    return terminal.errors();
  };
  expect(shown(true)).not.toContain("asks:");
  expect(shown(false)).toContain("asks:");
});

test("says nothing with --quiet, but still knows what happened", () => {
  const terminal = fakeTerminal({ errorIsTerminal: true });
  using view = openView(terminal, { mode: "quiet" });
  view.show(coding);
  expect(view.model.phase).toBe("coding");
  expect(terminal.errors() + terminal.outputs()).toBe("");
});

test("draws over its own lines on a terminal and leaves it clean", () => {
  const terminal = fakeTerminal({ errorIsTerminal: true, columns: 40, env: { NO_COLOR: "1" } });
  {
    using view = openView(terminal, { mode: "live", now: () => 0 });
    view.show(coding);
    view.show(tool);
    view.show({ ...coding, phase: "testing" });
  }
  const text = terminal.errors();
  expect(screen(text)).toEqual(["coding, iteration 1", "testing, iteration 1"]);
  expect(text.endsWith("\u001b[?25h")).toBe(true);
  expect(text).not.toContain("\u001b[1m");
});

test("shows what the coder has changed so far while it codes, and not afterwards", () => {
  const terminal = fakeTerminal({ errorIsTerminal: true, columns: 40, env: { NO_COLOR: "1" } });
  using view = openView(terminal, { mode: "live", now: () => 0 });
  view.show(coding);
  view.grow({ files: [{ path: "fee.py", added: 2, removed: 1 }], newest: ["+    return fee"] });
  expect(screen(terminal.errors()).slice(-2)).toEqual(["  1 file changed: fee.py +2 -1", "    +     return fee"]);
  view.show({ ...coding, phase: "testing" });
  expect(screen(terminal.errors()).join("\n")).not.toContain("changed");
});

test("steps aside for a question, and shows afterwards what happened meanwhile", async () => {
  const terminal = fakeTerminal({ errorIsTerminal: true, columns: 40, env: { NO_COLOR: "1" } });
  {
    using view = openView(terminal, { mode: "live", now: () => 0 });
    view.show(coding);
    const before = terminal.errors().length;
    await view.aside(async () => {
      const erased = terminal.errors().length;
      view.show({ ...coding, phase: "testing" });
      view.note("a note");
      expect(terminal.errors().length, "nothing is drawn").toBe(erased);
      expect(terminal.errors().slice(before)).toMatch(/\u001b\[\?25h$/);
    });
  }
  expect(screen(terminal.errors())).toEqual(["coding, iteration 1", "testing, iteration 1", "a note"]);
});

test("what the person said at this terminal is not told to them; what was said elsewhere is", async () => {
  const terminal = fakeTerminal({ errorIsTerminal: true, columns: 60, env: { NO_COLOR: "1" } });
  const { task, number, at, step } = coding;
  const answered = (by: string): Event => ({
    type: "approval-answered",
    task,
    number,
    at,
    step,
    id: "a1",
    subject: "plan",
    question: "go on with this plan",
    answer: { granted: true, reason: "", by, at },
  });
  {
    using view = openView(terminal, { mode: "live", now: () => 0 });
    await view.aside(async () => {});
    view.show(answered("me"));
    view.show(answered("ann"));
  }
  expect(screen(terminal.errors())).toEqual(["  allowed by ann: go on with this plan"]);
});

const at = (step: string, body: EventBody): Event => ({ ...body, task: "t1", number: 9, at: 0, step });
const todos = ["parse", "print"].map((id) => ({ id, title: id, requirements: [], dependsOn: [], artifacts: [] }));
const twoTodos = EventBody.parse({
  type: "plan-made",
  size: "large",
  spec: {
    title: "x",
    kind: "feature",
    language: "python",
    requirements: [{ id: "R1", text: "works", assumption: false }],
  },
  plan: { todos },
});

test("where several todos are worked on, each line names its own; one failure is told once", () => {
  const terminal = fakeTerminal();
  using view = openView(terminal, { mode: "live" });
  const failure = { kind: "logic" as const, code: "tests.red", message: "2 tests stay red" };
  const iteration = {
    number: 1,
    todo: "print",
    tree: "r",
    outcome: "red",
    passed: 0,
    red: [],
    failure,
    tokens: 0,
    durationMs: 0,
  };
  view.show(at("plan", twoTodos));
  const before = terminal.errors().length;
  view.show(at("todo:parse/try:1/x", { ...tool, type: "tool-called" }));
  view.show(at("todo:print/try:1/y", EventBody.parse({ type: "iteration-settled", iteration })));
  view.show(at("todo:print/try:1/z", { type: "todo-settled", todo: "print", ok: false, failure }));
  expect(terminal.errors().slice(before)).toBe(
    "parse: search x\nprint: iteration 1 red: 2 tests stay red\ntodo print failed\n",
  );
});

test("the clock of a run that goes on is its own, and runs", () => {
  const clock = { now: 1_000_000 };
  const terminal = fakeTerminal({ errorIsTerminal: true, columns: 60, env: { NO_COLOR: "1" } });
  using view = openView(terminal, { mode: "live", now: () => clock.now });
  view.recall(coding);
  clock.now += 7000;
  view.show({ ...coding, at: clock.now, phase: "testing" });
  expect(screen(terminal.errors()).at(-1)).toMatch(/testing {2}(.* {2})?7s/);
});
