import { readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { outcomes, SampleProject, withoutTimes } from "../../../test/sample-project.ts";
import { passes } from "../../domain/evidence/test-report.ts";
import { JavaScript } from "./javascript.ts";

const javascript = () => new JavaScript({ execPath: process.execPath, version: process.version });

/** The user's directory with packages installed: ours, which has fast-check and vitest. */
function withPackages(project: SampleProject, script?: string): SampleProject {
  const installed = dirname(fileURLToPath(import.meta.resolve("fast-check/package.json")));
  const user = new SampleProject({
    "package.json": JSON.stringify({ type: "module", ...(script && { scripts: { test: script } }) }),
  });
  symlinkSync(dirname(installed), join(user.directory, "node_modules"));
  project.write("package.json", JSON.stringify({ type: "module" }));
  return user;
}

const KINDS = `
import { test, describe, it } from "node:test";
import assert from "node:assert/strict";
import { total } from "../src/price.js";

test("adds", () => assert.equal(total([1, 2]), 3));
test("is wrong", () => assert.equal(total([1]), 2));
describe("a group", () => {
  it("has a test", () => {});
  it('has "quotes" & <signs>', () => assert.deepEqual({ a: 1 }, { a: 2 }));
  describe("inside", () => it("has another", () => {}));
});
test("waits", { skip: "not today" }, () => {});
test("is planned", { todo: true }, () => assert.fail("not yet"));
test("holds others", async (t) => {
  await t.test("one", () => {});
  throw new Error("itself");
});
`;

const PRICE = {
  "package.json": '{"type":"module"}',
  "src/price.js": "export const total = (items) => items.reduce((a, b) => a + b, 0);\n",
};

test("reports each test with its outcome and why", async () => {
  using project = new SampleProject({ ...PRICE, "test/price.test.js": KINDS });
  const report = await project.run(javascript());
  expect(report).toMatchObject({ ending: "completed", exitCode: 1, command: "node --test" });
  expect(outcomes(report)).toEqual({
    "test/price.test.js::adds": "passed",
    "test/price.test.js::is wrong": "failed",
    "test/price.test.js::a group > has a test": "passed",
    'test/price.test.js::a group > has "quotes" & <signs>': "failed",
    "test/price.test.js::a group > inside > has another": "passed",
    "test/price.test.js::waits": "skipped",
    "test/price.test.js::is planned": "xfailed",
    "test/price.test.js::holds others > one": "passed",
    "test/price.test.js::holds others": "failed",
  });
  const wrong = report.tests.find((one) => one.name === "is wrong")?.message;
  expect(wrong).toContain("1 !== 2");
  expect(wrong).toContain("file:///workspace/test/price.test.js");
  expect(wrong).not.toContain("node:internal");
  expect(report.tests.at(-1)?.message).toContain("itself");
});

test("two identical runs give the same report, and so does one without isolation", async () => {
  using project = new SampleProject({
    ...PRICE,
    "test/price.test.js": KINDS,
    "test/other.test.js": "import './gone.js';\n",
  });
  const first = await project.run(javascript());
  expect(withoutTimes(await project.run(javascript()))).toEqual(withoutTimes(first));
  expect(withoutTimes(await project.run(javascript(), { backend: "process" }))).toEqual(withoutTimes(first));
});

test("property tests of fast-check try the same examples every time", async () => {
  const properties = `
import { test } from "node:test";
import fc from "fast-check";
import { total } from "../src/price.js";
test("is never odd", () => fc.assert(fc.property(fc.array(fc.integer()), (items) => total(items) % 2 === 0)));
`;
  using project = new SampleProject({ ...PRICE, "test/price.test.js": properties });
  using user = withPackages(project);
  const language = javascript();
  const first = await project.run(language, { directory: user.directory, files: ["test/price.test.js"] });
  const second = await project.run(language, { directory: user.directory, files: ["test/price.test.js"] });
  expect(first.tests[0]?.message).toContain("Counterexample:");
  expect(withoutTimes(second)).toEqual(withoutTimes(first));
  expect(readdirSync(project.directory).sort()).toEqual(["package.json", "src", "test"]);
});

test("a file that cannot be loaded is an error that says why, and the others still run", async () => {
  using project = new SampleProject({
    ...PRICE,
    "test/import.test.js": "import './gone.js';\n",
    "test/syntax.test.js": "import test from 'node:test';\ntest('a', () => {\n",
    "test/good.test.js": "import test from 'node:test';\ntest('a', () => {});\n",
  });
  const report = await project.run(javascript());
  expect(outcomes(report)).toEqual({
    "test/good.test.js::a": "passed",
    "test/import.test.js::file": "error",
    "test/syntax.test.js::file": "error",
  });
  const message = (name: string) => report.tests.find((one) => one.file === `test/${name}.test.js`)?.message;
  expect(message("import")).toContain("Cannot find module '/workspace/test/gone.js'");
  expect(message("syntax")).toMatch(/file:\/\/\/workspace\/test\/syntax\.test\.js.*SyntaxError/s);
});

test("a process that ends itself in a test is no pass", async () => {
  using project = new SampleProject({
    ...PRICE,
    "test/exit.test.js": "import test from 'node:test';\ntest('a', () => {});\ntest('b', () => process.exit(0));\n",
    "test/good.test.js": "import test from 'node:test';\ntest('a', () => {});\n",
  });
  const report = await project.run(javascript());
  expect(report.exitCode).toBe(0);
  expect(outcomes(report)["test/exit.test.js::file"]).toBe("error");
  expect(passes(report)).toBe(false);
});

test("what goes wrong after a test or in a hook is red", async () => {
  using project = new SampleProject({
    ...PRICE,
    "test/late.test.js":
      "import test from 'node:test';\ntest('a', () => { setTimeout(() => { throw new Error('late'); }, 5); });\n",
    "test/hook.test.js":
      "import { describe, it, before } from 'node:test';\ndescribe('S', () => { before(() => { throw new Error('hook'); }); it('a', () => {}); });\n",
  });
  const report = await project.run(javascript());
  expect(outcomes(report)).toMatchObject({ "test/hook.test.js::S": "error", "test/hook.test.js::S > a": "error" });
  const late = await project.run(javascript(), { files: ["test/late.test.js"] });
  expect(passes(late)).toBe(false);
});

test("runs only the files that are named", async () => {
  const file = "import test from 'node:test';\ntest('a', () => {});\n";
  using project = new SampleProject({
    ...PRICE,
    "test/a.test.js": file,
    "test/b.test.js": "throw new Error('never');\n",
  });
  const report = await project.run(javascript(), { files: ["test/a.test.js"] });
  expect(outcomes(report)).toEqual({ "test/a.test.js::a": "passed" });
  expect(passes(report)).toBe(true);
});

test("no tests, or a missing file, is no pass", async () => {
  using project = new SampleProject(PRICE);
  expect(await project.run(javascript())).toMatchObject({ ending: "completed", tests: [] });
  const missing = await project.run(javascript(), { files: ["test/gone.test.js"] });
  expect(missing).toMatchObject({ ending: "crashed", tests: [] });
  expect(missing.output).toContain("test/gone.test.js");
});

test("a test that never ends is a timeout and says where", async () => {
  using project = new SampleProject({
    ...PRICE,
    "test/a.test.js": "import test from 'node:test';\ntest('ever', () => { for (;;); });\n",
  });
  const report = await project.run(javascript(), { limits: { timeoutMs: 2_000 } });
  expect(report).toMatchObject({ ending: "timeout", tests: [] });
  expect(report.output).toContain("still running: test/a.test.js::file");
});

test("keeps the options of the user's own node --test script", async () => {
  const manifest = {
    type: "module",
    scripts: { test: "node --import ./setup.js --test --test-reporter dot spec/*.js" },
  };
  using project = new SampleProject({
    "package.json": JSON.stringify(manifest),
    "setup.js": "globalThis.ready = true;\n",
    "spec/a.js":
      "import test from 'node:test';\nimport assert from 'node:assert';\ntest('a', () => assert(globalThis.ready));\n",
    "test/b.test.js": "throw new Error('not meant by the script');\n",
  });
  const report = await project.run(javascript());
  expect(outcomes(report)).toEqual({ "spec/a.js::a": "passed" });
});

test("reads what vitest reports", async () => {
  using project = new SampleProject({
    "src/price.js": PRICE["src/price.js"],
    "test/a.test.js": `
import { describe, expect, test } from "vitest";
import { total } from "../src/price.js";
test("adds", () => expect(total([1, 2])).toBe(3));
describe("a group", () => {
  test("is wrong", () => expect(total([1])).toBe(2));
  test.skip("waits", () => {});
});
`,
    "test/b.test.js": "import './gone.js';\n",
  });
  using user = withPackages(project, "vitest run");
  const language = javascript();
  const first = await project.run(language, { directory: user.directory });
  expect(first).toMatchObject({ ending: "completed", exitCode: 1, command: "vitest run" });
  expect(outcomes(first)).toEqual({
    "test/a.test.js::adds": "passed",
    "test/a.test.js::a group > is wrong": "failed",
    "test/a.test.js::a group > waits": "skipped",
    "test/b.test.js::file": "error",
  });
  expect(first.tests.find((one) => one.outcome === "failed")?.message).toContain("expected 1 to be 2");
  expect(withoutTimes(await project.run(language, { directory: user.directory }))).toEqual(withoutTimes(first));
});

test("jest runs as its script says, with the report, and without snapshots that nobody keeps", () => {
  const node = { mounts: [], path: [], env: {}, versions: {}, runner: "jest", script: "jest --runInBand" };
  const { argv, display } = javascript().testRun(["test/a.test.js"], node);
  expect(argv[2]).toMatch(/; jest "\$first" --runInBand "\$@" --runTestsByPath 'test\/a\.test\.js'$/);
  expect(argv).toEqual(expect.arrayContaining(["--json", "--ci", "--no-bail"]));
  expect(display).toBe("jest --runInBand test/a.test.js");
});

test("options that end a run early, watch or report are left out, and named files replace the script's own", () => {
  const line = (runner: string, script: string, files: string[] = []) =>
    javascript()
      .testRun(files, { mounts: [], path: [], env: {}, versions: {}, runner, script })
      .argv[2]?.split("; ")
      .at(-1);
  expect(line("mocha", "mocha --bail -R dot --timeout 5000 'test/*.js'")).toBe(
    `mocha "$first" --timeout 5000 "$@" 'test/*.js'`,
  );
  expect(line("mocha", "mocha -r esm test", ["test/a.js"])).toBe(`mocha "$first" -r esm "$@" 'test/a.js'`);
  expect(line("vitest", "vitest --coverage --bail=1 -u src")).toBe('vitest "$first" "$@" src');
  expect(line("node:test", "A=1 node --test-reporter spec --import=tsx --test 'test/**/*.ts'")).toBe(
    `A=1 node "$first" --import=tsx --test "$@" 'test/**/*.ts'`,
  );
  expect(line("jest", "NODE_OPTIONS=--no-warnings jest --bail 1 --coverage src")).toBe(
    'NODE_OPTIONS="$NODE_OPTIONS "--no-warnings jest "$first" "$@" src',
  );
});

test("programs that print TAP are read test by test, each file in its own process, after what is built", async () => {
  const manifest = {
    scripts: { pretest: "node build.cjs", test: "node test/a.cjs test/b.cjs | tap-spec" },
    devDependencies: { tape: "5" },
  };
  using project = new SampleProject({
    "package.json": JSON.stringify(manifest),
    "build.cjs": 'require("node:fs").writeFileSync("built.cjs", "module.exports = 1;");\n',
    "test/a.cjs":
      'console.log("TAP version 13\\n# one\\nok 1 x\\n# two\\nnot ok 2 y\\n1..2");\nrequire("../built.cjs");\nprocess.exitCode = 1;\n',
    "test/b.cjs": 'throw new Error("broken");\n',
  });
  using user = withPackages(project);
  project.write("package.json", JSON.stringify(manifest));
  user.write("package.json", JSON.stringify(manifest));
  const report = await project.run(javascript(), { directory: user.directory });
  expect(outcomes(report)).toEqual({
    "test/a.cjs::one": "passed",
    "test/a.cjs::two": "failed",
    "test/b.cjs::file": "error",
  });
  const one = await project.run(javascript(), { directory: user.directory, files: ["test/b.cjs"] });
  expect(outcomes(one)).toEqual({ "test/b.cjs::file": "error" });
});

test.each([
  ["the script", "vitest run --typecheck", {}],
  [
    "the configuration",
    "vitest run",
    { "vitest.config.mjs": "export default { test: { typecheck: { enabled: true } } };\n" },
  ],
])("vitest checks types where %s says so, though the packages are read-only", async (_, script, files) => {
  using project = new SampleProject({
    ...files,
    "tsconfig.json":
      '{ "compilerOptions": { "strict": true, "module": "nodenext", "skipLibCheck": true, "types": [] } }\n',
    "checks/a.test-d.ts":
      'import { expectTypeOf, test } from "vitest";\n' + 'test("holds", () => expectTypeOf(1).toBeNumber());\n',
  });
  using user = withPackages(project, script);
  for (const [path, content] of Object.entries(files)) user.write(path, content);
  const report = await project.run(javascript(), { directory: user.directory });
  expect(
    report.tests.map(({ outcome }) => outcome),
    report.output,
  ).toEqual(["passed"]);
});

test("vitest loads a configuration that it must bundle, though the packages are read-only", async () => {
  using project = new SampleProject({
    "vitest.config.ts":
      'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { include: ["checks/*.ts"] } });\n',
    "checks/a.ts": 'import { expect, test } from "vitest";\ntest("adds", () => expect(1 + 1).toBe(2));\n',
  });
  using user = withPackages(project, "vitest");
  const report = await project.run(javascript(), { directory: user.directory });
  expect(outcomes(report)).toEqual({ "checks/a.ts::adds": "passed" });
});

test("any other runner is one test, which passes by its exit code", async () => {
  using project = new SampleProject({ "check.sh": "test -e ok || { echo broken; exit 3; }\n" });
  using user = withPackages(project, "bash check.sh");
  const language = javascript();
  const red = await project.run(language, { directory: user.directory });
  expect(red).toMatchObject({
    ending: "completed",
    exitCode: 3,
    tests: [{ id: "package.json::bash check.sh", outcome: "failed" }],
  });
  expect(red.tests[0]?.message).toContain("broken");
  project.write("ok", "");
  expect(passes(await project.run(language, { directory: user.directory }))).toBe(true);
});

test("says what to do when the packages a runner needs are not installed", async () => {
  using project = new SampleProject({ "package.json": JSON.stringify({ scripts: { test: "jest" } }) });
  await expect(javascript().toolchain(project.directory)).rejects.toThrow("run npm install");
});

test("names test files as the project does", () => {
  const language = javascript();
  expect(language.testPath("line-parser", [])).toBe("test/line-parser.test.js");
  expect(language.testPath("parser", ["src/a.test.ts"])).toBe("src/parser.test.ts");
  expect(language.testPath("parser", ["tests/a.spec.mjs"])).toBe("tests/parser.spec.mjs");
});

test("knows a test file", () => {
  const language = javascript();
  const yes = ["test/a.js", "src/a.test.ts", "a.spec.mjs", "test-a.js", "a_test.cjs", "__tests__/a.js"];
  const no = ["src/a.js", "latest.js", "test/data.json", "contest/a.js"];
  expect(yes.filter((path) => !language.isTestFile(path))).toEqual([]);
  expect(no.filter((path) => language.isTestFile(path))).toEqual([]);
});
