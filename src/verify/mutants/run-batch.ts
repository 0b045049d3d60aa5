import { z } from "zod";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import { readJson } from "../../domain/json.ts";
import { CONTROL_COMMENTS, type MutantBatch, type MutantJob } from "../../languages/language.ts";
import { runTests } from "../../languages/run-tests.ts";
import type { CommandResult } from "../../sandbox/sandbox.ts";
import type { AssertedLine } from "./asserted-line.ts";
import type { DrivenTests } from "./driven-tests.ts";
import { failedExpectation } from "./failed-expectation.ts";
import { type BatchResult, JobResult } from "./job-result.ts";
import { mutate } from "./make-mutants.ts";
import type { Surroundings } from "./surroundings.ts";

/** What jobs run in. */
export interface BatchPlace extends Surroundings {
  isAsserted: AssertedLine;
  driven: DrivenTests;
}

/** For starting and ending, beside what the jobs themselves may take. */
const MARGIN_MS = 20_000;
const MOST_OUTPUT = 4_000_000;

/**
 * Runs jobs one after the other in one workspace: in one warm process where the language has one, otherwise each in a
 * process of its own. Fewer results than jobs: the time was up, or the process was ended.
 */
export async function runBatch(batch: MutantBatch, workspace: string, around: BatchPlace): Promise<BatchResult> {
  return around.language.mutantServer ? runInServer(batch, workspace, around) : runEach(batch, workspace, around);
}

const Closing = z.object({ id: z.literal("closing") });
const Ended = z.object({ end: z.literal(true) });
const Unforkable = z.object({ unforkable: z.literal(true) });

async function runInServer(batch: MutantBatch, workspace: string, around: Surroundings): Promise<BatchResult> {
  const { language, toolchain, sandbox, limits, signal } = around;
  const program = language.mutantServer?.(batch, toolchain);
  if (!program) return { results: [], stillRed: [] };
  const longest = Math.max(0, ...batch.jobs.map(({ timeoutMs }) => timeoutMs));
  const timeoutMs = Math.ceil(batch.deadlineMs + longest + batch.closingMs * batch.originals.size + MARGIN_MS);
  const result = await sandbox.run(
    {
      argv: program.argv,
      stdin: program.stdin,
      workspace,
      mounts: toolchain.mounts,
      path: toolchain.path,
      env: { ...toolchain.env, ...program.env },
    },
    { ...limits, timeoutMs, outputBytes: MOST_OUTPUT },
    signal,
  );
  const lines = result.stdout.split("\n").map(readJson);
  if (lines.some((line) => Unforkable.safeParse(line).success)) {
    return runInServer({ ...batch, modules: [] }, workspace, around);
  }
  const read = lines.flatMap((line) => JobResult.safeParse(line).data ?? []);
  const results = read.filter(({ id }) => batch.jobs.some((job) => job.id === id));
  const stillRed = read.filter((one) => Closing.safeParse(one).success).flatMap(({ red }) => red.map(({ id }) => id));
  const ended = lines.some((line) => Ended.safeParse(line).success);
  if (!ended) results.push(...broughtDown(batch.jobs, results, result));
  return { results, stillRed };
}

/** The job in which the process came to an end that was not its own: by a limit, or because the code ended it. */
function broughtDown(jobs: readonly MutantJob[], results: JobResult[], { ending, stderr }: CommandResult): JobResult[] {
  const job = jobs[results.length];
  if (!job) return [];
  if (ending === "exited" && results.length === 0 && /Error|not found/.test(stderr)) {
    throw new Error(`the process that runs mutants did not start: ${stderr.trim().slice(-500)}`);
  }
  const how = ending === "exited" ? "crashed" : "timeout";
  return [{ id: job.id, ending: how, red: [], missing: [], ms: job.timeoutMs, cpuMs: 0 }];
}

async function runEach(batch: MutantBatch, workspace: string, around: BatchPlace): Promise<BatchResult> {
  const start = performance.now();
  const results: JobResult[] = [];
  const killers = new Map<string, Set<string>>();
  let placed: string | null = null;
  const run = async (job: MutantJob) => {
    // Another file's turn: the one before becomes what it was.
    if (placed !== null && placed !== job.path) await restore(placed, batch, workspace, around);
    placed = job.path;
    return runOne(job, batch, workspace, around);
  };
  for (const job of batch.jobs) {
    if (performance.now() - start > batch.deadlineMs) break;
    const result = await run(job);
    results.push(result);
    if (job.mutant === null) continue;
    const red = killers.get(job.path) ?? new Set();
    for (const { id } of result.red) red.add(id);
    killers.set(job.path, red);
  }
  const stillRed: string[] = [];
  for (const [path, red] of killers) {
    const tests = batch.jobs.flatMap((job) => job.tests).filter((test) => red.has(test));
    if (tests.length === 0) continue;
    const job = {
      id: "closing",
      path,
      mutant: null,
      tests: [...new Set(tests)],
      beyond: [],
      timeoutMs: batch.closingMs,
      usualMs: 0,
    };
    stillRed.push(...(await run(job)).red.map(({ id }) => id));
  }
  return { results, stillRed };
}

async function runOne(job: MutantJob, batch: MutantBatch, workspace: string, around: BatchPlace): Promise<JobResult> {
  const original = batch.originals.get(job.path) ?? "";
  const comment = CONTROL_COMMENTS[around.language.name] ?? "\n";
  const content = job.mutant ? mutate(original, job.mutant) : original + comment;
  const driven = await around.driven.run(job, content, workspace, around);
  if (driven) return driven;
  const limits = { ...around.limits, timeoutMs: Math.ceil(job.timeoutMs) };
  // A runner that is not read test by test is asked as a whole.
  const files =
    around.toolchain.runner === "script" ? [] : [...new Set(job.tests.map((id) => id.split("::")[0] ?? id))];
  const report = await runTests({ ...around, limits, workspace, files, place: { path: job.path, content } });
  return toResult(job, report, around.isAsserted);
}

async function restore(path: string, batch: MutantBatch, workspace: string, around: Surroundings): Promise<void> {
  const { sandbox, limits, signal } = around;
  const argv = ["sh", "-c", 'cat > "$1"', "sh", `./${path}`];
  await sandbox.run({ argv, stdin: batch.originals.get(path) ?? "", workspace }, limits, signal);
}

async function toResult(job: MutantJob, report: TestReport, isAsserted: AssertedLine): Promise<JobResult> {
  const asked = new Set(job.tests);
  const ending =
    report.ending === "completed" ? "completed" : report.ending === "crashed" ? "crashed" : ("timeout" as const);
  const seen = new Set(report.tests.map(({ id }) => id));
  const known = (test: TestCase) => asked.has(test.id) || test.name === "file" || test.name === "collection";
  return {
    id: job.id,
    ending,
    red: await Promise.all(
      report.tests
        .filter((test) => isRed(test) && known(test))
        .map(async (test) => ({ id: test.id, expected: await failedExpectation(test, isAsserted) })),
    ),
    missing: ending === "completed" ? job.tests.filter((test) => !seen.has(test)).slice(0, 20) : [],
    ms: report.durationMs,
    cpuMs: 0,
  };
}
