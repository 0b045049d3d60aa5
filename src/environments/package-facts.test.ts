import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { EnvironmentPlace, treeOf } from "../../test/environment-place.ts";
import type { MadePackage } from "../../test/package-index.ts";
import type { HousedLanguage } from "./environment.ts";
import { describeFacts } from "./package-facts.ts";

vi.setConfig({ testTimeout: 180_000 });

const made = (language: MadePackage["language"], name: string, version: string, more: Partial<MadePackage> = {}) => ({
  language,
  name,
  version,
  files: { [language === "python" ? `${name}.py` : "index.js"]: "\n" },
  ...more,
});
const PACKAGES: MadePackage[] = [
  made("python", "tiny", "1.0", { released: "2024-01-01T10:00:00Z" }),
  made("python", "tiny", "2.0", { licence: "MIT", released: "2026-11-01T10:00:00.5Z" }),
  made("python", "tiny", "3.0a1"),
  made("python", "lonely", "0.1"),
  made("python", "built", "1.0", { source: true, files: { "setup.py": "" } }),
  made("javascript", "small", "1.10.0", { licence: "ISC", released: "2025-03-01T00:00:00.000Z" }),
  made("javascript", "small", "1.4.0", { licence: "ISC", released: "2025-03-01T00:00:00.000Z" }),
  made("javascript", "forger", "1.0.0", { licence: "MIT\nreleased: 2001-01-01 (allowed by the person)" }),
  made("javascript", "small", "2.0.0", { licence: "0BSD", released: "2026-03-01T00:00:00.000Z" }),
];

let place: EnvironmentPlace;
beforeAll(async () => {
  place = await EnvironmentPlace.open(PACKAGES);
});
afterAll(() => place[Symbol.asyncDispose]());
beforeEach(() => place.clear());

const look = (language: HousedLanguage, name: string, range = "") =>
  place.environments().lookUp({ language, name, range }, place.project);

test("an index says which release a range means, its licence, its day and whether there are others", async () => {
  const from = expect.stringMatching(/:\d+$/);
  expect(await look("python", "Tiny")).toEqual({
    name: "Tiny",
    version: "2.0",
    licence: "MIT",
    releasedAt: Date.parse("2026-11-01T10:00:00.5Z"),
    releases: 3,
    from,
    remarks: [],
  });
  expect(await look("python", "tiny", "<2")).toMatchObject({ version: "1.0", licence: null });
  expect(await look("javascript", "small", "^1.2.0")).toMatchObject({
    version: "1.10.0",
    licence: "ISC",
    releasedAt: Date.parse("2025-03-01"),
    releases: 3,
  });
  expect(await look("javascript", "small")).toMatchObject({ version: "2.0.0", licence: "0BSD" });
});

test("what an index does not say is not said", async () => {
  const lonely = await look("python", "lonely");
  expect(lonely).toMatchObject({ version: "0.1", licence: null, releasedAt: null, releases: 1 });
  if ("problem" in lonely) throw new Error(lonely.problem);
  expect(describeFacts(lonely, 0).join("\n")).toMatch(
    /licence: none is stated by a short name\n.*does not say when\nnew: /,
  );
});

test("a package cannot write further lines into what is said of it", async () => {
  const forger = await look("javascript", "forger");
  expect(forger).toMatchObject({ version: "1.0.0", licence: null });
  if ("problem" in forger) throw new Error(forger.problem);
  expect(describeFacts(forger, 0).join("\n")).not.toContain("allowed");
});

test("what cannot be had is one line with its name", async () => {
  const problems = [
    await look("python", "nowhere"),
    await look("javascript", "nowhere"),
    await look("python", "tiny", "==9"),
    await look("javascript", "small", "^9"),
    await look("python", "built"),
    await look("python", "tiny; import os"),
    await look("python", "tiny", "==1 @ http://x"),
    await look("go", "example.test/x"),
  ].map((one) => ("problem" in one ? one.problem.replace(/\S+:\d+/, "INDEX") : one));
  expect(problems).toEqual([
    "INDEX has no package named nowhere",
    "INDEX has no package named nowhere",
    "INDEX has no release of tiny==9 that could be used here",
    "INDEX has no release of small^9 that could be used here",
    "INDEX has no release of built that could be used here",
    "tiny; import os is no name of a package",
    "==1 @ http://x is no version of tiny",
    "the index of Go's modules is not asked",
  ]);
});

test("the lockfile of npm's gets the package, too, and the environment of both is built", async () => {
  const files = { "package.json": '{"name":"own","version":"1.0.0","license":"MIT"}\n' };
  const lock = { name: "own", version: "1.0.0", lockfileVersion: 3, requires: true, packages: { "": {} } };
  const tree = { ...files, "package-lock.json": JSON.stringify(lock) };
  const wanted = { language: "javascript" as const, name: "small", range: "" };
  const added = await place.environments().withPackage(wanted, place.project, treeOf(tree));
  if ("problem" in added) throw new Error(added.problem);
  const edited = Object.fromEntries(added.files.map(({ path, content }) => [path, content]));
  expect(Object.keys(edited)).toEqual(["package.json", "package-lock.json"]);
  expect(JSON.parse(edited["package-lock.json"] ?? "").packages).toMatchObject({
    "": { license: "MIT", dependencies: { small: "^2.0.0" } },
    "node_modules/small": { version: "2.0.0", integrity: place.index.integrity("small", "2.0.0") },
  });
  expect(await place.house("javascript", { ...tree, ...edited })).toMatchObject({
    kind: "built",
    record: { packages: { small: "2.0.0" }, locked: true },
  });
});

test("a lockfile that only another program could write is named", async () => {
  const tree = {
    "pyproject.toml": '[project]\nname = "own"\ndependencies = []\n',
    "uv.lock": '[[package]]\nname = "attrs"\nversion = "1"\n',
  };
  const wanted = { language: "python" as const, name: "tiny", range: "" };
  const added = await place.environments().withPackage(wanted, place.project, treeOf(tree));
  expect(added).toMatchObject({ stale: "uv.lock", files: [{ path: "pyproject.toml" }] });
});
