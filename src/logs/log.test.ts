import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Bus } from "../bus/bus.ts";
import type { Event, EventBody } from "../domain/task/event.ts";
import { redactor } from "../journal/redact.ts";
import { Log } from "./log.ts";

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "logs-")), "logs");
});
afterEach(() => rmSync(join(directory, ".."), { recursive: true }));

const TASK = "t000000001";
let count = 0;
function event(body: EventBody): Event {
  count += 1;
  return { task: TASK, number: count, at: Date.UTC(2026, 0, 2, 3, 4, 5), step: "init", ...body };
}
const lines = (file = `${TASK}.jsonl`) =>
  readFileSync(join(directory, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("writes one JSON line per event, with time, level, task, iteration, phase, event and data", () => {
  const bus = new Bus();
  bus.subscribe(new Log({ directory, redact: redactor([]) }).write);
  bus.publish(event({ type: "phase-changed", phase: "coding", iteration: 2, todo: "parser" }));
  bus.publish({ type: "model-delta", task: TASK, text: "not kept" });
  bus.publish(event({ type: "warning-raised", code: "circuit-breaker", message: "line one\nline two" }));
  expect(lines()).toEqual([
    expect.objectContaining({ level: "info", event: "phase-changed", iteration: 2, phase: "coding" }),
    {
      timestamp: "2026-01-02T03:04:05.000Z",
      level: "warn",
      task_id: TASK,
      iteration: 2,
      phase: "coding",
      event: "warning-raised",
      data: { number: count, step: "init", code: "circuit-breaker", message: "line one\nline two" },
    },
  ]);
});

test("never writes a secret, whatever characters it has", () => {
  const secrets = ["sk-0123456789", 'with "quotes" and \\ and \n newline'];
  const log = new Log({ directory, redact: redactor(secrets) });
  log.write(
    event({ type: "tool-called", tool: "run_command", subject: `curl ${secrets.join(" ")}`, ok: true, durationMs: 1 }),
  );
  expect(lines()[0].data.subject).toBe("curl [redacted] [redacted]");
});

test("is readable by its owner alone", () => {
  new Log({ directory, redact: redactor([]) }).write(event({ type: "task-paused", reason: "2" }));
  expect(statSync(join(directory, `${TASK}.jsonl`)).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("starts a new file when one grows too large, also over processes, and keeps one old one", () => {
  for (let round = 1; round <= 6; round += 1) {
    new Log({ directory, redact: redactor([]), maxBytes: 500 }).write(
      event({ type: "task-paused", reason: String(round) }),
    );
  }
  const rounds = (file: string) => lines(file).map((line) => line.data.reason);
  expect([...rounds(`${TASK}.jsonl.1`), ...rounds(`${TASK}.jsonl`)].at(-1)).toBe("6");
  expect(statSync(join(directory, `${TASK}.jsonl`)).size).toBeLessThanOrEqual(500);
});

test("never throws into the run when the directory cannot be written", () => {
  writeFileSync(directory, "a file where the directory should be");
  chmodSync(directory, 0o400);
  const log = new Log({ directory, redact: redactor([]) });
  expect(() => log.write(event({ type: "task-paused", reason: "2" }))).not.toThrow();
});

test("writes only what is as grave as the level, and with debug what is told in passing", () => {
  const settled = (ok: boolean) => event({ type: "todo-settled", todo: "a", ok });
  const eventsAt = (level: "debug" | "info" | "warn" | "error") => {
    const log = new Log({ directory: join(directory, level), redact: redactor([]), level });
    log.write(event({ type: "phase-changed", phase: "testing", iteration: 3 }));
    log.write({ type: "notice", task: TASK, text: "tried again" });
    log.write(settled(false));
    return readFileSync(join(directory, level, `${TASK}.jsonl`), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  expect(eventsAt("debug").map((line) => line.event)).toEqual(["phase-changed", "notice", "todo-settled"]);
  expect(eventsAt("info").map((line) => line.event)).toEqual(["phase-changed", "todo-settled"]);
  const ended = new Log({ directory: join(directory, "only"), redact: redactor([]), level: "error" });
  const failure = { kind: "logic" as const, code: "tests.red", message: "red" };
  ended.write(settled(false));
  ended.write(event({ type: "task-settled", outcome: { status: "not-proven", tree: null, failure } }));
  expect(lines(`only/${TASK}.jsonl`)).toMatchObject([{ level: "error", event: "task-settled" }]);
  // Where the task stands is known, although the line that said so was left out.
  expect(eventsAt("warn")).toMatchObject([
    {
      timestamp: expect.any(String),
      level: "warn",
      task_id: TASK,
      iteration: 3,
      phase: "testing",
      event: "todo-settled",
      data: {},
    },
  ]);
});
