import { z } from "zod";
import { type TestCase, TestOutcome } from "../domain/evidence/test-report.ts";
import { readJson } from "../domain/json.ts";

/**
 * The output of our reporters inside the sandbox: one line of JSON for each moment. So a run that was cut short still
 * tells which tests ran, and which one was running. The code under test may have forged any of it.
 */
const ReportLine = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("start"), file: z.string(), name: z.string() }),
    /** A group of tests that is no test itself. */
    z.object({ type: z.literal("done"), file: z.string(), name: z.string() }),
    z.object({
      type: z.literal("test"),
      file: z.string(),
      name: z.string(),
      outcome: TestOutcome,
      ms: z.number().nonnegative(),
      message: z.string(),
    }),
    /** The runner itself came to its end. */
    z.object({ type: z.literal("end") }),
  ]),
);

export interface ReportLines {
  tests: TestCase[];
  /** Started and never finished. */
  running: { file: string; name: string }[];
  ended: boolean;
}

const MOST_TESTS = 20_000;
const LONGEST_NAME = 500;
const LONGEST_MESSAGE = 4_000;

/** Never throws: a foreign line is ignored. Time and memory grow linearly with the text. */
export function readReportLines(text: string): ReportLines {
  const tests: TestCase[] = [];
  const names = new Map<string, number>();
  const running = new Map<string, { file: string; name: string }>();
  let ended = false;
  for (const line of text.split("\n")) {
    const read = ReportLine.safeParse(readJson(line));
    if (!read.success) continue;
    if (read.data.type === "end") {
      ended = true;
      continue;
    }
    const file = read.data.file.slice(0, LONGEST_NAME);
    const name = read.data.name.slice(0, LONGEST_NAME);
    const key = `${file}::${name}`;
    if (read.data.type === "start") running.set(key, { file, name });
    else running.delete(key);
    if (read.data.type === "test" && tests.length < MOST_TESTS) {
      const { outcome, ms, message } = read.data;
      tests.push({ ...identify(names, file, name), outcome, durationMs: ms, message: clip(message) });
    }
  }
  return { tests, running: [...running.values()], ended };
}

/** Tests with the same name are distinguished by their order. */
export function identify(
  names: Map<string, number>,
  file: string,
  name: string,
): Pick<TestCase, "id" | "file" | "name"> {
  const count = (names.get(`${file}::${name}`) ?? 0) + 1;
  names.set(`${file}::${name}`, count);
  const own = count === 1 ? name : `${name} (${count})`;
  return { id: `${file}::${own}`, file, name: own };
}

/** Keeps the end, because the error is there. */
export function clip(text: string, most = LONGEST_MESSAGE): string {
  if (text.length <= most) return text.toWellFormed();
  const head = Math.floor(most / 3);
  return `${text.slice(0, head)}\n[…]\n${text.slice(text.length - (most - head))}`.toWellFormed();
}
