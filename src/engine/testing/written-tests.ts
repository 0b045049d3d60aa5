import { z } from "zod";
import { HeldOutTest } from "../../domain/evidence/held-out.ts";
import type { ReplacedTest } from "../../domain/evidence/replaced-test.ts";
import { TestFile } from "../../domain/plan/test-file.ts";
import type { EventBody } from "../../domain/task/event.ts";
import type { JudgedTests } from "../../verify/written-tests/judge-tests.ts";

/** The tester's tests, after they were accepted. */
export const WrittenTests = z.lazy(() =>
  z.object({
    /** Tests that the coder sees. */
    files: z.array(TestFile),
    /** Ids of tests, and of single cases, that pass without the change. */
    guards: z.array(z.string()),
    /** Ids that must appear in every verdict. */
    ids: z.array(z.string()),
    /** Tests that the coder never sees. */
    heldOutFiles: z.array(TestFile),
    heldOut: z.array(HeldOutTest),
    /** For a goal about speed. */
    benchmarks: z.array(TestFile).optional(),
    /** Requirements about speed that no benchmark measures, with the reason. */
    unmeasured: z.array(z.object({ requirement: z.string(), why: z.string() })).optional(),
  }),
);
export type WrittenTests = z.infer<typeof WrittenTests>;

/** A rewritten file of given tests, and which tests in it were replaced. */
export interface RewrittenTests {
  file: TestFile;
  guards: string[];
  ids: string[];
  replaced: ReplacedTest[];
}

/** The given tests, with one file in its rewritten form. */
export function withRewritten<T extends Pick<WrittenTests, "files" | "guards" | "ids">>(
  tests: T,
  rewritten: readonly RewrittenTests[],
): T {
  let now = tests;
  for (const { file, guards, ids } of rewritten) {
    const others = (all: string[]) => all.filter((id) => id.split("::")[0] !== file.path);
    now = {
      ...now,
      files: now.files.map((one) => (one.path === file.path ? file : one)),
      guards: [...others(now.guards), ...guards],
      ids: [...others(now.ids), ...ids],
    };
  }
  return now;
}

/** Events that say how many tests there are now, and what they leave open. */
export function testsWritten(visible: TestFile[], judged: JudgedTests, unmeasured: string[] = []): EventBody[] {
  const tests = visible.reduce((sum, file) => sum + file.covers.length, 0);
  const heldOut = judged.heldOut.filter((test) => test.state === "unspent").length;
  const open = judged.objections.filter(({ isQuestion }) => !isQuestion).map(({ text }) => text);
  const uncovered = [...open, ...unmeasured];
  return [
    { type: "tests-written", files: visible.map((file) => file.path), tests, heldOut },
    ...uncovered.map((message): EventBody => ({ type: "warning-raised", code: "tests.uncovered", message })),
  ];
}
