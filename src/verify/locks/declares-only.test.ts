import { expect, test } from "vitest";
import { declaresOnly } from "./declares-only.ts";

test.each([
  ["pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\n# why\naddopts=-q\nmarkers =\n    slow: takes long\n"],
  [
    "pyproject.toml",
    '[tool.pytest.ini_options]\naddopts = "-q"\n',
    '[tool.pytest.ini_options]\naddopts = "-q"\nmarkers = ["slow: takes long"]\n',
  ],
])("marks and comments in %s steer no test", (path, before, after) => {
  expect(declaresOnly(path, before, after)).toBe(true);
  expect(declaresOnly(path, before, after.replace("-q", "-k nothing"))).toBe(false);
  expect(declaresOnly(path, null, after)).toBe(false);
});

test("a bar that is lowered is no declaration", () => {
  expect(declaresOnly(".coveragerc", "[report]\nfail_under = 95\n", "[report]\nfail_under = 0\n")).toBe(false);
  expect(declaresOnly("conftest.py", "a = 1\n", "a = 2\n")).toBe(false);
});
