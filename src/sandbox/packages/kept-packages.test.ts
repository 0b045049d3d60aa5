import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SampleRegistry } from "../../../test/sample-registry.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import { droppedIdentity } from "../identity.ts";
import { NetworkedSandbox } from "../network/networked-sandbox.ts";
import { networkParts } from "../network/run-with-network.ts";
import { openBubblewrap } from "../open-sandbox.ts";
import type { NetworkRequest } from "../sandbox.ts";

const LIMITS: SandboxLimits = {
  cpus: 2,
  memoryMb: 1024,
  pids: 128,
  diskMb: 256,
  timeoutMs: 60_000,
  outputBytes: 20_000,
};
const owner = droppedIdentity()?.uid ?? process.getuid?.() ?? 0;

let registry: SampleRegistry;
let directory: string;
let isOnline = true;
let reports: NetworkRequest[] = [];
let sandbox: NetworkedSandbox;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "miracle-packages-"));
  chownSync(directory, owner, owner);
  registry = await SampleRegistry.listen();
  const places = {
    directory: join(directory, "kept"),
    own: { pip: join(directory, "pip"), npm: join(directory, "npm"), go: join(directory, "go") },
  };
  const parts = {
    ...networkParts(),
    // Names end at a registry of this test, or nowhere at all.
    resolve: async () => (isOnline ? ["127.0.0.1"] : []),
    isPublic: () => true,
    secure: async (socket: Socket) => socket,
  };
  sandbox = new NetworkedSandbox(openBubblewrap(), places, parts);
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

async function install(line: string, registries: Record<string, string[]>, files: Record<string, string> = {}) {
  const workspace = mkdtempSync(join(directory, "workspace-"));
  chownSync(workspace, owner, owner);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(workspace, name), text);
    chownSync(join(workspace, name), owner, owner);
  }
  reports = [];
  const hosts = Object.values(registries).flat();
  const network = { hosts, registries, onRequest: (request: NetworkRequest) => reports.push(request) };
  const env = { npm_config_ignore_scripts: "true", GOSUMDB: "off", GOFLAGS: "-mod=mod", GOCACHE: "/tmp/go" };
  const command = { argv: ["bash", "-c", line], workspace, network, env };
  const result = await sandbox.run(command, LIMITS, new AbortController().signal);
  return { ...result, workspace, output: result.stdout + result.stderr };
}

const has = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: "ignore", env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp" } });
    return true;
  } catch {
    return false;
  }
};

const python = () => ({ python: [`index.test:${registry.port}`, `files.test:${registry.port}`] });
const javascript = () => ({ javascript: [`packages.test:${registry.port}`] });
const go = () => ({ go: [`modules.test:${registry.port}`] });

interface Manager {
  name: string;
  installed: boolean;
  line: string;
  files: Record<string, string>;
  registries: () => Record<string, string[]>;
  says: string;
  archive: string;
}

const MANAGERS: Manager[] = [
  {
    name: "pip",
    installed: has("python3", "-m", "pip", "--version"),
    line: "python3 -m pip install -q --target lib tiny && PYTHONPATH=lib python3 -c 'import tiny; print(tiny.WORD)'",
    files: {},
    registries: python,
    says: "from the wheel",
    archive: ".whl",
  },
  {
    name: "npm",
    installed: has("npm", "--version"),
    line: `npm install --silent tiny && node -p 'require("tiny")' && test ! -e /tmp/script-ran`,
    files: { "package.json": '{"name":"own","version":"1.0.0"}' },
    registries: javascript,
    says: "from the tarball",
    archive: ".tgz",
  },
  {
    name: "go",
    installed: has("go", "version"),
    line: "go get example.test/tiny@v1.0.0 && go run .",
    files: {
      "go.mod": "module own\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\n\t"example.test/tiny"\n)\n\nfunc main() { fmt.Println(tiny.Word) }\n',
    },
    registries: go,
    says: "from the module",
    archive: ".zip",
  },
];

describe.each(MANAGERS)("an install with $name", ({ installed, line, files, registries, says, archive }) => {
  test.runIf(installed)("works once more without a network", { timeout: 120_000 }, async () => {
    const first = await install(line, registries(), files);
    expect(first, first.output).toMatchObject({ exitCode: 0 });
    expect(first.stdout).toContain(says);
    expect(registry.takeAsked().some((request) => request.endsWith(archive))).toBe(true);

    isOnline = false;
    try {
      const offline = await install(line, registries(), files);
      expect(offline, offline.output).toMatchObject({ exitCode: 0 });
      expect(offline.stdout).toContain(says);
      expect(registry.takeAsked()).toEqual([]);
    } finally {
      isOnline = true;
    }
  });
});

test.runIf(has("npm", "--version"))(
  "what was released is asked for once, and a lock file keeps its true address",
  async () => {
    const { workspace } = await install("npm install --silent tiny", javascript(), {
      "package.json": '{"name":"own"}',
    });
    expect(registry.takeAsked()).toEqual(["GET /tiny"]);
    const lock = readFileSync(join(workspace, "package-lock.json"), "utf8");
    expect(lock).toContain(`https://packages.test:${registry.port}/tiny/-/tiny-1.0.0.tgz`);
  },
);

test("nothing inside can see or change what is kept, or send anything to the registry", async () => {
  const address = `http://packages.test:${registry.port}`;
  const { stdout } = await install(
    `ls -d ${directory} /run/*/kept 2>/dev/null; curl -s -o /dev/null -w '%{http_code} ' -X PUT -d evil ${address}/tiny;
     curl -s -o /dev/null -w '%{http_code} ' -H 'authorization: Bearer x' ${address}/none; curl -s --path-as-is ${address}/../../etc/passwd`,
    javascript(),
  );
  expect(stdout.trim()).toBe("405 404");
  expect(registry.takeAsked().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("what was never fetched is told as that when there is no network", async () => {
  isOnline = false;
  try {
    const { stdout } = await install(`curl -s http://packages.test:${registry.port}/unheard-of`, javascript());
    expect(stdout).toContain("was never fetched before");
    expect(reports).toEqual([expect.objectContaining({ host: "packages.test", allowed: false })]);
  } finally {
    isOnline = true;
  }
});

test.skipIf(!has("curl", "--version"))("a tunnel to where a registry is asked plainly ends at the mirror", async () => {
  const address = `http://packages.test:${registry.port}/tiny/-/tiny-1.0.0.tgz`;
  const line = `curl -sS --fail --proxytunnel ${address} ${address} | wc -c`;
  isOnline = true;
  const first = await install(line, javascript());
  registry.takeAsked();
  isOnline = false;
  const again = await install(line, javascript());
  isOnline = true;
  expect(Number(first.stdout)).toBeGreaterThan(100);
  expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
  expect(registry.takeAsked()).toEqual([]);
  expect(reports.map(({ method, allowed }) => ({ method, allowed }))).toEqual([
    { method: "GET", allowed: true },
    { method: "GET", allowed: true },
  ]);
});
