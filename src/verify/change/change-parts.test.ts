import { expect, test } from "vitest";
import { isDocumentation } from "./change-parts.ts";

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
])("%s does something", (path) => expect(isDocumentation(path)).toBe(false));
