import { expect, test } from "vitest";
import { isManifest, listsPackages } from "./manifest-files.ts";

test.each([
  "requirements.txt",
  "requirements-dev.txt",
  "dev-requirements.txt",
  "requirements/test.txt",
  "tests/requirements.txt",
  "constraints.txt",
  "pyproject.toml",
  "uv.lock",
  "packages/a/package.json",
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "go.sum",
])("%s lists packages", (path) => {
  expect([isManifest(path), listsPackages(path)]).toEqual([true, true]);
});

test.each([
  ".npmrc",
  "setup.cfg",
  "setup.py",
  "pnpm-workspace.yaml",
  ".miracle/environment.yaml",
  "patches/left-pad@1.3.0.patch",
])("%s decides over packages and may do more", (path) => {
  expect([isManifest(path), listsPackages(path)]).toEqual([true, false]);
});

test.each(["docs/requirements.txt", "README.txt", "notes/requirements/x.txt", "robots.txt", "docs/setup.py"])(
  "%s does not",
  (path) => {
    expect(isManifest(path)).toBe(false);
  },
);
