import { expect, test } from "vitest";
import { explainBuild } from "./explain-build.ts";

test("versions that do not fit each other are named, and no file of a log", () => {
  const stderr = [
    "npm error code ERESOLVE",
    "npm error ERESOLVE could not resolve",
    "npm error",
    "npm error While resolving: eslint-plugin-x@2.0.0",
    "npm error Found: eslint@9.0.0",
    "npm error /tmp/.npm/_logs/2026-eresolve-report.txt",
  ].join("\n");
  const recipe = { from: ["package.json"], interpreter: "node" };
  expect(explainBuild(recipe, { ending: "exited", stdout: "", stderr }, [])).toBe(
    "the environment of package.json could not be built: " +
      "npm finds no versions that all fit (ERESOLVE, at eslint-plugin-x@2.0.0): commit a lockfile",
  );
});
