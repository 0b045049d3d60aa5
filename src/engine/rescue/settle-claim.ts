import { z } from "zod";
import { isNamed } from "../../domain/evidence/match-test.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import { isExampleFile } from "../../verify/contract/example-groups.ts";
import { type BlamedTests, blamedTests } from "../../verify/written-tests/blamed-tests.ts";
import type { Run } from "../hands/run.ts";
import { runTestsIn } from "../hands/run-tests.ts";
import { objection } from "../hands/tool-outcome.ts";
import { examineTests } from "../testing/examine-tests.ts";
import { askArchitect } from "./ask-architect.ts";
import { judgeClaim } from "./judge-claim.ts";
import type { SettledClaim, TestClaim } from "./test-claim.ts";

/**
 * Settles the claim that a test is wrong, slow or flaky. The claim alone changes nothing: otherwise a coder could get
 * rid of any red test by blaming it. What a run can show is run. What the spec must decide goes to a judge, who sees
 * neither the code nor the words of the claim.
 */
export async function settleClaim(run: Run, claim: TestClaim): Promise<SettledClaim> {
  const { work, attempt, failed, named } = claim;
  const given = attempt.tests.files.filter((file) => file.todo === work.subject.todo.id && !isExampleFile(file.path));
  const blamed = blamedTests(named, given, failed.gate?.report ?? null);
  if (!blamed) return { fault: "elsewhere" };
  switch (claim.shownBy) {
    case "runs":
      return repeated(run, claim, blamed);
    case "slowness":
      return slow(run, claim, blamed);
    case "judge":
      return judgeClaim(run, claim, blamed);
    case "architect": {
      const ruling = await askArchitect(run, claim, blamed);
      // If the architect blames the test, or gives no usable answer, the judge decides.
      if (ruling === null || ruling.fault === "test") return judgeClaim(run, claim, blamed);
      if (ruling.fault === "contract") return { fault: "contract", why: ruling.reason };
      const note = `It was said that a test is wrong. The architect looked: the requirements say “${ruling.quote}”. ${ruling.reason}`;
      return { fault: "code", note, disputes: [] };
    }
  }
}

const REPEATS = 6;
const Ways = z.array(z.object({ name: z.string(), passed: z.int(), red: z.int() }));

/** The same tests on the same tree under the same conditions: only what goes both ways is flaky. */
async function repeated(run: Run, { work, attempt, failed }: TestClaim, blamed: BlamedTests): Promise<SettledClaim> {
  const { language } = work;
  const { file, tests } = blamed;
  const input = { tree: failed.tree, file: { path: file.path, content: file.content }, tests, repeats: REPEATS };
  const ways = await run.step({ kind: "tool", name: "repeat-blamed", input, output: Ways }, async () => {
    const given = attempt.tests.files.map(({ path, content }) => ({ path, content }));
    const laid = run.parts.artifacts.overlay(run.task, failed.tree, given);
    const counts = new Map(tests.map((name) => [name, { name, passed: 0, red: 0 }]));
    // Code that may not be executed is not executed here either. Then nothing supports the claim.
    const paths = given.map(({ path }) => path);
    if (await objection(run.parts.warden.checkCode(laid, paths))) return [...counts.values()];
    for (let repeat = 1; repeat <= REPEATS; repeat += 1) {
      const report = await runTestsIn(run, { checkout: "gate", tree: laid, language, files: [file.path] });
      for (const [name, count] of counts) {
        const cases = report.tests.filter((test) => isNamed(test, file.path, name));
        if (cases.some(isRed)) count.red += 1;
        else if (cases.some(({ outcome }) => outcome === "passed")) count.passed += 1;
      }
      if ([...counts.values()].every(({ passed, red }) => passed > 0 && red > 0)) break;
    }
    return [...counts.values()];
  });
  const faults = ways
    .filter(({ passed, red }) => passed > 0 && red > 0)
    .map(({ name, passed, red }) => ({
      name,
      why: `run ${passed + red} times on the same code under the same conditions, it passed ${passed} times and failed ${red} times`,
    }));
  if (faults.length > 0) return { fault: "tests", blamed, faults, disputes: [] };
  const told = ways.map(({ name, passed, red }) => `${name} failed ${red} and passed ${passed} times of ${REPEATS}`);
  return { fault: "code", note: `It was said to be flaky, and is not: on your code ${told.join("; ")}.`, disputes: [] };
}

/** A test that takes too long before anything is implemented takes too long by itself. */
async function slow(run: Run, { work, attempt }: TestClaim, blamed: BlamedTests): Promise<SettledClaim> {
  const { wanted, spec } = work.subject;
  const { language } = work;
  const { runs } = await examineTests(run, {
    tree: wanted.survey.tree,
    language,
    spec,
    files: [blamed.file],
    visible: attempt.tests.files,
  });
  const reports = [runs.base, ...(runs.stubs ? Object.values(runs.stubs) : [])];
  if (!reports.some((report) => report?.ending === "timeout")) {
    const note = `The tests end in time where nothing is implemented: it is your code that takes too long.`;
    return { fault: "code", note, disputes: [] };
  }
  const why = "it does not end in time even where nothing is implemented";
  return { fault: "tests", blamed, faults: blamed.tests.map((name) => ({ name, why })), disputes: [] };
}
