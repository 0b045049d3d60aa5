import type {
  EvidenceOutcome,
  EvidenceTest,
  IntegrityFinding,
  TestRole,
} from "../../domain/evidence/evidence-document.ts";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import type { Outlines } from "./outline-change.ts";
import { isWholeFile, keyOf } from "./test-names.ts";
import { TestTexts } from "./test-texts.ts";
import type { Touch } from "./touched-tests.ts";

/** What each version of the tests said of each version of the code. */
export interface TestRuns {
  /** Null when there was nothing to run before. */
  before: TestReport | null;
  after: TestReport;
  /** The tests as they were on the code as it is; null when they were not touched. */
  oldOnNew: TestReport | null;
  /** The tests as they are on the code as it was; null when there are none of the change. */
  newOnOld: TestReport | null;
}

/** Something about an old test that only a person can answer, with the flag that does. */
export interface Question {
  test: string;
  why: string;
  flag: string;
}

/** A test of the base that the change edits, takes away, or changes the ground of: does anything still notice what it did? */
export interface TouchedTest {
  test: string;
  touch: Touch;
  /** The test that it is now; null: it runs no more. */
  now: string | null;
  /** On which code its old version is green: there it can be asked. */
  greenOn: "new" | "old";
  /** Its file, and those of the tests that took its place. */
  files: string[];
}

/** What the runs alone tell. */
export interface ComparedRuns {
  tests: EvidenceTest[];
  integrity: IntegrityFinding[];
  questions: Question[];
  touched: TouchedTest[];
}

export interface Comparison {
  runs: TestRuns;
  outlines: Outlines;
  /** Test files of the base that lean on what else was changed. */
  leaning: ReadonlySet<string>;
  /** Flip without any change: nothing they say counts. */
  flaky: ReadonlySet<string>;
  /** Tests a person names as superseded: by id, without its case, or a whole file. */
  superseded: readonly string[];
}

const MESSAGE_CHARACTERS = 600;

/**
 * Every test of both sides with what it is worth, and which tests of the base the change touched. What a test says is
 * read off from runs: its old version on the new code, its new version on the old code. A test that still stands there
 * and runs no more is tampering; everything else that was done to one is measured (`notice-loss.ts`) or asked.
 */
export function compareTests(comparison: Comparison): ComparedRuns {
  const compare = new Compare(comparison);
  // The old ones first: a new test may turn out to be an old one under another name.
  const old = (comparison.runs.before?.tests ?? []).map((test) => compare.old(test));
  const now = comparison.runs.after.tests.flatMap((test) => compare.now(test) ?? []);
  compare.unheard();
  const { integrity, questions, touched } = compare;
  return {
    tests: [...old, ...now].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    integrity,
    questions,
    touched,
  };
}

class Compare {
  readonly integrity: IntegrityFinding[] = [];
  readonly questions: Question[] = [];
  readonly touched: TouchedTest[] = [];
  readonly #given: Comparison;
  readonly #before: ReadonlyMap<string, TestCase>;
  readonly #after: ReadonlyMap<string, TestCase>;
  readonly #oldOnNew: ReadonlyMap<string, TestCase> | null;
  readonly #newOnOld: ReadonlyMap<string, TestCase> | null;
  /** Tests of the result that are tests of the base under another name. */
  readonly #heirs = new Set<string>();
  readonly #texts: TestTexts;

  constructor(given: Comparison) {
    this.#given = given;
    this.#before = byId(given.runs.before);
    this.#after = byId(given.runs.after);
    this.#oldOnNew = given.runs.oldOnNew && byId(given.runs.oldOnNew);
    this.#newOnOld = given.runs.newOnOld && byId(given.runs.newOnOld);
    const ran = [...this.#before.values(), ...this.#after.values()];
    this.#texts = new TestTexts(given.outlines, given.leaning, ran);
  }

  /** A test of the base. */
  old(test: TestCase): EvidenceTest {
    const now = this.#after.get(test.id);
    const entry: Entry = {
      id: test.id,
      origin: "own",
      before: test.outcome,
      after: now?.outcome ?? "absent",
    };
    if (this.#given.flaky.has(test.id)) return settled({ ...entry, role: "flaky" }, now);
    if (test.outcome !== "passed") return this.#oldRed(test, entry, now);
    if (now && isRed(now)) return settled({ ...entry, role: "broken" }, now);
    if (now && now.outcome !== "passed") {
      this.#take("test.skipped", test, `passed before, and is ${now.outcome} now`);
      return settled({ ...entry, role: "gone" }, now);
    }
    if (now) return this.#kept(test, now, entry);
    const heir = this.#texts.heirOf(test, this.#fresh());
    if (!heir) return this.#gone(test, entry);
    this.#heirs.add(heir.id);
    return this.#kept(test, heir, entry);
  }

  /** A test of the result that the base does not have. */
  now(test: TestCase): EvidenceTest | null {
    if (this.#before.has(test.id) || this.#heirs.has(test.id)) return null;
    const onOldCode = this.#newOnOld?.get(test.id)?.outcome ?? "absent";
    const entry: Entry = { id: test.id, origin: "change", before: "absent", after: test.outcome, onOldCode };
    const role: TestRole = isRed(test)
      ? "red"
      : test.outcome !== "passed"
        ? "void"
        : onOldCode === "passed"
          ? "guard"
          : "red-to-green";
    return settled({ ...entry, role }, test);
  }

  /** Files of tests of which none ran on either side: only their texts can be compared. */
  unheard(): void {
    const runs = [...this.#before.values(), ...this.#after.values()];
    const heard = new Set(runs.filter((test) => !isWholeFile(test)).map(({ file }) => file));
    for (const { isGone, ...test } of this.#texts.unheard(heard)) {
      const what = isGone ? "is gone" : "reads otherwise now";
      this.#ask({ ...test, id: `${test.file}::${test.name}` }, `${what}, and no test of its file runs here`);
    }
  }

  #oldRed(test: TestCase, entry: Entry, now: TestCase | undefined): EvidenceTest {
    if (now?.outcome !== "passed") return settled({ ...entry, role: now && isRed(now) ? "still-red" : "gone" }, now);
    if (!isRed(test)) return settled({ ...entry, role: "guard" }, now);
    // It turned green: by the code, or by a change of the test?
    const old = this.#oldVersion(test.id);
    const onOldCode = this.#newOnOld?.get(now.id)?.outcome ?? test.outcome;
    const changed = { ...entry, ...(old !== undefined && { oldOnNewCode: old }), onOldCode };
    if (old === undefined || old === "passed") return settled({ ...changed, role: "red-to-green" }, now);
    if (onOldCode === "passed") return settled({ ...changed, role: "guard" }, now);
    return settled({ ...changed, role: "red-to-green", origin: "change" }, now);
  }

  /** Green before and now, under its own name or another one. */
  #kept(test: TestCase, now: TestCase, entry: Entry): EvidenceTest {
    const isMoved = now.id !== test.id;
    const held: Entry & { role: TestRole } = isMoved
      ? { ...entry, role: "moved", after: "absent" }
      : { ...entry, role: "held" };
    const old = this.#oldVersion(test.id);
    if (old === undefined) return settled(held, now);
    const touch = this.#texts.touch(test, now);
    // Its file could not be loaded there, and its text is the one that is green now.
    if (old === "absent" && !touch && this.#isUnloaded(test)) return settled(held, now);
    const onOldCode: EvidenceOutcome = this.#newOnOld?.get(now.id)?.outcome ?? "absent";
    if (old === "passed") {
      if (touch && !(touch === "own" && this.#texts.asksMore(test, now))) this.#touched(test, touch, "new", now);
      const looser = touch && this.#texts.looser(test, now);
      if (looser) this.#ask(test, `was edited, and ${looser}`);
      // Its old version is green on both: what it gained is red on the old code.
      if (!touch || onOldCode !== "failed") return settled(held, now);
      return settled(
        { ...entry, id: now.id, after: now.outcome, role: "red-to-green", origin: "change", onOldCode },
        now,
      );
    }
    const changed = { ...entry, after: now.outcome, oldOnNewCode: old, onOldCode };
    this.#ask(test, "expects something else now: its old version is red on the new code");
    if (onOldCode !== "passed") return settled({ ...changed, role: "red-to-green", origin: "change" }, now);
    this.#touched(test, touch ?? "shared", "old", now);
    return settled({ ...changed, role: "guard" }, now);
  }

  #gone(test: TestCase, entry: Entry): EvidenceTest {
    const role = settled({ ...entry, role: "gone" }, undefined);
    const { tests } = this.#given.runs.after;
    if (tests.some((one) => one.file === test.file && isWholeFile(one) && isRed(one))) {
      return settled({ ...entry, role: "broken" }, undefined);
    }
    const old = this.#oldVersion(test.id);
    if (old === "passed" && this.#texts.standsAsItWas(test)) {
      const what = "passed before, and does not run any more";
      // A run that went wrong may have ended early.
      if (tests.some((one) => isRed(one) && !this.#wasRed(one))) this.#ask(test, what);
      else this.#take("test.deselected", test, what);
      return role;
    }
    if (old === undefined) this.#ask(test, "passed before and does not run any more, though no test was changed");
    else if (old !== "passed") this.#ask(test, "passed before and is gone; on the new code it is not green");
    this.#touched(test, "own", old === "passed" ? "new" : "old");
    return { ...role, ...(old !== undefined && { oldOnNewCode: old }) };
  }

  #isUnloaded({ file }: TestCase): boolean {
    return this.#given.runs.oldOnNew?.tests.some((one) => one.file === file && isWholeFile(one)) ?? false;
  }

  #wasRed({ id }: TestCase): boolean {
    const before = this.#before.get(id);
    return before !== undefined && isRed(before);
  }

  #fresh(): TestCase[] {
    return this.#given.runs.after.tests.filter(
      (now) => now.outcome === "passed" && !this.#before.has(now.id) && !this.#heirs.has(now.id),
    );
  }

  /** The version before the change on the code after it; undefined when the tests were not touched. */
  #oldVersion(id: string): EvidenceOutcome | undefined {
    return this.#oldOnNew ? (this.#oldOnNew.get(id)?.outcome ?? "absent") : undefined;
  }

  #touched(test: TestCase, touch: Touch, greenOn: "new" | "old", now?: TestCase): void {
    if (this.#isSuperseded(test)) {
      this.#supersede(test, "edited or taken away");
      return;
    }
    const files = [...new Set([test.file, ...(now ? [now.file] : [])])];
    this.touched.push({ test: test.id, touch, now: now?.id ?? null, greenOn, files });
  }

  #ask(test: Pick<TestCase, "id" | "file" | "name">, why: string): void {
    if (this.#isSuperseded(test)) this.#supersede(test, why);
    else this.questions.push({ test: test.id, why, flag: supersededFlag(test) });
  }

  /** Something was taken from a test that was green. */
  #take(code: string, test: TestCase, message: string): void {
    if (this.#isSuperseded(test)) {
      this.#supersede(test, message);
      return;
    }
    const said = `${message} (if that is meant: ${supersededFlag(test)})`;
    this.integrity.push({ code, weight: "tampering", path: test.file, test: test.id, message: said });
  }

  #supersede({ id, file }: Pick<TestCase, "id" | "file">, what: string): void {
    if (this.integrity.some(({ code, test }) => code === "test.superseded" && test === id)) return;
    const message = `superseded, as you said: ${what}`;
    this.integrity.push({ code: "test.superseded", weight: "named", path: file, test: id, message });
  }

  #isSuperseded(test: Pick<TestCase, "id" | "file" | "name">): boolean {
    return this.#given.superseded.some((named) => [test.id, keyOf(test), test.file].includes(named));
  }
}

/** As a shell takes it, whatever the test is called. */
export const supersededFlag = (test: Pick<TestCase, "file" | "name">): string =>
  `--superseded '${`${test.file}::${test.name}`.replaceAll("'", "'\\''")}'`;

type Entry = Omit<EvidenceTest, "role">;

function settled(entry: EvidenceTest, now: TestCase | undefined): EvidenceTest {
  const message = now && isRed(now) ? { message: now.message.slice(-MESSAGE_CHARACTERS) } : {};
  return { ...entry, ...message, ...(now && { durationMs: Math.round(now.durationMs) }) };
}

const byId = (report: TestReport | null): Map<string, TestCase> =>
  new Map(report?.tests.map((test) => [test.id, test]) ?? []);
