import { describe, expect, test } from "vitest";
import { withoutKill } from "../../../test/sample-run.ts";
import type { Mutant, MutantResult } from "../../domain/evidence/mutant-report.ts";
import { Controls } from "./controls.ts";
import type { JobResult } from "./job-result.ts";
import { judgeMutant } from "./judge-mutant.ts";
import { MutantQueue } from "./mutant-queue.ts";
import { reportMutants } from "./report-mutants.ts";
import { selectTests } from "./select-tests.ts";

const mutant = (line = 3, path = "a.py"): Mutant => ({
  id: `${path}:${line}`,
  path,
  line,
  statement: { from: line, to: line },
  operator: "constant",
  from: 0,
  to: 1,
  replacement: "2",
  description: "`1` → `2`",
});

const result = (change: Partial<JobResult> = {}): JobResult => ({
  id: "x",
  ending: "completed",
  red: [],
  missing: [],
  ms: 10,
  cpuMs: 0,
  ...change,
});

const red = (...ids: string[]) => ids.map((id) => ({ id, expected: !id.startsWith("error") }));

describe("a mutant is", () => {
  const judge = (of: Partial<JobResult>, control: Partial<JobResult> = {}, stillRed: string[] = []) =>
    judgeMutant(mutant(), result(of), result(control), stillRed);

  test("killed by a test that is green without it", () => {
    expect(judge({ red: red("t", "error-u") })).toMatchObject({
      fate: "killed",
      killedBy: ["t", "error-u"],
      expectedBy: ["t"],
    });
  });

  test("alive when no test is red", () => {
    expect(judge({})).toMatchObject({ fate: "survived", killedBy: [] });
  });

  test("killed when the tests do not end, end by themselves, or are gone", () => {
    expect(judge({ ending: "timeout" })).toMatchObject({ fate: "timed-out" });
    expect(judge({ ending: "crashed" })).toMatchObject({ fate: "killed", reason: "the test process ended by itself" });
    expect(judge({ missing: ["t"] })).toMatchObject({ fate: "killed", reason: "not found any more: t" });
  });

  test("not judged by tests that are red without it, before or afterwards", () => {
    expect(judge({ red: red("t") }, { red: red("t") })).toBe("unsure");
    expect(judge({ red: red("t") }, {}, ["t"])).toBe("unsure");
    expect(judge({ red: red("t", "u") }, { red: red("t") })).toMatchObject({ fate: "killed", killedBy: ["u"] });
  });

  test("not judged at all when the control did not come to its end, or did not find its tests", () => {
    expect(judge({ red: red("t") }, { ending: "timeout" })).toBe("unsure");
    expect(judge({ ending: "timeout" }, { ending: "crashed" })).toBe("unsure");
    expect(judge({}, { missing: ["t"] })).toBe("unsure");
  });
});

describe("the tests of a mutant are", () => {
  const lines = new Map([
    [
      "a.py",
      new Map([
        [1, new Set([""])],
        [3, new Set(["t2"])],
        [4, new Set(["t1", "t3"])],
      ]),
    ],
  ]);
  const tests = ["t1", "t2", "t3", "t4"];

  test("those that run a line of its statement, in the order of the suite", () => {
    expect(selectTests(mutant(3), lines, tests)).toEqual(["t2"]);
    expect(selectTests({ ...mutant(4), statement: { from: 3, to: 4 } }, lines, tests)).toEqual(["t1", "t2", "t3"]);
  });

  test("all when the line runs at import, first those that run anything of the file", () => {
    expect(selectTests(mutant(1), lines, ["t0", ...tests])).toEqual(["t1", "t2", "t3", "t0", "t4"]);
  });

  test("none when nobody runs the line, and all when nothing is known", () => {
    expect(selectTests(mutant(9), lines, tests)).toEqual([]);
    expect(selectTests(mutant(3), null, tests)).toEqual(tests);
    expect(selectTests(mutant(3, "b.py"), lines, tests)).toEqual(tests);
  });

  test("only those that may run", () => {
    expect(selectTests(mutant(4), lines, ["t3"])).toEqual(["t3"]);
    const imported = new Map([["a.py", new Map([[1, new Set([""])]])]]);
    expect(selectTests(mutant(1), imported, tests)).toEqual(tests);
  });
});

describe("a report", () => {
  const of = (fate: MutantResult["fate"], count: number, expectedBy: string[] = []): MutantResult[] =>
    Array.from({ length: count }, (_, index) => ({
      mutant: mutant(index + 1),
      fate,
      killedBy: ["t", ...expectedBy],
      expectedBy,
      reason: "",
    }));
  const facts = { requirements: [], asked: new Map(), problem: null, durationMs: 900, testRunMs: 300 };

  test("has no score below ten that ran", () => {
    expect(
      reportMutants({ ...facts, results: [...of("killed", 9), ...of("skipped", 5), ...of("not-run", 5)] }).score,
    ).toBeNull();
    expect(
      reportMutants({ ...facts, results: [...of("killed", 5), ...of("timed-out", 3), ...of("survived", 2)] }).score,
    ).toBe(0.8);
  });

  test("counts every fate and compares itself with one test run", () => {
    const { counts, ratio } = reportMutants({
      ...facts,
      results: [...of("killed", 2), ...of("not-run", 1), ...of("survived", 3)],
    });
    expect(counts).toEqual({ killed: 2, timedOut: 0, survived: 3, compared: 0, notRun: 1, skipped: 0 });
    expect(ratio).toBe(3);
  });

  test("credits a requirement with what an expectation of its tests killed, and with nothing else", () => {
    const requirements = [
      { id: "R1", tests: ["e"] },
      { id: "R2", tests: ["t"] },
    ];
    const report = reportMutants({ ...facts, requirements, results: of("killed", 1, ["e"]) });
    expect(report.requirements).toEqual([
      { id: "R1", killed: ["a.py:1"], met: 0, left: 0 },
      { id: "R2", killed: [], met: 0, left: 0 },
    ]);
    expect(withoutKill(report)).toEqual(["R2"]);
    const doubtful = reportMutants({ ...facts, requirements, problem: "no", results: of("killed", 20, ["e"]) });
    expect([doubtful.score, withoutKill(doubtful)]).toEqual([null, ["R1", "R2"]]);
  });
});

describe("controls", () => {
  const waiting = (tests: string[], line = 3) => ({ mutant: mutant(line), tests, alone: false });

  test("are asked once for each selection", () => {
    const controls = new Controls();
    const [first, second, ...others] = controls.missing([waiting(["t"]), waiting(["t"], 4), waiting(["t", "u"])]);
    expect(others).toEqual([]);
    expect([first?.tests, second?.tests]).toEqual([["t"], ["t", "u"]]);
    controls.learn(new Map([[first?.id ?? "", result({ id: first?.id ?? "" })]]));
    expect(controls.missing([waiting(["t"]), waiting(["t", "u"])]).length).toBe(1);
    expect(controls.of(waiting(["t"]))).toBeDefined();
    expect(controls.of(waiting(["t", "u"]))).toBeUndefined();
  });

  test("tell tests that need each other from code that watches itself", () => {
    const learned = (tests: string[]) => {
      const controls = new Controls();
      const [job] = controls.missing([waiting(tests)]);
      controls.learn(new Map([[job?.id ?? "", result({ red: red("t") })]]));
      return [controls.showDependence(["t", "u"]), controls.problem(["t", "u"]) !== null];
    };
    expect(learned(["t"])).toEqual([true, false]);
    expect(learned(["u", "t"])).toEqual([true, false]);
    expect(learned(["t", "u"])).toEqual([false, true]);
  });
});

describe("mutants that wait", () => {
  const one = (line: number, tests: string[], alone = false) => ({ mutant: mutant(line), tests, alone });

  test("come in batches that fit the time they take, and alone where they must", () => {
    const waiting = new MutantQueue();
    for (let line = 1; line <= 100; line += 1) waiting.add(one(line, ["t"]));
    expect(waiting.take().length).toBe(8);
    waiting.took(10, 10_000);
    expect(waiting.take().length).toBe(4);
    waiting.took(10, 1_000);
    expect(waiting.take().length).toBe(40);
    expect(waiting.take().length).toBe(24);
    while (waiting.size > 0) waiting.take();
    waiting.add(one(1, ["t"], true));
    waiting.add(one(2, ["t"]));
    expect(waiting.take().map(({ mutant: { line } }) => line)).toEqual([1]);
    expect(waiting.take().map(({ mutant: { line } }) => line)).toEqual([2]);
    expect(waiting.take()).toEqual([]);
  });

  test("those that tell something about a requirement come first", () => {
    const waiting = new MutantQueue();
    for (let line = 1; line <= 20; line += 1) waiting.add(one(line, [line > 15 ? "r" : "t"]));
    waiting.sooner([{ tests: ["r"] }]);
    expect(waiting.take().map(({ mutant: { line } }) => line)).toEqual([16, 17, 18, 1, 2, 3, 4, 5]);
  });
});
