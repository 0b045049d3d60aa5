import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { EnvironmentPlace, outcomes } from "../../test/environment-place.ts";
import type { MadePackage } from "../../test/package-index.ts";

/** Installing takes its time on a busy machine. */
vi.setConfig({ testTimeout: 180_000 });

const wheel = (name: string, version: string, more: Partial<MadePackage> = {}): MadePackage => ({
  language: "python",
  name,
  version,
  files: { [`${name}.py`]: `VERSION = "${version}"\n` },
  ...more,
});
const PACKAGES: MadePackage[] = [
  wheel("tiny", "1.0"),
  wheel("tiny", "2.0"),
  wheel("upper", "1.0", { requires: ["tiny"] }),
  wheel("needy", "1.0", { requires: ["not-there"] }),
  {
    language: "javascript",
    name: "small",
    version: "1.0.0",
    files: { "index.js": "module.exports = 'one';\n" },
    scripts: { postinstall: "touch /workspace/node_modules/script-ran" },
  },
  { language: "javascript", name: "small", version: "2.0.0", files: { "index.js": "module.exports = 'two';\n" } },
];

let place: EnvironmentPlace;

beforeAll(async () => {
  place = await EnvironmentPlace.open(PACKAGES);
});
afterAll(() => place[Symbol.asyncDispose]());
beforeEach(() => place.clear());

const python = (files: Record<string, string>) => place.house("python", files);
const javascript = (files: Record<string, string>) => place.house("javascript", files);

test("tests see the packages that a manifest asks for, and the runner that it does not name", async () => {
  const housing = await python({ "requirements.txt": "upper\n" });
  expect(housing).toMatchObject({ kind: "built", record: { packages: { tiny: "2.0", upper: "1.0" } } });
  const report = await place.tests("python", housing, {
    "test_own.py": [
      "import pathlib, tiny, upper, pytest",
      "def test_version(): assert tiny.VERSION == '2.0'",
      "def test_nothing_else():",
      "    with pytest.raises(ImportError): import yaml",
      "def test_read_only():",
      "    with pytest.raises(OSError): pathlib.Path(tiny.__file__).write_text('')",
    ].join("\n"),
  });
  expect(outcomes(report), report.output).toEqual(["passed", "passed", "passed"]);
});

test("trees with other lockfiles have other environments, and each is built once", async () => {
  const manifest = { "pyproject.toml": '[project]\nname = "own"\nversion = "1"\ndependencies = ["tiny>=1"]\n' };
  const lock = (version: string) => ({ "uv.lock": `[[package]]\nname = "tiny"\nversion = "${version}"\n` });
  const [old, now] = [await python({ ...manifest, ...lock("1.0") }), await python({ ...manifest, ...lock("2.0") })];
  expect([old, now]).toMatchObject([
    { record: { packages: { tiny: "1.0" } } },
    { record: { packages: { tiny: "2.0" } } },
  ]);
  place.index.takeAsked();
  expect(await python({ ...manifest, ...lock("1.0"), "main.py": "" })).toEqual(old);
  expect(place.index.takeAsked()).toEqual([]);
  expect(place.directories.list()).toHaveLength(2);
});

test("packages that are installed and fit are used as they are", async () => {
  expect(await python({ "requirements.txt": "pytest>=7\nattrs\ntomli; python_version < '3.0'\n" })).toEqual({
    kind: "own",
  });
  expect(await python({ "requirements.txt": "" })).toEqual({ kind: "own" });
  expect(await javascript({ "package.json": '{"scripts":{"test":"node --test"}}' })).toEqual({ kind: "own" });
  expect(place.directories.list()).toEqual([]);
});

test("what cannot be had is named in one line, and leaves nothing behind", async () => {
  const housing = await python({ "requirements.txt": "tiny==3.0\n" });
  expect(housing).toMatchObject({ kind: "missing", problem: expect.stringContaining("tiny==3.0 cannot be had") });
  expect(place.directories.list()).toEqual([]);
  expect(readdirSync(place.directories.root).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a version of the lockfile that cannot be had is named", async () => {
  const lock = '[[package]]\nname = "tiny"\nversion = "3.0"\n';
  expect(await python({ "requirements.txt": "tiny\n", "uv.lock": lock })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("tiny cannot be had in the versions that manifest and lockfile ask for"),
  });
});

test("what only tests or developers need is left out where it cannot be had, and said; what the project needs is not", async () => {
  const files = {
    "pyproject.toml":
      '[project]\nname = "own"\nversion = "1"\ndependencies = ["tiny==2.0"]\n\n[dependency-groups]\ndev = ["gone-tool==1.0"]\n',
    "requirements-dev.txt": "other-tool\nneedy\n",
  };
  // The same packages, asked for in other words.
  const bare = { "pyproject.toml": '[project]\nname = "own"\nversion = "1"\ndependencies = ["tiny==2.0"]\n' };
  expect(await python(bare)).toMatchObject({ kind: "built", record: { left: [], from: ["pyproject.toml"] } });
  const housing = await python(files);
  expect(housing).toMatchObject({
    kind: "built",
    record: {
      packages: { tiny: "2.0" },
      left: ["gone-tool==1.0, which cannot be had", "other-tool, which cannot be had", "needy, which cannot be had"],
    },
  });
  place.index.takeAsked();
  expect(await python(files)).toEqual(housing);
  expect(place.index.takeAsked()).toEqual([]);
  const found = place.recipe("python", files);
  expect(found && place.environments().built(found)).toMatchObject({ packages: { tiny: "2.0" } });
  const own = { ...files, "pyproject.toml": files["pyproject.toml"].replace("tiny==2.0", "gone-tool") };
  expect(await python(own)).toMatchObject({ kind: "missing", problem: expect.stringContaining("gone-tool") });
});

test("what could not be had is not tried by every command, and is tried when a person asks", async () => {
  const files = { "requirements.txt": "tiny==3.0\n" };
  await python(files);
  place.index.takeAsked();
  expect(await python(files)).toMatchObject({
    problem: expect.stringContaining("`miracle env build` tries again"),
  });
  expect(place.index.takeAsked()).toEqual([]);
  const found = place.recipe("python", files);
  if (!found) throw new Error("no recipe");
  expect(await place.environments().build(found, true)).toMatchObject({ kind: "missing" });
  expect(place.index.takeAsked()).toContain("/simple/tiny/");
});

test("a package without the hash of the manifest is refused, one with it is taken", async () => {
  const line = (sum: string) => ({ "requirements.txt": `tiny==1.0 \\\n    --hash=sha256:${sum}\n` });
  expect(await python(line(place.index.sha256("tiny", "1.0")))).toMatchObject({ kind: "built" });
  expect(await python(line("0".repeat(64)))).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("tiny==1.0 does not have the hash"),
  });
});

test("npm installs exactly the lockfile, and no script of a package runs", async () => {
  const files = {
    "package.json": JSON.stringify({ name: "own", version: "1.0.0", dependencies: { small: "^1.0.0" } }),
    "package-lock.json": JSON.stringify({
      name: "own",
      version: "1.0.0",
      lockfileVersion: 3,
      packages: {
        "": { name: "own", version: "1.0.0", dependencies: { small: "^1.0.0" } },
        "node_modules/small": {
          version: "1.0.0",
          integrity: place.index.integrity("small", "1.0.0"),
          hasInstallScript: true,
        },
      },
    }),
  };
  const housing = await javascript(files);
  expect(housing, JSON.stringify(housing)).toMatchObject({ kind: "built", record: { packages: { small: "1.0.0" } } });
  const report = await place.tests("javascript", housing, {
    "own.test.cjs": [
      "const { test } = require('node:test'); const assert = require('node:assert');",
      "test('package', () => assert.equal(require('small'), 'one'));",
      "test('script', () => assert.ok(!require('node:fs').existsSync('/workspace/node_modules/script-ran')));",
    ].join("\n"),
  });
  expect(outcomes(report), report.output).toEqual(["passed", "passed"]);

  const forged = files["package-lock.json"].replace(/"integrity":"[^"]*"/, `"integrity":"sha512-${"A".repeat(86)}=="`);
  expect(await javascript({ ...files, "package-lock.json": forged })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("hash of the lockfile"),
  });
});

test("node_modules of the project are used while they are those of the lockfile", async () => {
  const lock = (version: string) =>
    JSON.stringify({ lockfileVersion: 3, packages: { "": {}, "node_modules/small": { version } } });
  const manifest = JSON.stringify({ name: "own", dependencies: { small: "*" } });
  mkdirSync(join(place.project, "node_modules/small"), { recursive: true });
  writeFileSync(join(place.project, "node_modules/.package-lock.json"), lock("1.0.0"));
  const asked = (version: string) =>
    place.recipe("javascript", { "package.json": manifest, "package-lock.json": lock(version) });
  expect(asked("1.0.0")).toMatchObject({ fits: true });
  expect(asked("2.0.0")).toMatchObject({ fits: false });
});

test("an environment that was cut off while it was built is built anew, and its rests go", async () => {
  const draft = place.directories.begin("python-0123456789abcdef");
  utimesSync(draft, 0, 0);
  expect(place.directories.list()).toEqual([]);
  expect(await python({ "requirements.txt": "tiny\n" })).toMatchObject({ kind: "built" });
  expect(readdirSync(place.directories.root)).toHaveLength(1);
});
