import { expect, test } from "vitest";
import { explainBuild, packageMissing } from "./explain-build.ts";

test("versions that do not fit each other are named, and no file of a log", () => {
  const stderr = [
    "npm error code ERESOLVE",
    "npm error ERESOLVE could not resolve",
    "npm error",
    "npm error While resolving: eslint-plugin-x@2.0.0",
    "npm error Found: eslint@9.0.0",
    "npm error /tmp/.npm/_logs/2026-eresolve-report.txt",
  ].join("\n");
  const recipe = { from: ["package.json"], interpreter: "node", files: [] };
  expect(explainBuild(recipe, { ending: "exited", stdout: "", stderr }, [])).toBe(
    "the environment of package.json could not be built: " +
      "npm finds no versions that all fit (ERESOLVE, at eslint-plugin-x@2.0.0): commit a lockfile",
  );
});

test.each([
  [
    "a repository",
    "git+ssh://git@github.com/owner/v8-argv.git#284f84",
    "npm error command git --no-replace-objects ls-remote ssh://git@github.com/owner/v8-argv.git",
    "git+ssh://git@github.com/owner/v8-argv.git",
  ],
  [
    "an archive",
    "https://github.com/owner/own/tarball/v18.0.0",
    "npm error 404 Not Found - GET https://registry.test/owner/own/tarball/v18.0.0 - not found",
    "https://github.com/owner/own/tarball/v18.0.0",
  ],
])("a package that comes from %s elsewhere is named with its place", (_, resolved, said, place) => {
  const explain = (content: object, stderr: string) => {
    const files = [{ path: "package-lock.json", content: JSON.stringify(content) }];
    return explainBuild({ from: ["a"], interpreter: "node", files }, { ending: "exited", stdout: "", stderr }, []);
  };
  const lock = { packages: { "node_modules/a/node_modules/@b/c": { version: "1.0.0", resolved } } };
  const why =
    "the environment of a could not be built: @b/c comes from PLACE, and only the registry is in reach: " +
    "install the packages yourself, they are used if they fit";
  expect(explain(lock, said)).toBe(why.replace("PLACE", place));
  expect(explain({ dependencies: { "@b/c": { version: resolved } } }, said)).toBe(why.replace("PLACE", place));
  expect(explain(lock, "npm error code EINTEGRITY x failed")).toContain("does not have the hash of the lockfile");
});

test.each([
  [
    "pyproject-api>=1.10 (from tox) (from versions: none)",
    "pyproject-api>=1.10, which tox asks for, cannot be had as a wheel",
  ],
  ["gone-tool==1.0 (from versions: 1.1)", "gone-tool==1.0 cannot be had as a wheel"],
  ["gone (from -r x.txt (line 1)) (from versions: none)", "gone cannot be had as a wheel"],
])("pip says %j", (said, why) => {
  const name = said.split(" ")[0] ?? "";
  const stderr = `ERROR: Could not find a version that satisfies the requirement ${said}\nERROR: No matching distribution found for ${name}\n`;
  expect(
    explainBuild({ from: ["a"], interpreter: "python", files: [] }, { ending: "exited", stdout: "", stderr }, []),
  ).toBe(`the environment of a could not be built: ${why}`);
});

test.each([
  ["Sphinx==7.4.4 cannot be had as a wheel", "Sphinx"],
  ["tiny[extra]>=1; python cannot be had as a wheel", ""],
  ["PyYAML<7 and >=6.0 cannot be had in the versions that manifest and lockfile ask for", "PyYAML"],
  ["a and b cannot be had in the versions that manifest and lockfile ask for", ""],
  ["asv cannot be had as a wheel (pypi.org: it cannot be reached)", ""],
  ["asv cannot be had as a wheel; `miracle env build` tries again", "asv"],
  ["left-pad cannot be had", ""],
  ["pyproject-api>=1.10, which tox asks for, cannot be had as a wheel", "tox"],
])("of %j the package that is missing is %j", (why, name) => {
  expect(packageMissing(`the environment of a could not be built: ${why}`)).toBe(name);
});
