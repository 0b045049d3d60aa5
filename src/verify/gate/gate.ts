import { z } from "zod";
import { Asked } from "../../domain/approval.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import { executed, isRed, TestReport } from "../../domain/evidence/test-report.ts";
import type { Failure } from "../../domain/failure.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { CheckResult } from "./project-checks.ts";

export const AcceptResult = z.lazy(() =>
  z.object({
    command: z.string(),
    passed: z.boolean(),
    /** How it ended when that was not exit code 0. */
    ending: z.string(),
    output: z.string(),
  }),
);
export type AcceptResult = z.infer<typeof AcceptResult>;

/** What the verifier saw when it ran a finished tree in a clean checkout. */
export const GateRun = z.lazy(() =>
  z.object({
    tree: z.string(),
    report: TestReport.nullable(),
    accept: z.array(AcceptResult),
    /** Nothing was run: what speaks against it. */
    refused: z.string().optional(),
    /** Nothing was run: it may be run only with this answered by yes. */
    asks: Asked.optional(),
    /** Lint and type check, compared with what they said before. */
    checks: z.array(CheckResult).optional(),
    /** Test configuration that the coder changed: put back before anything was run. */
    tampered: z.array(z.string()).optional(),
    /** What the contract promises and the parts together do not keep. */
    breaches: z.array(z.object({ id: z.string(), message: z.string() })).optional(),
  }),
);
export type GateRun = z.infer<typeof GateRun>;

export const GateVerdict = z.lazy(() =>
  z.object({
    passed: z.boolean(),
    /** Red or missing tests by id, sorted, for routing. */
    red: z.array(z.string()),
    /** Each reason with what is known about it, for the reflector. */
    reasons: z.array(z.object({ id: z.string(), message: z.string() })),
  }),
);
export type GateVerdict = z.infer<typeof GateVerdict>;

export interface Expectation {
  /** Files of the tester that must be green at this point. */
  files: TestFile[];
  /** The suite before the change; null when there was none. */
  baseline: TestReport | null;
  /** Ids that were fixed before coding: each must be seen again. */
  ids?: string[];
  /** Tests of the suite that the goal makes obsolete, as listed before coding: these may turn red. */
  superseded?: string[];
  /** Tests that went one way and the other before any change: what they do now says nothing. */
  quarantined?: string[];
}

/**
 * Judges a run. Green means: it came to its end, every expected test ran and passed, nothing that was green before is
 * red or gone, and every accepted command succeeded. A test that was red before is not held against the change.
 */
export function judge(run: GateRun, expected: Expectation): GateVerdict {
  const reasons = [
    ...unsafe(run),
    ...unfinished(run),
    ...missing(run, expected),
    ...broken(run, expected),
    ...refused(run),
    ...complained(run),
    ...(run.breaches ?? []),
  ];
  const unique = [...new Map(reasons.map((reason) => [reason.id, reason])).values()];
  return { passed: unique.length === 0, red: unique.map((reason) => reason.id).sort(), reasons: unique };
}

type Reason = GateVerdict["reasons"][number];

const NOT_RUN = "the test did not run";

/** What an interpreter says where a package is missing, with its name: Python, Node, Go. */
const MISSING_MODULE =
  /No module named '[\w.]{1,100}'|Cannot find (?:module|package) '[^'\n]{1,200}'|no required module provides package [^\s;]{1,200}/;

const unsafe = ({ refused }: GateRun): Reason[] =>
  refused === undefined ? [] : [{ id: "(safety)", message: refused }];

function unfinished({ report }: GateRun): Reason[] {
  if (!report) return [];
  const id = "(test run)";
  if (report.ending !== "completed") {
    return [{ id, message: `the test run did not come to its end (${report.ending})\n${report.output}` }];
  }
  if (executed(report) === 0)
    return [{ id, message: `no test ran, and a run without tests is no pass\n${report.output}` }];
  if (report.exitCode !== 0 && !report.tests.some(isRed)) {
    return [
      { id, message: `the runner ended with exit code ${report.exitCode} although no test is red\n${report.output}` },
    ];
  }
  return [];
}

/** Of a run that was cut off nobody can say what it would have run: a limit is never a red test. */
function missing({ report }: GateRun, { files, ids = [] }: Expectation): Reason[] {
  if (report?.ending !== "completed") return [];
  const paths = new Set(files.map((file) => file.path));
  const seen = new Set(report.tests.map((test) => test.id));
  const lost = ids.filter((id) => paths.has(id.split("::")[0] ?? "") && !seen.has(id));
  return [...lost.map((id) => ({ id, message: NOT_RUN })), ...uncovered(report, files)];
}

function uncovered(report: TestReport, files: TestFile[]): Reason[] {
  return files.flatMap((file) =>
    file.covers.flatMap(({ test: name }): Reason[] => {
      const found = report.tests.filter((test) => isNamed(test, file.path, name));
      if (found.some((test) => test.outcome === "passed") && !found.some(isRed)) return [];
      if (found.some(isRed)) return [];
      const message = found.length === 0 ? NOT_RUN : "the test was skipped, which is no pass";
      return [{ id: `${file.path}::${name}`, message }];
    }),
  );
}

function broken({ report }: GateRun, { baseline, superseded = [], quarantined = [] }: Expectation): Reason[] {
  if (!report) return [];
  const obsolete = new Set([...superseded, ...quarantined]);
  const before = new Map(baseline?.tests.map((test) => [test.id, test]));
  const red = report.tests
    .filter(
      (test) => isRed(test) && !obsolete.has(test.id) && !isRed(before.get(test.id) ?? { ...test, outcome: "passed" }),
    )
    .map(({ id, message }) => ({ id, message }));
  if (report.ending !== "completed") return red;
  const seen = new Set(report.tests.map((test) => test.id));
  const gone = [...before.values()]
    .filter((test) => test.outcome === "passed" && !seen.has(test.id) && !obsolete.has(test.id))
    .map(({ id }) => ({ id, message: "this test passed before the change and does not run any more" }));
  return [...red, ...gone];
}

const refused = ({ accept }: GateRun): Reason[] =>
  accept
    .filter((result) => !result.passed)
    .map(({ command, ending, output }) => ({
      id: `$ ${command}`,
      message: output.endsWith(ending) ? output : `${output}\n${ending}`,
    }));

const complained = (run: GateRun): Reason[] =>
  (run.checks ?? [])
    .filter((check) => !check.passed)
    .map(({ command, fresh }) => ({ id: `$ ${command}`, message: `new since the change:\n${fresh.join("\n")}` }));

/** A failed verdict as a failure that can be routed: a limit that was hit is not a logic error. */
export function failureOf(run: GateRun, verdict: GateVerdict): Failure {
  const count = verdict.red.length;
  // A test that did not run says nothing of why; the one that stopped the others does.
  const first = verdict.reasons.find((reason) => reason.message !== NOT_RUN) ?? verdict.reasons[0];
  const absent = MISSING_MODULE.exec(first?.message ?? "")?.[0];
  const names = `${verdict.red.slice(0, 3).join(", ")}${count > 3 ? ", …" : ""}`;
  const message = `${count} red: ${names}${absent === undefined ? "" : `: ${absent}`}`;
  const detail = first ? `${first.id}\n${first.message}` : "";
  if (run.refused !== undefined) {
    return { kind: "policy", code: "safety.findings", message: "the change may not be executed as it is", detail };
  }
  if (run.report?.ending === "timeout")
    return { kind: "timeout", code: "tests.timeout", message: "the tests did not end in time", detail };
  if (run.report?.ending === "resource-limit") {
    return {
      kind: "resource-limit",
      code: "tests.resource-limit",
      message: "the tests hit a limit of the sandbox",
      detail,
    };
  }
  const stopped = run.accept.find(({ ending }) => ending === "timeout" || ending.endsWith("-limit"));
  if (stopped && verdict.red.every((id) => id.startsWith("$ "))) {
    const { command, ending } = stopped;
    return ending === "timeout"
      ? { kind: "timeout", code: "accept.timeout", message: `\`${command}\` did not end in time`, detail }
      : { kind: "resource-limit", code: "accept.resource-limit", message: `\`${command}\` hit the ${ending}`, detail };
  }
  return { kind: "logic", code: "tests.red", message, detail };
}
