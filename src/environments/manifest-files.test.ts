import { expect, test } from "vitest";
import { isManifest } from "./manifest-files.ts";

test.each([
  "requirements.txt",
  "requirements-dev.txt",
  "dev-requirements.txt",
  "requirements/test.txt",
  "constraints.txt",
  "pyproject.toml",
  "uv.lock",
  "packages/a/package.json",
  "package-lock.json",
])("%s decides over packages", (path) => {
  expect(isManifest(path)).toBe(true);
});

test.each(["docs/requirements.txt", "README.txt", "notes/requirements/x.txt", "robots.txt", "setup.cfg"])(
  "%s does not",
  (path) => {
    expect(isManifest(path)).toBe(false);
  },
);
