import type { Evidence } from "../domain/evidence.ts";
import { changesBehaviour, type GoalKind, type Spec } from "../domain/spec.ts";
import type { TestFile } from "../domain/test-file.ts";
import type { TestOutcome, TestReport } from "../domain/test-report.ts";
import type { GateRun } from "./gate.ts";
import { isNamed } from "./match-test.ts";

export interface EvidenceSources {
  spec: Spec | undefined;
  tests: TestFile[];
  /** Tests that passed before the change. */
  guards: string[];
  baseline: TestReport | null;
  run: GateRun;
}

export function gatherEvidence({ spec, tests, guards, baseline, run }: EvidenceSources): Evidence {
  const requirements = (spec?.requirements ?? []).map(({ id, text, assumption }) => {
    const covering = tests.flatMap((file) =>
      file.covers
        .filter((cover) => cover.requirement === id)
        .flatMap(({ test: name }) =>
          (run.report?.tests ?? [])
            .filter((test) => isNamed(test, file.path, name))
            .map((test) => ({
              id: test.id,
              before: guards.includes(`${file.path}::${name}`) ? ("passed" as const) : ("red" as const),
              after: test.outcome,
            })),
        ),
    );
    const good = covering.length > 0 && covering.every((test) => test.after === "passed");
    const support = !good ? "none" : covering.some((test) => test.before === "red") ? "red-to-green" : "held";
    return { id, text, assumption, support: support as "none" | "red-to-green" | "held", tests: covering };
  });
  return {
    tree: run.tree,
    requirements,
    suite: { before: baseline && counts(baseline), after: run.report && counts(run.report) },
    accept: run.accept.map(({ command, passed, ending }) => ({ command, passed, ending })),
  };
}

/**
 * What keeps the evidence from carrying a verdict; null when it does. Every requirement needs a test that passed, and
 * where behaviour was to change, one of them must have been red before. Tests that were green all along show only that
 * nothing was lost: a goal of another kind ends as checked, not as proven.
 */
export function missingProof({ requirements }: Evidence, kind: GoalKind): string | null {
  const open = requirements.filter((item) => item.support === "none").map((item) => item.id);
  if (open.length > 0) return `nothing shows ${open.join(", ")}`;
  const turned = requirements.some((item) => item.support === "red-to-green");
  return changesBehaviour(kind) && !turned ? "no test was red before the change, so none shows what it did" : null;
}

function counts(report: TestReport): { passed: number; red: number } {
  const of = (...outcomes: TestOutcome[]) => report.tests.filter((test) => outcomes.includes(test.outcome)).length;
  return { passed: of("passed"), red: of("failed", "error") };
}
