import { expect, test } from "vitest";
import { isDocumentation, mayBeAnswer } from "./change-parts.ts";

test.each(["notes.txt", "out.txt", "README", "docs/a.rst", "LICENSE", "LICENSE-MIT"])("%s is for people", (path) =>
  expect(isDocumentation(path)).toBe(true),
);

test.each([
  "requirements.txt",
  "requirements/dev.txt",
  "CMakeLists.txt",
  "rates.csv",
  "a.py",
  "license_check.py",
  "authors.sh",
  "plans/licensed.json",
  "license.json",
  "readmes.csv",
])("%s does something", (path) => expect(isDocumentation(path)).toBe(false));

test("what is deployed is no answer of tests, though they open it", () => {
  expect(["golden/report.txt", "tests/data/a.json", "out.snap", "report.expected.json"].every(mayBeAnswer)).toBe(true);
  expect(["Dockerfile", "config/prod.json", "tests/Dockerfile", ".github/workflows/a.yml"].some(mayBeAnswer)).toBe(
    false,
  );
});
