import { z } from "zod";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { TaskOutcome } from "../../domain/task/task.ts";
import type { NewPattern } from "../../memory/new-record.ts";
import { bestEffort, shorn } from "../hands/best-effort.ts";
import type { Run } from "../hands/run.ts";
import type { PlannedTask } from "../planning/planned-task.ts";
import { KeptRecords } from "../todo/remember-todo.ts";

export interface Solved {
  planned: PlannedTask;
  /** Only tests that the coder saw. Memory keeps nothing of held-out tests. */
  visible: TestFile[];
  /** The tree before the first todo. */
  before: string;
}

/**
 * Keeps a proven solution as a pattern: how the problem was divided into todos, its interfaces, its code and its tests.
 */
export async function keepPattern(run: Run, { planned, visible, before }: Solved, outcome: TaskOutcome): Promise<void> {
  if (!run.settings.memory.use || outcome.status !== "proven") return;
  const { tree } = outcome;
  const tests = visible.filter((file) => file.heldOut !== true).map(({ path, content }) => ({ path, content }));
  await run.step(
    { kind: "tool", name: "learn", input: { before, tree, tests }, output: KeptRecords },
    async ({ path, emit }) => {
      const kept = await bestEffort(run.parts, emit, async () => {
        const given = run.parts.artifacts.overlay(run.task, before, tests);
        const change = shorn(await run.parts.artifacts.diff(given, tree));
        return run.parts.memory.keep(path, [patternOf(planned, run.request.goal, change, tests)]);
      });
      if (kept) emit({ type: "memory-kept", records: kept });
      return kept ?? [];
    },
  );
}

/**
 * Runs after the last iteration, whatever the outcome. Finds memory records that reached this task and did harm, or had
 * no effect.
 */
export async function judgeMemory(run: Run): Promise<void> {
  if (!run.settings.memory.use) return;
  await run.step(
    { kind: "decision", name: "judge-memory", input: null, output: RetiredRecords, durable: false },
    async ({ emit }) => {
      const out = await bestEffort(run.parts, emit, () => run.parts.memory.retire());
      for (const { id, status, uses, uplift } of out ?? []) {
        const message = `memory: ${id} is ${status} after ${uses} uses (uplift ${uplift.toFixed(2)})`;
        emit({ type: "warning-raised", code: `memory.${status}`, message });
      }
      return out ?? [];
    },
  );
}

const RetiredRecords = z.lazy(() =>
  z.array(z.object({ id: z.string(), status: z.string(), uses: z.int(), uplift: z.number() })),
);

interface Text {
  path: string;
  content: string;
}

export function patternOf({ spec, plan }: PlannedTask, goal: string, change: string, tests: Text[]): NewPattern {
  return {
    kind: "pattern",
    problemType: `${spec.kind} in ${spec.language}`,
    description: `${spec.title}\n${goal}`,
    language: spec.language,
    plan: [
      ...spec.requirements.map(({ id, text }) => `${id}: ${text}`),
      ...plan.todos.map(({ id, title }) => `${id}: ${title}`),
    ].join("\n"),
    interfaces: interfacesIn(change).join("\n"),
    codeTemplate: change,
    testTemplate: tests.map(({ path, content }) => `${path}\n${content}`).join("\n"),
  };
}

const MOST_INTERFACES = 30;
const INTERFACE =
  /^\+(?:(?:export )?(?:default )?(?:async )?(?:def|class|function\*?|func|interface|type|struct)\b.{1,200}|export (?:const|let) .{1,200})$/;

/** The definitions at the outermost level of a change: the names by which other code calls it. */
export function interfacesIn(change: string): string[] {
  const lines = change.split("\n").filter((line) => INTERFACE.test(line));
  return [...new Set(lines.map((line) => line.slice(1).replace(/\s*[:{]?\s*$/, "")))].slice(0, MOST_INTERFACES);
}
