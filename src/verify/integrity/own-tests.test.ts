import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { isStoredAnswer, saysTheSame } from "./own-tests.ts";

const parsers = new SyntaxParsers();
const BEFORE =
  "from fees import fee\n\n\ndef close(a, b):\n    return a == b\n\n\ndef test_two():\n    assert fee(2) == 4\n\n\ndef test_week():\n    assert fee(7) == 14\n";
const same = (after: string, superseded: string[] = []) =>
  saysTheSame(parsers, "tests/test_fees.py", [BEFORE, after], superseded);

test("the project's tests stay; one may be added, and one that the goal makes obsolete may change", async () => {
  expect(await same(BEFORE.replace("\n\n\ndef close", "\n\ndef close"))).toBe(true);
  expect(await same(`${BEFORE}\n\ndef test_new():\n    assert fee(0) == 0\n`)).toBe(true);
  const changed = BEFORE.replace("== 14", "== 10");
  expect(await same(changed, ["tests/test_fees.py::test_week"])).toBe(true);
  expect(await same(changed, ["tests/other.py::test_week"])).toBe(false);
  expect(await same(changed)).toBe(false);
  expect(await same(BEFORE.replace("return a == b", "return True"))).toBe(false);
  expect(await same(BEFORE.replace("from fees import fee", "fee = lambda n: 4"))).toBe(false);
  expect(
    await same(BEFORE.replace("def test_two():\n    assert fee(2) == 4\n", ""), ["tests/test_fees.py::test_week"]),
  ).toBe(false);
});

test("what tests compare with is theirs: it stands among them, or they name it and the code does not", () => {
  const named = (path: string, texts: { tests?: string; sources?: string; obsolete?: string }) =>
    isStoredAnswer(path, {
      own: new Set(["tests/test_fees.py", "src/a.test.js"]),
      tests: () => [texts.tests ?? ""],
      sources: () => [texts.sources ?? ""],
      obsolete: () => [texts.obsolete ?? ""],
    });
  expect(named("golden/report.txt", { tests: 'open("golden/report.txt")' })).toBe(true);
  expect(named("tests/data/a.json", {})).toBe(true);
  expect(named("rates.json", { tests: "rates.json", sources: 'load("rates.json")' })).toBe(false);
  expect(named("golden/report.txt", { tests: "report.txt", obsolete: "report.txt" })).toBe(false);
  expect(named("README.md", {})).toBe(false);
  expect(named("spec/openapi.yaml", {})).toBe(false);
  expect(named("src/__snapshots__/a.test.js.snap", {})).toBe(true);
  expect(named("fees.py", { tests: "fees.py" })).toBe(false);
});
