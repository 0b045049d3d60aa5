import type {
  EvidenceOutcome,
  EvidenceTest,
  IntegrityFinding,
  TestRole,
} from "../../domain/evidence/evidence-document.ts";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TestOutline } from "../locks/test-outline.ts";

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

/** Tests of the changed test files by `file::name`, before and after. */
export interface Outlines {
  before: ReadonlyMap<string, TestOutline>;
  after: ReadonlyMap<string, TestOutline>;
}

export interface ComparedTests {
  tests: EvidenceTest[];
  integrity: IntegrityFinding[];
  /** Tests that were green and whose old version is red on the new code: somebody must say that this is meant. */
  changedExpectations: string[];
}

export interface Comparison {
  runs: TestRuns;
  outlines: Outlines;
  /** Flip without any change: nothing they say counts. */
  flaky: ReadonlySet<string>;
  /** Tests a person names as superseded: by id, without its case, or a whole file. */
  superseded: readonly string[];
  /** The change touches test configuration. */
  configChanged: boolean;
}

const MESSAGE_CHARACTERS = 600;

/**
 * Every test of both sides with what it is worth. A test that was green must still be there, run and be green; what was
 * taken from it is tampering, unless a person said so before.
 */
export function compareTests(comparison: Comparison): ComparedTests {
  const compare = new Compare(comparison);
  // The old ones first: a new test may turn out to be an old one under another name.
  const old = (comparison.runs.before?.tests ?? []).map((test) => compare.old(test));
  const now = comparison.runs.after.tests.flatMap((test) => compare.now(test) ?? []);
  const { integrity, changedExpectations } = compare;
  return {
    tests: [...old, ...now].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    integrity,
    changedExpectations: changedExpectations.sort(),
  };
}

class Compare {
  readonly integrity: IntegrityFinding[] = [];
  readonly changedExpectations: string[] = [];
  readonly #given: Comparison;
  readonly #before: ReadonlyMap<string, TestCase>;
  readonly #after: ReadonlyMap<string, TestCase>;
  readonly #oldOnNew: ReadonlyMap<string, TestCase> | null;
  readonly #newOnOld: ReadonlyMap<string, TestCase> | null;
  /** Tests of the result that are tests of the base under another name. */
  readonly #successors = new Set<string>();

  constructor(given: Comparison) {
    this.#given = given;
    this.#before = byId(given.runs.before);
    this.#after = byId(given.runs.after);
    this.#oldOnNew = given.runs.oldOnNew && byId(given.runs.oldOnNew);
    this.#newOnOld = given.runs.newOnOld && byId(given.runs.newOnOld);
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
    const successor = now ?? this.#successorOf(test);
    if (!successor) return this.#gone(test, entry);
    if (!now) this.#successors.add(successor.id);
    return this.#judgeChanged(test, successor, entry, now !== undefined);
  }

  /** A test of the result that the base does not have. */
  now(test: TestCase): EvidenceTest | null {
    if (this.#before.has(test.id) || this.#successors.has(test.id)) return null;
    const outline = this.#given.outlines.after.get(keyOf(test));
    const onOldCode = this.#onOldCode(test);
    const entry: Entry = { id: test.id, origin: "change", before: "absent", after: test.outcome, onOldCode };
    const isEmpty = outline?.strength === "empty" || outline?.strength === "constant";
    if (isEmpty && test.outcome === "passed") {
      const what = outline.strength === "empty" ? "is empty" : "asserts nothing that could fail";
      this.#find("test.empty", "tampering", test, `${what}: it passes whatever the code does`);
      return settled({ ...entry, role: "void" }, test);
    }
    if (outline?.strength === "silent" && test.outcome === "passed") {
      this.#find("test.silent", "named", test, "asserts nothing: it shows only that nothing is raised");
    }
    const role: TestRole = isRed(test)
      ? "red"
      : test.outcome !== "passed"
        ? "void"
        : onOldCode === "passed"
          ? "guard"
          : "red-to-green";
    return settled({ ...entry, role }, test);
  }

  #oldRed(test: TestCase, entry: Entry, now: TestCase | undefined): EvidenceTest {
    if (now?.outcome !== "passed") return settled({ ...entry, role: now && isRed(now) ? "still-red" : "gone" }, now);
    if (!isRed(test)) return settled({ ...entry, role: "guard" }, now);
    if (this.#isEmptied(test, now)) {
      this.#take("test.emptied", test, "was red before, and asserts nothing that could fail now");
      return settled({ ...entry, role: "void" }, now);
    }
    // It turned green: by the code, or by a change of the test?
    const old = this.#oldVersion(test.id);
    const onOldCode = this.#onOldCode(now);
    const changed = { ...entry, ...(old !== undefined && { oldOnNewCode: old }), onOldCode };
    if (old === undefined || old === "passed") return settled({ ...changed, role: "red-to-green" }, now);
    if (onOldCode === "passed") return settled({ ...changed, role: "guard" }, now);
    return settled({ ...changed, role: "red-to-green", origin: "change" }, now);
  }

  /** Green before, and something of its name or of its body is green now. */
  #judgeChanged(test: TestCase, now: TestCase, entry: Entry, sameId: boolean): EvidenceTest {
    const old = this.#oldVersion(test.id) ?? (sameId ? "passed" : "absent");
    const onOldCode: EvidenceOutcome = this.#newOnOld?.get(now.id)?.outcome ?? "absent";
    const [was, is] = [this.#given.outlines.before.get(keyOf(test)), this.#given.outlines.after.get(keyOf(now))];
    const isChanged = was !== undefined && is !== undefined && was.words !== is.words;
    const held: TestRole = sameId ? "held" : "moved";
    if (this.#isEmptied(test, now)) {
      this.#take("test.emptied", test, "asserted something before, and asserts nothing that could fail now");
      return settled({ ...entry, role: "void" }, now);
    }
    const fewer = isChanged && (is.assertions < was.assertions || is.exact < was.exact);
    if (old === "passed") {
      const claims = `${is?.assertions} of ${was?.assertions} assertions are left`;
      if (fewer) this.#find("test.weakened", "named", test, `${claims}; the old version passes on the new code, too`);
      return settled({ ...entry, role: held, ...(!sameId && { after: "absent" }) }, now);
    }
    const changed = { ...entry, oldOnNewCode: old, onOldCode };
    if (!isChanged && sameId && this.#given.configChanged) {
      this.#take("config.hides", test, "is green only with the changed test configuration");
      return settled({ ...changed, role: "void" }, now);
    }
    if (onOldCode === "passed" || fewer) {
      const why =
        onOldCode === "passed"
          ? "the new one passes on the old code and on the new: it tells them apart no more"
          : `only ${is?.assertions} of ${was?.assertions} assertions are left`;
      this.#take("test.weakened", test, `its old version is red on the new code, and ${why}`);
      return settled({ ...changed, role: "void" }, now);
    }
    this.#expectsOtherwise(test);
    return settled({ ...changed, role: "red-to-green", origin: "change" }, now);
  }

  #isEmptied(test: TestCase, now: TestCase): boolean {
    const [was, is] = [this.#given.outlines.before.get(keyOf(test)), this.#given.outlines.after.get(keyOf(now))];
    return was?.strength === "asserts" && (is?.strength === "empty" || is?.strength === "constant");
  }

  #gone(test: TestCase, entry: Entry): EvidenceTest {
    const stands = this.#given.outlines.after.has(keyOf(test)) || !this.#given.outlines.before.has(keyOf(test));
    if (stands) this.#take("test.deselected", test, "passed before, and does not run any more");
    else this.#take("test.deleted", test, "passed before, and was deleted");
    return settled({ ...entry, role: "gone" }, undefined);
  }

  /** The same name in another file, another case of it, or the same body under another name. */
  #successorOf(test: TestCase): TestCase | undefined {
    const fresh = this.#given.runs.after.tests.filter(
      (now) => now.outcome === "passed" && !this.#before.has(now.id) && !this.#successors.has(now.id),
    );
    const own = keyOf(test);
    const was = this.#given.outlines.before.get(own);
    const body = was && bodyOf(was);
    return (
      fresh.find((now) => keyOf(now) === own) ??
      fresh.find((now) => now.name === test.name) ??
      fresh.find((now) => {
        const outline = this.#given.outlines.after.get(keyOf(now));
        return body !== undefined && outline !== undefined && bodyOf(outline) === body;
      }) ??
      fresh.find((now) => bare(now.name) === bare(test.name))
    );
  }

  /** The version before the change on the code after it; undefined when the tests were not touched. */
  #oldVersion(id: string): EvidenceOutcome | undefined {
    return this.#oldOnNew ? (this.#oldOnNew.get(id)?.outcome ?? "absent") : undefined;
  }

  #onOldCode(test: TestCase): EvidenceOutcome {
    return this.#newOnOld?.get(test.id)?.outcome ?? this.#before.get(test.id)?.outcome ?? "absent";
  }

  #expectsOtherwise(test: TestCase): void {
    if (this.#isSuperseded(test)) this.#find("test.superseded", "named", test, "superseded, as you said");
    else {
      this.changedExpectations.push(test.id);
      this.#find(
        "test.changed-expectation",
        "named",
        test,
        "expects something else now: its old version is red on the new code",
      );
    }
  }

  /** Something was taken from a test that was green. */
  #take(code: string, test: TestCase, message: string): void {
    if (this.#isSuperseded(test)) this.#find("test.superseded", "named", test, `superseded, as you said: ${message}`);
    else this.#find(code, "tampering", test, message);
  }

  #isSuperseded(test: TestCase): boolean {
    return this.#given.superseded.some((named) => [test.id, keyOf(test), test.file].includes(named));
  }

  #find(code: string, weight: IntegrityFinding["weight"], test: TestCase, message: string): void {
    this.integrity.push({ code, weight, path: test.file, test: test.id, message });
  }
}

type Entry = Omit<EvidenceTest, "role">;

function settled(entry: EvidenceTest, now: TestCase | undefined): EvidenceTest {
  const message = now && isRed(now) ? { message: now.message.slice(-MESSAGE_CHARACTERS) } : {};
  return { ...entry, ...message, ...(now && { durationMs: Math.round(now.durationMs) }) };
}

const byId = (report: TestReport | null): Map<string, TestCase> =>
  new Map(report?.tests.map((test) => [test.id, test]) ?? []);

/** A test without its case: parametrised tests carry more in their names. */
const keyOf = (test: Pick<TestCase, "file" | "name">): string => `${test.file}::${bare(test.name)}`;

const bare = (name: string): string => name.replace(/\[.*\]$/s, "").replace(/ \(\d+\)$/, "");

/** The words without its own name. */
function bodyOf({ name, words }: TestOutline): string {
  const own = name.split(/::| > /).at(-1) ?? name;
  const at = words.split(" ").findIndex((word) => word === own || word.slice(1, -1) === own);
  return words
    .split(" ")
    .toSpliced(at < 0 ? Number.POSITIVE_INFINITY : at, 1)
    .join(" ");
}
