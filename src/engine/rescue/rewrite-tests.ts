import { briefRewriting } from "../../agents/briefings/tester.ts";
import { TesterResult } from "../../agents/finish.ts";
import type { ReplacedTest } from "../../domain/evidence/replaced-test.ts";
import type { BranchReason } from "../../domain/plan/branch.ts";
import { changesBehaviour } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { BlamedTests } from "../../verify/written-tests/blamed-tests.ts";
import { type JudgedTests, judgeTests } from "../../verify/written-tests/judge-tests.ts";
import { rewriteProblem } from "../../verify/written-tests/rewrite-problem.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import { examineTests } from "../testing/examine-tests.ts";
import { withSent } from "../testing/sent-tests.ts";
import type { RewrittenTests } from "../testing/written-tests.ts";
import type { GivenTests } from "../todo/attempt.ts";
import type { PlannedTodo } from "../todo/todo-work.ts";
import type { TestFault } from "./test-claim.ts";

const TURNS = 6;

export interface Rewriting {
  work: PlannedTodo;
  given: GivenTests;
  cause: BranchReason;
  blamed: BlamedTests;
  faults: TestFault[];
}

/**
 * The tester rewrites the tests at fault, from spec and base tree like the first ones, under all rules for tests. Null:
 * it gave no usable tests.
 */
export async function rewriteTests(
  run: Run,
  { work, given, cause, blamed, faults }: Rewriting,
): Promise<RewrittenTests | null> {
  const { todo, wanted } = work.subject;
  const { survey, planned, language, tools } = wanted;
  const { spec } = planned;
  const old = blamed.file;
  const names = faults.map(({ name }) => name);
  const visible = given.files.filter(({ path }) => path !== old.path);
  const requirementsOf = (name: string) =>
    old.covers.filter(({ test }) => test === name).map(({ requirement }) => requirement);
  let judged: JudgedTests | undefined;
  let accepted: TestFile | undefined;
  const rewriting = await run.ask("tester", {
    name: "rewrite",
    briefing: [
      briefRewriting({
        spec,
        conventions: `Tests are run in the project's root with: ${tools.testCommand}`,
        file: { path: old.path, content: old.content },
        faults: faults.map(({ name, why, quote }) => ({
          name,
          requirements: requirementsOf(name),
          why: quote === undefined ? why : `${why} The spec says “${quote}”.`,
        })),
      }),
    ],
    result: TesterResult,
    workbench: readingBench(run, language, survey.tree),
    maxTurns: TURNS,
    check: async (answer) => {
      const sent = withSent([old], answer);
      if ("problem" in sent) return sent.problem;
      const { files } = sent;
      const problem = await rewriteProblem(run.parts.parsers, old, files, names);
      if (problem !== undefined) return problem;
      const about = { tree: survey.tree, language, spec, files, visible };
      const examination = await examineTests(run, about);
      if (examination.refused !== undefined) return examination.refused;
      if (examination.strangers.length > 0)
        return examination.strangers.map(({ id, why }) => `${id}: ${why}`).join("\n");
      judged = judgeTests(files, examination, spec);
      [accepted] = files;
      if (judged.problems.length > 0) return judged.problems.join("\n");
      // The old test could fail without the change. A new test that passes without the change would show nothing.
      const before = new Set(given.guards);
      const covered = new Set(files.flatMap((file) => file.covers.map(({ test }) => `${file.path}::${test}`)));
      const isNew = (id: string) => !before.has(id) || names.some((name) => id === `${old.path}::${name}`);
      const dull = judged.guards.filter((id) => covered.has(id) && isNew(id));
      return changesBehaviour(spec.kind) && dull.length > 0
        ? `${dull.join(", ")} passes without the change: it must fail before and be able to fail`
        : undefined;
    },
  });
  const file = rewriting ? accepted : undefined;
  if (!file || !judged) return null;
  const kept = new Set(old.covers.map(({ test }) => test).filter((name) => !names.includes(name)));
  const replaced = faults.map(({ name, why, quote }): ReplacedTest => {
    const requirements = requirementsOf(name);
    const fresh = file.covers.filter(({ test, requirement }) => !kept.has(test) && requirements.includes(requirement));
    const by = [...new Set(fresh.map(({ test }) => `${file.path}::${test}`))];
    return { test: `${old.path}::${name}`, requirements, cause, why, ...(quote !== undefined && { quote }), by };
  });
  const rewritten = { file, guards: judged.guards, ids: judged.ids, replaced };
  await run.note(
    { kind: "decision", name: "tests-rewritten", input: { ...rewritten, old } },
    ...replaced.map((one) => ({ type: "test-replaced" as const, todo: todo.id, replaced: one })),
  );
  return rewritten;
}
