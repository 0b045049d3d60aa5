import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Event } from "../domain/task/event.ts";
import { SessionUpdates } from "./session-updates.ts";

const recorded = readFileSync(join(import.meta.dirname, "../../test/recorded-run.jsonl"), "utf8");
const events = recorded
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .filter((message) => "number" in message)
  .map((message) => Event.parse(message));

const nothing = () => {
  throw new Error("no tree is read here");
};
const updatesOf = (some: Event[]) => {
  const updates = new SessionUpdates("/project", nothing, ({ type }) => type);
  return some.flatMap((event) => updates.of(event));
};

test("a plan is told when it changes, and every todo of it ends", () => {
  const plans = updatesOf(events).flatMap((update) => (update.sessionUpdate === "plan" ? [update.entries] : []));
  expect(plans.length).toBeGreaterThan(1);
  expect(new Set(plans.map((entries) => JSON.stringify(entries))).size).toBe(plans.length);
  expect(plans.at(0)?.map(({ status }) => status)).toContain("pending");
  expect(new Set(plans.at(-1)?.map(({ status }) => status))).toEqual(new Set(["completed"]));
});

test("steps and tests are calls of their own, each with an id and an end", () => {
  const calls = updatesOf(events).flatMap((update) => (update.sessionUpdate === "tool_call" ? [update] : []));
  const isShown = (event: Event) =>
    event.type === "tool-called" && event.ok && /^(create_file|edit_file|run_tests)$/.test(event.tool);
  const steps = events.filter((event) => /^(tool-called|tests-run)$/.test(event.type) && !isShown(event));
  expect(events.filter(isShown)).not.toEqual([]);
  expect(calls).toHaveLength(steps.length);
  expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(calls.length);
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(["completed", "failed"]));
});

test("long work is told once, however far it is", () => {
  const updates = new SessionUpdates("/project", nothing, () => null);
  const progress = (text: string, done: number) =>
    updates.of({ type: "progress", task: "t", text, done, of: 2, at: 0 }).map((update) => JSON.stringify(update));
  expect([...progress("trying mutants", 0), ...progress("trying mutants", 1), ...progress("repeating", 0)]).toEqual([
    expect.stringContaining("trying mutants"),
    expect.stringContaining("repeating"),
  ]);
});

test("of a change the files are shown as they were and as they are, but what is no text or too long", () => {
  const files: Record<string, Record<string, Buffer>> = {
    old: { "a.py": Buffer.from("a\n"), "gone.py": Buffer.from("g\n") },
    new: {
      "a.py": Buffer.from("b\n"),
      "new.py": Buffer.from("n\n"),
      "i.png": Buffer.from([0]),
      "l.txt": Buffer.alloc(1e6, "x"),
    },
  };
  const change = (path: string, what: "added" | "modified" | "deleted") => ({
    path,
    change: what,
    before: null,
    after: null,
  });
  const artifacts = {
    changes: () => [
      change("a.py", "modified"),
      change("new.py", "added"),
      change("gone.py", "deleted"),
      change("i.png", "added"),
      change("l.txt", "added"),
    ],
    readFile: (tree: string, path: string) => files[tree]?.[path] ?? null,
  };
  const updates = new SessionUpdates(
    "/project",
    () => artifacts,
    () => null,
  );
  const [update, ...more] = updates.of({
    type: "tree-changed",
    task: "t",
    base: "old",
    before: "old",
    tree: "new",
    given: [],
  });
  expect(more).toEqual([]);
  expect(update).toMatchObject({
    sessionUpdate: "tool_call",
    title: "changed a.py, new.py, gone.py, and 2 more",
    kind: "edit",
    content: [
      { type: "diff", path: "/project/a.py", oldText: "a\n", newText: "b\n" },
      { type: "diff", path: "/project/new.py", oldText: null, newText: "n\n" },
      { type: "diff", path: "/project/gone.py", oldText: "g\n", newText: "" },
    ],
  });
  const unreadable = new SessionUpdates("/project", nothing, () => null);
  expect(
    unreadable.of({ type: "tree-changed", task: "t", base: "old", before: "old", tree: "new", given: [] }),
  ).toEqual([]);
});
