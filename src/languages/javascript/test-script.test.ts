import { expect, test } from "vitest";
import { otherRunners, scriptsOfTests, testCommandOf } from "./test-script.ts";

const of = (scripts: Record<string, string>, devDependencies: Record<string, string> = {}) =>
  testCommandOf(JSON.stringify({ scripts, devDependencies }));

test.each([
  ["jest", "jest", "jest"],
  [
    "NODE_OPTIONS=--experimental-vm-modules npx jest --runInBand",
    "jest",
    "NODE_OPTIONS=--experimental-vm-modules jest --runInBand",
  ],
  [
    "node --experimental-vm-modules node_modules/jest/bin/jest.js",
    "jest",
    "node --experimental-vm-modules node_modules/jest/bin/jest.js",
  ],
  ["jest && npm publish", "jest", "jest"],
  ["vitest run", "vitest", "vitest run"],
  ["cross-env X=1 vitest run", "vitest", "X=1 vitest run"],
  ["node --import tsx --test", "node:test", "node --import tsx --test"],
  [
    "node --import=tsx/esm --test --test-reporter spec 'test/**/*.ts'",
    "node:test",
    "node --import=tsx/esm --test --test-reporter spec 'test/**/*.ts'",
  ],
  ["c8 node --test", "node:test", "node --test"],
  ["c8 --reporter lcov --all mocha", "mocha", "mocha"],
  ["nyc --reporter=text ./node_modules/.bin/_mocha -t 5000", "mocha", "./node_modules/.bin/_mocha -t 5000"],
  ["mocha --recursive", "mocha", "mocha --recursive"],
  ["xo && ava && tsd", "ava", "ava"],
  ["xo && c8 ava && tsd", "ava", "ava"],
  ["tap", "tap", "tap"],
  ["tape 'test/*.js' | tap-spec", "tape", "tape 'test/*.js'"],
  ["uvu -r esm test", "uvu", "uvu -r esm test"],
  ["pnpm vitest run", "vitest", "vitest run"],
  ["yarn exec jest", "jest", "jest"],
])("%s is run by %s as %s", (script, runner, command) => {
  expect(of({ test: script })).toEqual({ runner, script: command, before: [] });
});

test.each([
  "jest-light",
  "bash check.sh",
  "echo jest",
  "eslint mocha",
  "(cd packages && mocha)",
  "npm run gone",
  'sh -c "mocha',
])("%s has no runner that we know: it is run whole", (script) =>
  expect(of({ test: script })).toEqual({ runner: "script", script, before: [] }),
);

test("scripts that a script runs are followed, with what they are given and the variables that are set", () => {
  expect(
    of({ test: "npm run lint && npm run unit -- --exit", lint: "eslint .", unit: "mocha --timeout 5000" }),
  ).toEqual({
    runner: "mocha",
    script: "mocha --timeout 5000 --exit",
    before: [],
  });
  expect(of({ test: "cross-env A=1 npm run unit", unit: "B=2 jest" }).script).toBe("A=1 B=2 jest");
  expect(of({ test: "run-s lint test:*", lint: "xo", "test:unit": "ava" }).script).toBe("ava");
  expect(of({ test: "pnpm lint && pnpm unit", lint: "oxlint", unit: "vitest" }).script).toBe("vitest");
  expect(of({ test: "npm test" })).toMatchObject({ runner: "script" });
});

test("what is built before the tests is kept, what only looks at the code is not", () => {
  expect(
    of({ pretest: "npm run build", build: "rimraf dist && tsc", test: "eslint . && tsc --noEmit && mocha dist" }),
  ).toEqual({
    runner: "mocha",
    script: "mocha dist",
    before: ["rimraf dist", "tsc"],
  });
  expect(of({ test: "cd test && ava" }).before).toEqual(["cd test"]);
  expect(of({ test: "node make.js --all > made.js 2>&1 && ava > out.txt" })).toMatchObject({
    script: "ava",
    before: ["node make.js --all > made.js 2>&1"],
  });
});

test("a plain program speaks TAP where the project has a package for it", () => {
  expect(of({ test: "node test/index.js" }).runner).toBe("script");
  expect(of({ test: "node -r esm test/index.js" }, { tape: "5" })).toMatchObject({ runner: "tape" });
});

test("a program of its own whose word is test starts the one runner that is installed", () => {
  expect(of({ test: "ts-scripts test" }, { vitest: "4" })).toEqual({ runner: "vitest", script: "vitest", before: [] });
  expect(of({ test: "ts-scripts test && npm run size", size: "size-limit" }, { vitest: "4" }).runner).toBe("vitest");
  expect(of({ test: "ts-scripts test && bash x.sh" }, { vitest: "4" }).runner).toBe("script");
  expect(of({ test: "ts-scripts test" }, { vitest: "4", mocha: "11" }).runner).toBe("script");
  expect(of({ test: "bash check.sh" }, { vitest: "4" }).runner).toBe("script");
});

test("without a script the installed runner is used", () => {
  expect(of({}, { ava: "6" })).toEqual({ runner: "ava", script: "ava", before: [] });
  expect(testCommandOf("{")).toEqual({ runner: "node:test", script: null, before: [] });
  expect(of({ test: 'echo "Error: no test specified" && exit 1' }).script).toBeNull();
});

test("of several commands of a runner the one that runs everything counts, or all that differ in their files alone", () => {
  const zones = {
    test: "TZ=A npm run zone && TZ=B npm run zone && date && jest --coverage",
    zone: "jest test/zone.test",
  };
  expect(of(zones)).toEqual({ runner: "jest", script: "jest --coverage", before: ["date"] });
  expect(otherRunners(JSON.stringify({ scripts: zones }))).toEqual(["TZ=A jest test/zone.test"]);
  const parts = { test: "npm run specs && npm run unit && node --test --watch x.js && node --test --import=tsx y.ts" };
  const scripts = {
    ...parts,
    specs: "node --test --test-reporter=spec specs.js",
    unit: "c8 node --test unit/*.test.js",
  };
  expect(of(scripts).script).toBe("node --test --test-reporter=spec specs.js unit/*.test.js x.js");
  expect(otherRunners(JSON.stringify({ scripts }))).toEqual(["node --test --import=tsx y.ts"]);
});

test("runners behind the first are told: their tests are not run", () => {
  expect(otherRunners(JSON.stringify({ scripts: { test: "xo && c8 ava && npm run b", b: "A=1 mocha x" } }))).toEqual([
    "A=1 mocha x",
  ]);
  expect(otherRunners(JSON.stringify({ scripts: { test: "jest && tsd" } }))).toEqual([]);
});

test("all scripts that a test script runs are known", () => {
  const scripts = { test: "npm run a && npm run b", a: "eslint", b: "npm run c", c: "mocha", pretest: "x", d: "rm" };
  expect(scriptsOfTests(JSON.stringify({ scripts }))).toEqual(["a", "b", "c", "pretest", "test"]);
});
