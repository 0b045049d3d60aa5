import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { TestOutcome } from "../../domain/evidence/test-report.ts";
import type { FileOutline } from "../locks/test-outline.ts";
import { type Comparison, compareTests } from "./compare-tests.ts";

type Outcomes = Record<string, TestOutcome>;
interface Runs {
  oldOnNew?: Outcomes;
  newOnOld?: Outcomes;
}

const compare = (before: Outcomes, after: Outcomes, change: Partial<Comparison> & Runs = {}) => {
  const { oldOnNew, newOnOld, ...rest } = change;
  const orNone = (outcomes: Outcomes | undefined) => (outcomes ? report(outcomes) : null);
  const compared = compareTests({
    runs: {
      before: report(before),
      after: report(after),
      oldOnNew: orNone(oldOnNew),
      newOnOld: orNone(newOnOld),
    },
    outlines: { before: new Map(), after: new Map() },
    leaning: new Set(),
    flaky: new Set(),
    superseded: [],
    ...rest,
  });
  return {
    roles: Object.fromEntries(compared.tests.map(({ id, role }) => [id, role])),
    found: compared.integrity.map(({ weight, code }) => `${weight} ${code}`),
    asked: compared.questions.map(({ test: id }) => id),
    flags: compared.questions.map(({ flag }) => flag),
    touched: compared.touched.map(({ test: id, touch, greenOn }) => `${id} ${touch} ${greenOn}`),
  };
};

const NOWHERE = { from: 0, to: 0 };

/** A file `t.py` with tests by name and body, and other statements by the name they bind. */
const file = (tests: Record<string, string>, parts: Record<string, string> = {}, path = "t.py") =>
  new Map<string, FileOutline>([
    [
      path,
      {
        tests: Object.entries(tests).map(([name, body]) => ({
          name,
          words: `${name} ${body}`,
          body,
          does: body,
          ...NOWHERE,
        })),
        parts: Object.entries(parts).map(([name, words]) => ({
          names: name === "" ? [] : [name],
          words,
          tests: [],
          ...NOWHERE,
        })),
      },
    ],
  ]);

test("a test that a class inherits is touched when its text is, not when another one of that class is", () => {
  const [one, two] = ["t.py::TestA::test_one", "t.py::TestA::test_two"];
  const both: Outcomes = { [one]: "passed", [two]: "passed" };
  const outlines = {
    before: file({ "Mixin::test_one": "x == 1", "Mixin::test_two": "y == 1" }),
    after: file({ "Mixin::test_one": "x == 2", "Mixin::test_two": "y == 1" }),
  };
  expect(compare(both, both, { outlines, oldOnNew: both }).touched).toEqual([`${one} own new`]);
});

test("each test is worth what it did on both sides", () => {
  const { roles, found } = compare(
    { "t.py::a": "passed", "t.py::b": "passed", "t.py::c": "failed", "t.py::d": "failed", "t.py::e": "skipped" },
    { "t.py::a": "passed", "t.py::b": "failed", "t.py::c": "passed", "t.py::d": "error", "t.py::e": "passed" },
  );
  expect(roles).toEqual({
    "t.py::a": "held",
    "t.py::b": "broken",
    "t.py::c": "red-to-green",
    "t.py::d": "still-red",
    "t.py::e": "guard",
  });
  expect(found).toEqual([]);
});

test("a new test shows the change only if it is red on the old code", () => {
  const { roles } = compare(
    {},
    { "t.py::shows": "passed", "t.py::guards": "passed", "t.py::unknown": "passed", "t.py::red": "failed" },
    { newOnOld: { "t.py::shows": "failed", "t.py::guards": "passed" } },
  );
  expect(roles).toEqual({
    "t.py::shows": "red-to-green",
    "t.py::guards": "guard",
    "t.py::unknown": "red-to-green",
    "t.py::red": "red",
  });
});

test("a test that flips without the change counts for nothing", () => {
  const flaky = new Set(["t.py::a", "t.py::b"]);
  const { roles, found } = compare({ "t.py::a": "passed", "t.py::b": "passed" }, { "t.py::a": "failed" }, { flaky });
  expect(roles).toEqual({ "t.py::a": "flaky", "t.py::b": "flaky" });
  expect(found).toEqual([]);
});

test("a test that stands there and runs no more is tampering, unless a person named it, its file or all its cases", () => {
  const before: Outcomes = { "t.py::a[1]": "passed" };
  const gone = (superseded: string[]) =>
    compare(before, { "t.py::z": "passed" }, { superseded, oldOnNew: before, newOnOld: { "t.py::z": "passed" } }).found;
  expect(gone([])).toEqual(["tampering test.deselected"]);
  for (const named of ["t.py::a[1]", "t.py::a", "t.py"]) expect(gone([named])).toEqual(["named test.superseded"]);
  const skipped = compare({ "t.py::a": "passed" }, { "t.py::a": "skipped" }, { oldOnNew: { "t.py::a": "passed" } });
  expect(skipped.found).toEqual(["tampering test.skipped"]);
});

test("a test that runs no more for another reason is asked about, or broken", () => {
  const before: Outcomes = { "t.py::a": "passed" };
  // Nothing but the code was changed.
  expect(compare(before, {})).toMatchObject({ found: [], asked: ["t.py::a"] });
  // Another test is red: the run may have ended there.
  const bail = compare(before, { "t.py::b": "failed" }, { oldOnNew: before });
  expect(bail).toMatchObject({ found: [], asked: ["t.py::a"] });
  const broken = compare(before, { "t.py::collection": "error" }, { oldOnNew: before });
  expect(broken).toMatchObject({ found: [], asked: [], roles: { "t.py::a": "broken" } });
});

test("a test under another name is the same test, and nothing of it is asked", () => {
  const green: Outcomes = { "t.py::has two words": "passed" };
  const renamed = compare(
    green,
    { "t.py::g > has three words": "passed" },
    {
      outlines: { before: file({ "has two words": "assert f" }), after: file({ "g > has three words": "assert f" }) },
      oldOnNew: green,
      newOnOld: { "t.py::g > has three words": "passed" },
    },
  );
  expect(renamed).toMatchObject({ roles: { "t.py::has two words": "moved" }, found: [], touched: [] });
});

test("a test that was deleted is measured where it is green, and asked about where that is not the new code", () => {
  const before: Outcomes = { "t.py::a": "passed", "t.py::b": "passed" };
  const outlines = { before: file({ a: "assert f", b: "assert g" }), after: file({ b: "assert g" }) };
  const without = (old: TestOutcome) =>
    compare(before, { "t.py::b": "passed" }, { outlines, oldOnNew: { "t.py::a": old, "t.py::b": "passed" } });
  expect(without("passed")).toMatchObject({ touched: ["t.py::a own new"], asked: [], found: [] });
  expect(without("failed")).toMatchObject({
    touched: ["t.py::a own old"],
    flags: ["--superseded 't.py::a'"],
    found: [],
    roles: { "t.py::a": "gone", "t.py::b": "held" },
  });
});

test("one new test stands for one old one only", () => {
  const outlines = { before: file({ a: "assert f", b: "assert f" }), after: file({ c: "assert f" }) };
  const both: Outcomes = { "t.py::a": "passed", "t.py::b": "passed" };
  const { touched, roles } = compare(both, { "t.py::c": "passed" }, { outlines, oldOnNew: both });
  expect(roles).toMatchObject({ "t.py::a": "moved", "t.py::b": "gone" });
  expect(touched).toEqual(["t.py::b own new"]);
});

test("a case that went away is measured, and no other case stands for it", () => {
  const before: Outcomes = { "t.py::a[1]": "passed", "t.py::a[2]": "passed" };
  const outlines = { before: file({ a: "1 2 assert" }), after: file({ a: "1 3 assert" }) };
  const other = compare(before, { "t.py::a[1]": "passed", "t.py::a[3]": "passed" }, { oldOnNew: before, outlines });
  expect(other).toMatchObject({
    roles: { "t.py::a[2]": "gone" },
    touched: ["t.py::a[1] own new", "t.py::a[2] own new"],
  });
  // The same function with the same cases under another name.
  const renamed = { before: file({ a: "1 2 assert" }), after: file({ b: "1 2 assert" }) };
  const now: Outcomes = { "t.py::b[1]": "passed", "t.py::b[2]": "passed" };
  expect(compare(before, now, { oldOnNew: before, outlines: renamed })).toMatchObject({
    roles: { "t.py::a[1]": "moved", "t.py::a[2]": "moved" },
    touched: [],
  });
  const fewer: Outcomes = { "t.py::b[2]": "passed", "t.py::b[3]": "passed" };
  expect(compare(before, fewer, { oldOnNew: before, outlines: renamed })).toMatchObject({
    roles: { "t.py::a[1]": "gone", "t.py::a[2]": "moved" },
    touched: ["t.py::a[1] own new"],
  });
});

test("a changed test is judged by its old version on the new code, and its new version on the old", () => {
  const outlines = { before: file({ a: "assert f" }), after: file({ a: "assert g" }) };
  const judged = (old: TestOutcome, onOld: TestOutcome) =>
    compare(
      { "t.py::a": "passed" },
      { "t.py::a": "passed" },
      { outlines, oldOnNew: { "t.py::a": old }, newOnOld: { "t.py::a": onOld } },
    );
  expect(judged("passed", "passed")).toMatchObject({ roles: { "t.py::a": "held" }, touched: ["t.py::a own new"] });
  // It gained something that the old code does not do.
  expect(judged("passed", "failed")).toMatchObject({ roles: { "t.py::a": "red-to-green" }, asked: [], found: [] });
  expect(judged("passed", "error")).toMatchObject({ roles: { "t.py::a": "held" } });
  expect(judged("failed", "failed")).toMatchObject({ roles: { "t.py::a": "red-to-green" }, asked: ["t.py::a"] });
  expect(judged("failed", "passed")).toMatchObject({
    roles: { "t.py::a": "guard" },
    asked: ["t.py::a"],
    touched: ["t.py::a own old"],
  });
});

test("a test that only asks more is not asked what it noticed", () => {
  const both: Outcomes = { "t.py::a": "passed", "t.py::b": "passed" };
  const outlines = {
    before: file({ a: "assert f", b: "assert f" }),
    after: file({ a: "assert f assert g", b: "assert f g = 1 assert g" }),
  };
  expect(compare(both, both, { outlines, oldOnNew: both, newOnOld: both }).touched).toEqual(["t.py::b own new"]);
});

test("one assertion more excuses nothing that a test leans on", () => {
  const green: Outcomes = { "t.py::a": "passed" };
  const runs = { oldOnNew: green, newOnOld: green };
  const more = (before: Record<string, string>, after: Record<string, string>) => ({
    before: file({ a: "assert same ( f )" }, before),
    after: file({ a: "assert same ( f ) assert g" }, after),
  });
  const touched = (outlines: ReturnType<typeof more>, leaning: string[] = []) =>
    compare(green, green, { outlines, leaning: new Set(leaning), ...runs }).touched;
  expect(touched(more({}, {}))).toEqual([]);
  expect(touched(more({}, {}), ["t.py"])).toEqual(["t.py::a own new"]);
  const helper = more({ same: "def same ( x ) : return x == 1" }, { same: "def same ( x ) : return True" });
  expect(touched(helper)).toEqual(["t.py::a own new"]);
});

test("an edited test whose words let more pass is asked about, though it is green everywhere", () => {
  const both: Outcomes = { "t.py::a": "passed", "t.py::b": "passed" };
  const outlines = {
    before: file({ a: "x == approx ( 1 , abs = 0.1 )", b: "y == 1" }),
    after: file({ a: "x == approx ( 1 , abs = 0.5 )", b: "y == 2" }),
  };
  expect(compare(both, both, { outlines, oldOnNew: both, newOnOld: both }).asked).toEqual(["t.py::a"]);
  expect(compare(both, both, { outlines, oldOnNew: both, newOnOld: both, superseded: ["t.py::a"] }).asked).toEqual([]);
});

test("a new case of an old test turns by itself", () => {
  const before: Outcomes = { "t.py::a[1]": "passed" };
  const { roles } = compare(
    before,
    { "t.py::a[1]": "passed", "t.py::a[2]": "passed", "t.py::a[3]": "passed" },
    {
      outlines: { before: file({ a: "1" }), after: file({ a: "1 2 3" }) },
      oldOnNew: before,
      newOnOld: { "t.py::a[1]": "passed", "t.py::a[2]": "failed", "t.py::a[3]": "passed" },
    },
  );
  expect(roles).toEqual({ "t.py::a[1]": "held", "t.py::a[2]": "red-to-green", "t.py::a[3]": "guard" });
});

test("a test is touched by a change of what it names, and not by what others name", () => {
  const green: Outcomes = { "t.py::a": "passed", "t.py::b": "passed" };
  const tests = { a: "check ( f )", b: "assert f" };
  const by = (was: Record<string, string>, is: Record<string, string>) =>
    compare(green, green, { outlines: { before: file(tests, was), after: file(tests, is) }, oldOnNew: green }).touched;
  expect(by({ check: "def check 1" }, { check: "def check 2" })).toEqual(["t.py::a shared new"]);
  expect(by({ one: "def one 1", check: "def check one" }, { one: "def one 2", check: "def check one" })).toEqual([
    "t.py::a shared new",
  ]);
  expect(by({}, { other: "import other" })).toEqual([]);
  expect(by({}, { f: "f = another" })).toEqual(["t.py::a shared new", "t.py::b shared new"]);
  expect(by({}, { setup_module: "def setup_module" })).toHaveLength(2);
  expect(by({ "": "beforeEach 1" }, { "": "beforeEach 2" })).toHaveLength(2);
});

/** As it stands in the text. */
const COMPUTED = ["up $", "{x}"].join("");

test("tests whose names are put together when they run are compared by their file", () => {
  const green: Outcomes = { "t.py::up a": "passed" };
  const by = (now: string) =>
    compare(green, green, {
      outlines: { before: file({ [COMPUTED]: "equal" }), after: file({ [COMPUTED]: now }) },
      oldOnNew: green,
    }).touched;
  expect(by("equal")).toEqual([]);
  expect(by("ok")).toEqual(["t.py::up a own new"]);
});

test("what stands beside test files touches those that lean on it", () => {
  const green: Outcomes = { "t.py::a": "passed", "u.py::b": "passed" };
  const { touched } = compare(green, green, { leaning: new Set(["u.py"]), oldOnNew: green });
  expect(touched).toEqual(["u.py::b shared new"]);
});

test("where no test of a file runs on either side, its text is compared", () => {
  const broken: Outcomes = { "t.py::collection": "error" };
  const outlines = {
    before: file({ a: "assert a", b: "assert b", c: "assert c" }),
    after: file({ b: "assert b or True", d: "assert c" }),
  };
  const { asked, found } = compare(broken, broken, { outlines, oldOnNew: broken });
  expect(asked).toEqual(["t.py::a", "t.py::b"]);
  expect(found).toEqual([]);
});

test("the flag is quoted for a shell", () => {
  const { flags } = compare({ "t.js::it's [1]": "passed" }, {});
  expect(flags).toEqual(["--superseded 't.js::it'\\''s [1]'"]);
});
