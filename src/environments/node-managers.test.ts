import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { EnvironmentPlace, outcomes, treeOf } from "../../test/environment-place.ts";
import { type MadePackage, type RealPackage, sandboxOwner } from "../../test/package-index.ts";
import { nodeItself } from "../languages/javascript/find-node.ts";
import { nodeModulesFit } from "./fits-node.ts";
import { type ManagerProgram, managerFiles, programFor } from "./manager-programs.ts";
import { nodeNeeds } from "./node-needs.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const PACKAGES: MadePackage[] = [
  {
    language: "javascript",
    name: "small",
    version: "1.0.0",
    files: { "index.js": "module.exports = 'one';\n" },
    scripts: { postinstall: "touch /workspace/node_modules/script-ran" },
  },
  { language: "javascript", name: "small", version: "2.0.0", files: { "index.js": "module.exports = 'two';\n" } },
];

const program = (...of: Parameters<typeof programFor>): ManagerProgram => {
  const found = programFor(...of);
  if (!found) throw new Error(`nobody reads ${of.join()}`);
  return found;
};
const PNPM = program("pnpm-lock.yaml", "lockfileVersion: '9.0'\n", "");
const CLASSIC = program("yarn.lock", "# yarn lockfile v1\n", "");
const BERRY = program("yarn.lock", "__metadata:\n  version: 8\n", "");

let place: EnvironmentPlace;
const managers = fetchAll([PNPM, CLASSIC, BERRY]);
beforeAll(async () => {
  place = await EnvironmentPlace.open(PACKAGES, managers ?? []);
});
afterAll(() => place[Symbol.asyncDispose]());
beforeEach(({ skip }) => {
  if (!managers) skip("npm's registry cannot be reached, and pnpm and yarn come from there");
  place.clear();
});

function fetchAll(programs: readonly ManagerProgram[]): RealPackage[] | null {
  try {
    return programs.map(fetched);
  } catch {
    return null;
  }
}

/** The manager itself is no package that a test could make: it comes from npm's registry or npm's cache. */
function fetched({ name, version }: ManagerProgram): RealPackage {
  const directory = mkdtempSync(join(tmpdir(), "miracle-manager-"));
  try {
    const options = ["--prefer-offline", "--silent", "--pack-destination", directory];
    execFileSync("npm", ["pack", `${name}@${version}`, ...options], { stdio: "pipe" });
    return { name, version, body: readFileSync(join(directory, readdirSync(directory)[0] ?? "")) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A lockfile as the manager writes it. */
async function lockOf(manager: ManagerProgram, files: Record<string, string>, install: string): Promise<string> {
  const workspace = join(place.root, "locking");
  rmSync(workspace, { recursive: true, force: true });
  for (const [path, content] of [
    ...Object.entries(files),
    ...managerFiles(manager).map(({ path, content }) => [path, content] as const),
  ]) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  if (sandboxOwner) execFileSync("chown", ["-R", `${sandboxOwner.uid}:${sandboxOwner.gid}`, workspace]);
  const { registries } = place.index;
  const run = `node .manager/node_modules/${manager.name}/${manager.program}`;
  const lock = manager === PNPM ? "pnpm-lock.yaml" : "yarn.lock";
  const result = await place.sandbox.run(
    {
      argv: ["bash", "-ec", `npm ci --silent --prefix .manager; YARN_HTTP_PROXY=$http_proxy ${run} ${install}`],
      workspace,
      ...nodeItself(process),
      env: { npm_config_replace_registry_host: "always" },
      network: { hosts: registries.javascript, registries: { javascript: registries.javascript } },
    },
    { cpus: 2, memoryMb: 2048, pids: 128, diskMb: 512, timeoutMs: 120_000, outputBytes: 20_000 },
    new AbortController().signal,
  );
  if (!existsSync(join(workspace, lock)) || result.exitCode !== 0) throw new Error(`${result.stdout}${result.stderr}`);
  return readFileSync(join(workspace, lock), "utf8");
}

/** A monorepo of two packages, one of which uses the other. */
const monorepo = (link: string): Record<string, string> => ({
  "package.json": JSON.stringify({
    name: "own",
    private: true,
    workspaces: ["packages/*"],
    scripts: { test: "node --test" },
  }),
  "pnpm-workspace.yaml": "packages: [packages/*]\nregistry: https://evil.test/\n",
  "packages/a/package.json": JSON.stringify({ name: "own-a", version: "1.0.0", dependencies: { small: "^1.0.0" } }),
  "packages/b/package.json": JSON.stringify({ name: "own-b", version: "1.0.0", dependencies: { "own-a": link } }),
});
const CODE = {
  "packages/a/index.js": "module.exports = require('small');\n",
  "packages/b/own.test.cjs": [
    "const { test } = require('node:test'); const assert = require('node:assert');",
    "test('package', () => assert.equal(require('own-a'), 'one'));",
    "test('script', () => assert.ok(!require('node:fs').existsSync('/workspace/node_modules/script-ran')));",
  ].join("\n"),
};

const classicLock = () => `# yarn lockfile v1


small@^1.0.0:
  version "1.0.0"
  resolved "https://registry.evil.test/small/-/small-1.0.0.tgz"
  integrity ${place.index.integrity("small", "1.0.0")}
`;
/** The rest is written by the manager itself. */
const SEED = `__metadata:
  version: 8
  cacheKey: 10c0

"small@npm:^1.0.0":
  version: 1.0.0
  resolution: "small@npm:1.0.0"
  languageName: node
  linkType: hard
`;
const PLAIN = { "pnpm-workspace.yaml": "packages: [packages/*]\n" };

test.each([
  [
    "pnpm",
    "pnpm-lock.yaml",
    "workspace:*",
    (files: Record<string, string>) => lockOf(PNPM, { ...files, ...PLAIN }, "install --lockfile-only"),
  ],
  ["classic yarn", "yarn.lock", "1.0.0", async () => classicLock()],
  [
    "modern yarn",
    "yarn.lock",
    "workspace:*",
    (files: Record<string, string>) =>
      lockOf(BERRY, { ...files, "yarn.lock": SEED }, "install --no-immutable --mode=skip-build"),
  ],
])("%s installs exactly its lockfile for each package of a workspace, and no script runs", async (...given) => {
  const [, lock, link, makeLock] = given;
  const files = monorepo(link);
  const text = await makeLock(files);
  const tree = { ...files, [lock]: text };
  const housing = await place.house("javascript", tree);
  expect(housing, JSON.stringify(housing)).toMatchObject({
    kind: "built",
    record: { packages: { small: "1.0.0" }, locked: true, from: expect.arrayContaining([lock]) },
  });
  const report = await place.tests("javascript", housing, { ...files, ...CODE });
  expect(outcomes(report), report.output).toEqual(["passed", "passed"]);

  const directory = housing.kind === "built" ? housing.directory : "";
  const fits = (given: Record<string, string>) => nodeModulesFit(directory, nodeNeeds(treeOf(given)) ?? expect.fail());
  expect(fits(tree)).toBe(true);
  expect(fits({ ...files, [lock]: text.replaceAll(/(small\S*)1\.0\.0/g, (_, name: string) => `${name}9.9.9`) })).toBe(
    false,
  );

  const forged = text.replace(/(sha512-)[\w+/]{8}|(checksum: \S+\/)[\w]{8}/, "$1$2AAAAAAAA");
  expect(forged).not.toBe(text);
  expect(await place.house("javascript", { ...files, [lock]: forged })).toMatchObject({
    kind: "missing",
    problem: expect.stringMatching(/small\S* does not have the hash of the lockfile/),
  });
  const stale = files["packages/a/package.json"]?.replace("^1.0.0", "^2.0.0") ?? "";
  expect(await place.house("javascript", { ...tree, "packages/a/package.json": stale })).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining(`${lock} does not fit package.json`),
  });
});

test("without a lockfile the newest are installed, and that is said", async () => {
  const manifest = JSON.stringify({ name: "own", dependencies: { small: "*" } });
  const housing = await place.house("javascript", { "package.json": manifest, "bun.lock": "{}" });
  expect(housing).toMatchObject({
    record: { packages: { small: "2.0.0" }, locked: false, left: ["bun.lock: its form is not read here"] },
  });
});
