import { describe, expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import { LIMITS, SampleProject } from "../../../test/sample-project.ts";
import type { Variation } from "../../domain/evidence/flake-report.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import type { Language } from "../../languages/language.ts";
import { Python } from "../../languages/python/python.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { baseFlakes, flipsBetween, repeatTests, variation } from "./find-flakes.ts";
import { canShuffle, variedRuns } from "./run-varied.ts";

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });

/** Answers with these reports, one after the other, and notes what was asked. */
function scripted(...reports: TestReport[]) {
  const asked: { vary: Variation | null; files: readonly string[] }[] = [];
  const run = async (vary: Variation | null, files: readonly string[]) => {
    asked.push({ vary, files });
    const next = reports.shift();
    if (!next) throw new Error("one run more than expected");
    return next;
  };
  return { asked, run };
}

describe("the base suite", () => {
  test("runs twice, and what flips there is flaky", async () => {
    const { run, asked } = scripted(
      report({ "a.py::x": "passed", "a.py::y": "passed", "a.py::z": "failed" }),
      report({ "a.py::x": "passed", "a.py::y": "failed", "a.py::z": "error" }),
    );
    const base = await baseFlakes(run, { shuffle: false });
    expect(base.flaky).toEqual(["a.py::y"]);
    expect(base.shuffles).toBeNull();
    expect(asked).toEqual([
      { vary: null, files: [] },
      { vary: null, files: [] },
    ]);
  });

  test("shuffles when another order changes nothing but what is flaky anyway", async () => {
    const [good, flaky] = [
      report({ "a.py::x": "passed", "a.py::y": "passed" }),
      report({ "a.py::x": "passed", "a.py::y": "failed" }),
    ];
    expect((await baseFlakes(scripted(good, good, good).run, { shuffle: true })).shuffles).toBe(true);
    expect((await baseFlakes(scripted(good, flaky, flaky).run, { shuffle: true })).shuffles).toBe(true);
    expect((await baseFlakes(scripted(good, good, flaky).run, { shuffle: true })).shuffles).toBe(false);
  });
});

describe("after the change", () => {
  const after = report({ "a.py::x": "passed", "a.py::y": "passed", "b.py::z": "passed" });
  const base = { first: after, second: after, flaky: ["a.py::y"], shuffles: true };

  test("a test that flips only now is red; one that was flaky before is quarantined", async () => {
    const { run, asked } = scripted(
      report({ "a.py::x": "failed", "a.py::y": "failed" }),
      report({ "a.py::x": "passed", "a.py::y": "passed" }),
    );
    const found = await repeatTests({ base, after, tests: ["a.py::x"], run, canShuffle: true });
    expect(found.flipped).toEqual([
      { id: "a.py::x", outcomes: ["passed", "red", "passed"], message: "a.py::x is failed" },
    ]);
    expect(found.quarantined).toEqual(["a.py::y"]);
    expect(found.repeated).toEqual(["a.py::x", "a.py::y"]);
    expect(asked.map(({ files }) => files)).toEqual([["a.py"], ["a.py"]]);
    expect(found.repeats.map(({ orderSeed }) => orderSeed)).not.toContain(null);
    expect(new Set(found.repeats.map(({ seed }) => seed)).size).toBe(2);
    expect(new Set(found.repeats.map(({ timeZone }) => timeZone)).size).toBe(2);
  });

  test("a test that is gone in a repeat is red as well", async () => {
    const gone = report({ "a.py::y": "passed" });
    const { flipped } = await repeatTests({
      base,
      after,
      tests: ["a.py::x"],
      run: scripted(gone, gone).run,
      canShuffle: true,
    });
    expect(flipped.map(({ outcomes }) => outcomes)).toEqual([["passed", "missing", "missing"]]);
  });

  test("the order stays where the base depends on it, and where the runner has no other", async () => {
    const run = () => scripted(after, after).run;
    const dependent = await repeatTests({
      base: { ...base, shuffles: false },
      after,
      tests: ["b.py::z"],
      run: run(),
      canShuffle: true,
    });
    expect(dependent.repeats.map(({ orderSeed }) => orderSeed)).toEqual([null, null]);
    expect(dependent.notVaried[0]).toBe("order: the suite before the change depends on it");
    const fixed = await repeatTests({ base: null, after, tests: ["b.py::z"], run: run(), canShuffle: false });
    expect(fixed.repeats.map(({ orderSeed }) => orderSeed)).toEqual([null, null]);
    expect(fixed.notVaried[0]).toBe("order: the runner has no other");
  });

  test("nothing to repeat is no run", async () => {
    const found = await repeatTests({ base, after, tests: [], run: scripted().run, canShuffle: true });
    expect(found).toMatchObject({ flipped: [], repeated: [], repeats: [] });
  });
});

test("two runs that say the same have no flips, whatever they measured", () => {
  const one = report({ "a.py::x": "passed", "a.py::y": "skipped" });
  expect(flipsBetween([one, { ...one, durationMs: 99 }])).toEqual([]);
});

test("Python: another order, another seed and another hour each find what hangs on them", async () => {
  using project = new SampleProject({
    "test_flaky.py": `import time

seen = []

def test_a():
    seen.append("a")

def test_b():
    assert seen == ["a"]

def test_c():
    seen.clear()

def test_hour():
    assert time.localtime(0).tm_hour == 0

def test_hash():
    assert hash("word") == HASH

def test_good():
    assert 1 + 1 == 2
`.replace("HASH", await hashOf("word")),
  });
  const found = await flakesOf(python, project, true);
  expect(found.flipped.map(({ id }) => id.split("::")[1])).toEqual(
    expect.arrayContaining(["test_b", "test_hash", "test_hour"]),
  );
  expect(found.flipped.map(({ id }) => id.split("::")[1])).not.toContain("test_good");
  const inOrder = await flakesOf(python, project, false);
  expect(inOrder.flipped.map(({ id }) => id.split("::")[1]).sort()).toEqual(["test_hash", "test_hour"]);
});

test("Python: property tests try other examples with another seed, and the same ones with the same", async () => {
  using project = new SampleProject({
    "test_property.py": `from hypothesis import given, strategies as st
tried = []
@given(st.integers())
def test_number(number):
    tried.append(number)
def test_tried():
    assert tried[:20] == []
`,
  });
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const toolchain = await python.toolchain(project.directory);
  const signal = new AbortController().signal;
  const cleanWorkspace = async () => project.directory;
  const run = variedRuns({ language: python, sandbox, toolchain, limits: LIMITS, signal, cleanWorkspace });
  const tried = async (vary: Variation | null) => (await run(vary, [])).tests.at(-1)?.message;
  const [usual, first, second] = [
    await tried(null),
    await tried(variation(0, false)),
    await tried(variation(1, false)),
  ];
  expect(new Set([usual, first, second]).size).toBe(3);
  expect(await tried(variation(1, false))).toBe(second);
});

test("JavaScript: another hour and another seed", async () => {
  using project = new SampleProject({
    "package.json": '{ "type": "module" }',
    "a.test.js": `import test from "node:test";
test("hour", () => { if (new Date(0).getHours() !== 0) throw new Error("late"); });
test("good", () => {});
`,
  });
  const found = await flakesOf(new JavaScript(process), project, true);
  expect(found.flipped.map(({ id }) => id)).toEqual(["a.test.js::hour"]);
  expect(found.notVaried[0]).toBe("order: the runner has no other");
});

async function flakesOf(language: Language, project: SampleProject, shuffles: boolean) {
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const toolchain = await language.toolchain(project.directory);
  const run = variedRuns({
    language,
    sandbox,
    toolchain,
    limits: LIMITS,
    signal: new AbortController().signal,
    cleanWorkspace: async () => project.directory,
  });
  const after = await run(null, []);
  const base = { first: after, second: after, flaky: [], shuffles };
  const tests = after.tests.map(({ id }) => id);
  return await repeatTests({ base, after, tests, run, canShuffle: canShuffle(toolchain.runner) });
}

/** As Python with the usual seed has it. */
async function hashOf(word: string): Promise<string> {
  const { execFileSync } = await import("node:child_process");
  const env = { PYTHONHASHSEED: "0" };
  return execFileSync("/usr/bin/python3", ["-c", `print(hash(${JSON.stringify(word)}))`], {
    env,
    encoding: "utf8",
  }).trim();
}
