import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { TestOutcome } from "../../domain/evidence/test-report.ts";
import type { TestOutline } from "../locks/test-outline.ts";
import { type Comparison, compareTests } from "./compare-tests.ts";

type Outcomes = Record<string, TestOutcome>;

const compare = (
  before: Outcomes,
  after: Outcomes,
  change: Partial<Comparison> & { oldOnNew?: Outcomes; newOnOld?: Outcomes } = {},
) => {
  const { oldOnNew, newOnOld, ...rest } = change;
  const compared = compareTests({
    runs: {
      before: report(before),
      after: report(after),
      oldOnNew: oldOnNew ? report(oldOnNew) : null,
      newOnOld: newOnOld ? report(newOnOld) : null,
    },
    outlines: { before: new Map(), after: new Map() },
    flaky: new Set(),
    superseded: [],
    configChanged: false,
    ...rest,
  });
  return {
    roles: Object.fromEntries(compared.tests.map(({ id, role }) => [id, role])),
    found: compared.integrity.map(({ weight, code }) => `${weight} ${code}`),
    expectations: compared.changedExpectations,
  };
};

const outline = (name: string, assertions = 1, words = `${name} ${assertions}`): [string, TestOutline] => [
  `t.py::${name}`,
  { name, words, assertions, exact: assertions, strength: assertions > 0 ? "asserts" : "empty" },
];

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
  const { roles, found } = compare(
    { "t.py::a": "passed", "t.py::b": "passed" },
    { "t.py::a": "failed" },
    {
      flaky: new Set(["t.py::a", "t.py::b"]),
    },
  );
  expect(roles).toEqual({ "t.py::a": "flaky", "t.py::b": "flaky" });
  expect(found).toEqual([]);
});

test("a test that went away is tampering, unless a person named it, its file or all its cases", () => {
  const gone = (superseded: string[]) =>
    compare({ "t.py::a[1]": "passed" }, { "t.py::z": "passed" }, { superseded, newOnOld: { "t.py::z": "passed" } })
      .found;
  expect(gone([])).toEqual(["tampering test.deselected"]);
  for (const named of ["t.py::a[1]", "t.py::a", "t.py"]) expect(gone([named])).toEqual(["named test.superseded"]);
});

test("a test under another name is the same test", () => {
  const outlines = {
    before: new Map([outline("old", 1, "def old ( ) : assert f")]),
    after: new Map([outline("new", 1, "def new ( ) : assert f")]),
  };
  const renamed = compare(
    { "t.py::old": "passed" },
    { "t.py::new": "passed" },
    { outlines, oldOnNew: { "t.py::old": "passed" }, newOnOld: { "t.py::new": "passed" } },
  );
  expect(renamed).toMatchObject({ roles: { "t.py::old": "moved" }, found: [] });
  const other = { ...outlines, after: new Map([outline("new", 1, "def new ( ) : assert g")]) };
  const replaced = compare(
    { "t.py::old": "passed" },
    { "t.py::new": "passed" },
    { outlines: other, oldOnNew: {}, newOnOld: { "t.py::new": "passed" } },
  );
  expect(replaced.found).toEqual(["tampering test.deleted"]);
});

test("one new test stands for one old one only", () => {
  const outlineOf = (name: string) => outline(name, 1, `def ${name} ( ) : assert f`);
  const outlines = { before: new Map([outlineOf("a"), outlineOf("b")]), after: new Map([outlineOf("c")]) };
  const both: Outcomes = { "t.py::a": "passed", "t.py::b": "passed" };
  const { found, roles } = compare(both, { "t.py::c": "passed" }, { outlines, oldOnNew: both });
  expect(roles).toMatchObject({ "t.py::a": "moved", "t.py::b": "gone" });
  expect(found).toEqual(["tampering test.deleted"]);
});

test("a changed test is judged by its old version on the new code, and its new version on the old", () => {
  const outlines = (now: number) => ({
    before: new Map([outline("a", 2)]),
    after: new Map([outline("a", now, "changed")]),
  });
  const judged = (now: number, old: TestOutcome, onOld: TestOutcome) =>
    compare(
      { "t.py::a": "passed" },
      { "t.py::a": "passed" },
      { outlines: outlines(now), oldOnNew: { "t.py::a": old }, newOnOld: { "t.py::a": onOld } },
    );
  expect(judged(2, "passed", "passed").found).toEqual([]);
  expect(judged(1, "passed", "passed").found).toEqual(["named test.weakened"]);
  expect(judged(0, "passed", "passed").found).toEqual(["tampering test.emptied"]);
  expect(judged(2, "failed", "passed").found).toEqual(["tampering test.weakened"]);
  expect(judged(1, "failed", "failed").found).toEqual(["tampering test.weakened"]);
  expect(judged(3, "failed", "failed")).toMatchObject({
    expectations: ["t.py::a"],
    found: ["named test.changed-expectation"],
  });
});

test("an old test that is green only with other support or configuration is named", () => {
  const by = (configChanged: boolean) =>
    compare(
      { "t.py::a": "passed" },
      { "t.py::a": "passed" },
      { configChanged, oldOnNew: { "t.py::a": "failed" }, newOnOld: { "t.py::a": "failed" } },
    );
  expect(by(true).found).toEqual(["tampering config.hides"]);
  expect(by(false)).toMatchObject({ found: ["named test.changed-expectation"], expectations: ["t.py::a"] });
});

test("a red test that was emptied did not turn green", () => {
  const outlines = { before: new Map([outline("a")]), after: new Map([outline("a", 0)]) };
  const { found, roles } = compare(
    { "t.py::a": "failed" },
    { "t.py::a": "passed" },
    { outlines, oldOnNew: { "t.py::a": "failed" }, newOnOld: { "t.py::a": "passed" } },
  );
  expect(found).toEqual(["tampering test.emptied"]);
  expect(roles).toEqual({ "t.py::a": "void" });
});

test("a case of a test that went away is tampering; one that was changed is judged like a changed test", () => {
  const before: Outcomes = { "t.py::a[1]": "passed", "t.py::a[2]": "passed" };
  const fewer = compare(before, { "t.py::a[1]": "passed" }, { oldOnNew: before });
  expect(fewer.found).toEqual(["tampering test.deselected"]);
  const other = compare(before, { "t.py::a[1]": "passed", "t.py::a[3]": "passed" }, { oldOnNew: before });
  expect(other).toMatchObject({ roles: { "t.py::a[2]": "moved" }, found: [] });
});
