import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { EnvironmentPlace, outcomes } from "../../test/environment-place.ts";
import { missingPackages } from "./more-of-project.ts";

vi.setConfig({ testTimeout: 180_000 });

const FILE = ".miracle/environment.yaml";
let place: EnvironmentPlace;
beforeAll(async () => {
  const one = (name: string) => ({
    language: "python" as const,
    name,
    version: "1.0",
    files: { [`${name}.py`]: "X = 1\n" },
  });
  place = await EnvironmentPlace.open([one("tiny"), one("named")]);
});
afterAll(() => place[Symbol.asyncDispose]());
beforeEach(() => place.clear());

test("its commands install what no manifest names, from files that they name", async () => {
  const files = {
    [FILE]: "commands: [pip install -q -r ci/deps.txt, echo $MODE > .venv/mode]\nvariables: { MODE: it's }\n",
    "ci/deps.txt": "tiny\n",
  };
  const housing = await place.house("python", files);
  expect(housing, JSON.stringify(housing)).toMatchObject({
    kind: "built",
    record: { packages: { tiny: "1.0" }, from: [FILE] },
  });
  const report = await place.tests("python", housing, {
    "test_own.py":
      "import tiny, pathlib\ndef test_it(): assert pathlib.Path('.venv/mode').read_text() == \"it's\\n\" and tiny.X == 1\n",
  });
  expect(outcomes(report), report.output).toEqual(["passed"]);
});

test("it has a part in the name: another command, variable or named file makes another environment", () => {
  const name = (text: string, deps = "") => place.recipe("python", { [FILE]: text, "deps.txt": deps })?.recipe.name;
  const commands = "commands: [pip install -r deps.txt]\n";
  const names = [
    name(commands),
    name(commands, "tiny\n"),
    name(`${commands}variables: { A: 1 }\n`),
    name("commands: [pip install tiny]\n"),
  ];
  expect(new Set(names).size).toBe(4);
  expect(name("variables: { A: 1 }\n")).toBeUndefined();
});

test("what is installed does not fit where commands have a say", () => {
  const files = { "requirements.txt": "pytest\n" };
  expect(place.recipe("python", files)).toMatchObject({ fits: true });
  expect(place.recipe("python", { ...files, [FILE]: "commands: ['true']\n" })).toMatchObject({ fits: false });
});

test.each([
  ["commands: ['exit 3']\n", "could not be built"],
  ["system: [never-heard-of-it]\n", "needs never-heard-of-it, not installed here: apt-get install never-heard-of-it"],
  ["comands: []\n", 'unknown key comands (did you mean "commands"?)'],
  ["commands: [curl -sS --fail http://evil.test/]\n", "evil.test"],
])("a file that cannot be followed is one line that says why: %j", async (text, says) => {
  const housing = await place.house("python", { [FILE]: text });
  expect(housing).toMatchObject({ kind: "missing", problem: expect.stringContaining(says) });
});

test("system packages are looked for where Debian keeps their names, and nowhere else", () => {
  const database = join(place.root, "info");
  mkdirSync(database, { recursive: true });
  for (const name of ["git.list", "libpq5:amd64.list"]) writeFileSync(join(database, name), "");
  expect(missingPackages(["git", "libpq5", "libxml2"], database)).toEqual(["libxml2"]);
  expect(missingPackages(["libxml2"], join(place.root, "none"))).toEqual([]);
});
