import { z } from "zod";
import { ApprovalAnswer, ApprovalRequest } from "../approval.ts";
import { Finding } from "../finding.ts";
import { ReviewFinding, ReviewRole, ReviewRuling } from "../loop/review.ts";
import { Amendment } from "../plan/amendment.ts";
import { GoalKind } from "../plan/spec.ts";
import { AccountLine } from "./account.ts";
import { FunctionBehaviour } from "./behaviour-report.ts";
import { CoverageReport } from "./coverage-report.ts";
import { Dispute } from "./dispute.ts";
import { FlakeReport } from "./flake-report.ts";
import { MutantReport } from "./mutant-report.ts";
import { Oracle } from "./oracle.ts";
import { ReplacedTest } from "./replaced-test.ts";
import { Sharpened } from "./sharpened.ts";
import { SpeedReport } from "./speed.ts";
import { countTests, RunEnding, TestOutcome, type TestReport } from "./test-report.ts";
import { WitnessReport } from "./witness-report.ts";

/*
 * Why a result may be believed, as one document that stands by itself: for people (as a page), for programs (as JSON),
 * and for anyone who wants to check it offline. Whoever makes one fills in what it can know: the loop (`run`) knows the
 * spec, `prove` knows only the change. What was not checked is said, never left to be guessed.
 */

export const EVIDENCE_FORMAT = "miracle-evidence/1";

const EvidenceStatus = z.enum([
  "proven",
  "proven-in-part", // something of the change is shown or the same, and something is open: a gap, or not judged
  "checked", // nothing that does anything was changed, and nothing broke
  "not-proven",
  "refused", // somebody made the tests say less
]);

/** `absent`: not there, or not run. */
export const EvidenceOutcome = z.enum([...TestOutcome.options, "absent"]);
export type EvidenceOutcome = z.infer<typeof EvidenceOutcome>;

/** What a test is worth here. */
export const TestRole = z.enum([
  "red-to-green", // red on the code before, green now: it shows what the change did
  "held", // green before and now
  "guard", // new, and green on the code before as well: it shows nothing of the change
  "still-red", // red before and now: not held against the change
  "broken", // green before, red now
  "gone", // green before, not run any more
  "moved", // green before, green now under another name
  "red", // new, and red
  "flaky", // flips without any change
  "void", // ruled out: a dispute, or it cannot fail
]);
export type TestRole = z.infer<typeof TestRole>;

export const EvidenceTest = z.lazy(() =>
  z.object({
    id: z.string(),
    /** `own`: the project had it. `change`: it came with the change. The other two were written by the tester. */
    origin: z.enum(["own", "change", "visible", "held-out"]),
    role: TestRole,
    before: EvidenceOutcome,
    after: EvidenceOutcome,
    /** New or changed tests on the code before the change. */
    onOldCode: EvidenceOutcome.optional(),
    /** The version before the change, where a test was changed, on the code after it. */
    oldOnNewCode: EvidenceOutcome.optional(),
    requirements: z.array(z.string()).optional(),
    /** It told the coder something, or chose between candidates: it carries no verdict any more. */
    spent: z.boolean().optional(),
    /** Of a red one: why, bounded. */
    message: z.string().optional(),
    durationMs: z.number().optional(),
  }),
);
export type EvidenceTest = z.infer<typeof EvidenceTest>;

const EvidenceRequirement = z.lazy(() =>
  z.object({
    id: z.string(),
    text: z.string(),
    quote: z.string().optional(),
    assumption: z.boolean(),
    /** `red-to-green`: a test that the coder never saw shows that the change did it. `held`: it was true before and still is. */
    support: z.enum(["red-to-green", "held", "none"]),
    /**
     * Why its green tests show nothing. `seen-only`: the coder saw all of them. `unseen-unusable`: there are others, and
     * none of them can show it. `unnoticed`: they notice no small change of the changed lines, so that nobody can tell
     * that they test anything. `only-tested`: they pass only where a test runner is around. `unwitnessed`: nobody could
     * see them pass without it.
     */
    doubt: z.enum(["seen-only", "unseen-unusable", "unnoticed", "only-tested", "unwitnessed"]).optional(),
    /**
     * Why nothing tells whether its tests can fail, or why none of the unseen ones counts. With support: there is nothing
     * to try them with.
     */
    unmeasured: z.string().optional(),
    /** Ids of tests. */
    tests: z.array(z.string()),
  }),
);

const SuiteRun = z.lazy(() =>
  z.object({ ending: RunEnding, passed: z.int(), red: z.int(), skipped: z.int(), durationMs: z.number() }),
);

/** Null where the tests did not run. */
export function suiteRunOf(report: TestReport | null): z.infer<typeof SuiteRun> | null {
  if (!report) return null;
  return { ending: report.ending, ...countTests(report), durationMs: Math.round(report.durationMs) };
}

const CommandRun = z.object({ passed: z.boolean(), ending: z.string(), output: z.string().optional() });

/** A command of the person's. */
export const AcceptedCommand = z.object({
  command: z.string(),
  before: CommandRun.optional(),
  after: CommandRun,
  /** The change edits what the command judges with: with these files as they were. */
  asBefore: CommandRun.optional(),
  edited: z.array(z.string()).optional(),
  /** It judges with a file that the change brings. */
  brought: z.boolean().optional(),
});

/** Something about the tests themselves. `tampering` alone ends in `refused`; `named` is for a person to look at. */
export const IntegrityFinding = z.lazy(() =>
  z.object({
    /** Stable, dotted: `test.deleted`, `test.weakened`, `config.changed`. */
    code: z.string(),
    weight: z.enum(["tampering", "named"]),
    path: z.string().optional(),
    test: z.string().optional(),
    message: z.string(),
  }),
);
export type IntegrityFinding = z.infer<typeof IntegrityFinding>;

/** A check that was not carried out. */
export const NotChecked = z.object({ check: z.string(), why: z.string() });

/** A file of the change, or one that a verdict rests on. */
const HashedFile = z.object({ path: z.string(), sha256: z.string() });

export const EvidenceDocument = z.lazy(() =>
  z.object({
    format: z.literal(EVIDENCE_FORMAT),
    producer: z.enum(["run", "prove"]),
    /** Milliseconds since 1970. */
    at: z.int(),
    task: z.string().optional(),
    goal: z.string().optional(),
    verdict: z.object({
      status: EvidenceStatus,
      /** One line. */
      summary: z.string(),
      /** What it rests on, the strongest first; empty where nothing carries it. */
      carriedBy: z.array(Oracle),
      /** What keeps it from being proven, or why it is refused: one line each. */
      reasons: z.array(z.string()),
    }),
    /** With no spec the change itself tells. */
    kind: GoalKind.optional(),
    change: z.object({
      /** Where the change starts, in a person's words: `1a2b3c4, merge base with main`. */
      since: z.string().optional(),
      /** Nothing was uncommitted, so the last commit was judged: `1a2b3c4 "subject"`. */
      lastCommit: z.string().optional(),
      files: z.array(
        z.object({
          path: z.string(),
          change: z.enum(["added", "modified", "deleted", "mode"]),
          part: z.enum(["source", "test", "test-support", "test-config", "documentation", "other"]).optional(),
        }),
      ),
    }),
    /** Every place of the change with its standing; absent where nobody accounted for it. */
    account: z.array(AccountLine).optional(),
    /** How the old and the new version of changed functions behave with the same inputs. */
    behaviour: z.array(FunctionBehaviour).optional(),
    requirements: z.array(EvidenceRequirement).default([]),
    tests: z.array(EvidenceTest),
    suite: z.object({ command: z.string(), before: SuiteRun.nullable(), after: SuiteRun.nullable() }).nullable(),
    accept: z.array(AcceptedCommand).default([]),
    /** Lint and type check of the project, as they ended on the result; `fresh`: complaints that were not there before. */
    checks: z.array(z.object({ command: z.string(), passed: z.boolean(), fresh: z.array(z.string()) })).optional(),
    integrity: z.array(IntegrityFinding).default([]),
    mutants: MutantReport.nullable().default(null),
    /** Tests written for mutants that nobody noticed; they support nothing. */
    sharpened: Sharpened.optional(),
    /** Unseen tests, or those that turned green, once more, as code is used: no runner in the process, a person's machine around it. */
    witness: WitnessReport.optional(),
    /** Of a goal about speed: what was measured before and after the change. */
    speed: z.array(SpeedReport).optional(),
    coverage: CoverageReport.nullable().default(null),
    flakes: FlakeReport.nullable().default(null),
    /** Only what is new against the base. */
    scans: z.array(Finding).nullable().default(null),
    approvals: z.array(z.object({ request: ApprovalRequest, answer: ApprovalAnswer.nullable() })).default([]),
    disputes: z.array(Dispute).default([]),
    /** What the person said while it was worked on, and what it made of the spec. */
    amended: z.array(Amendment).optional(),
    /** Given tests that were shown to be at fault, with what stands in their place. */
    replaced: z.array(ReplacedTest).optional(),
    /** What the last reader of each change said of it, where there was one. */
    reviews: z
      .array(
        z.object({
          role: ReviewRole,
          todo: z.string().optional(),
          ruling: ReviewRuling,
          findings: z.array(ReviewFinding),
        }),
      )
      .optional(),
    /** How long each stage took. */
    stages: z.array(z.object({ stage: z.string(), ms: z.number() })).optional(),
    limits: z.record(z.string(), z.union([z.number(), z.string(), z.null()])).default({}),
    cost: z
      .object({ micros: z.int().nullable(), tokens: z.int(), calls: z.int(), iterations: z.int().optional() })
      .optional(),
    hashes: z.object({
      baseTree: z.string().nullable(),
      resultTree: z.string().nullable(),
      /** Test files and test configuration as they were run. */
      tests: z.array(HashedFile),
      journal: z.array(z.object({ strand: z.string(), head: z.string() })).default([]),
      frozen: z.string().optional(),
      prompts: z.record(z.string(), z.string()).default({}),
    }),
    /** `miracle`, `node`, and what the language's tools say of themselves. */
    versions: z.record(z.string(), z.string()),
    sandbox: z.string(),
    /** By role. */
    models: z.record(z.string(), z.array(z.string())).default({}),
    /** Whether tester and coder were the same model: then both may have misread the goal in the same way. */
    sameModel: z.boolean().nullable().default(null),
    /** Content that is not what it seems, or not there: submodules, LFS pointers, secrets that were left out. */
    notes: z.array(z.string()).default([]),
    notChecked: z.array(NotChecked).default([]),
  }),
);
export type EvidenceDocument = z.infer<typeof EvidenceDocument>;

/** For programs that read evidence: what config/evidence.schema.json holds. */
export function evidenceJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(EvidenceDocument, { io: "input" }), title: "Miracle evidence" };
}

/** What was judged where nobody said it, in one line. */
export const describeLastCommit = (commit: string): string =>
  `nothing is uncommitted: judging the last commit, ${commit}`;
