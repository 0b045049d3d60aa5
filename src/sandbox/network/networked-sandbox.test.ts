import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Server as TcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import { nodeItself } from "../../languages/javascript/find-node.ts";
import { droppedIdentity } from "../identity.ts";
import { openBubblewrap } from "../open-sandbox.ts";
import type { Command, NetworkRequest } from "../sandbox.ts";
import { NetworkedSandbox } from "./networked-sandbox.ts";
import { networkParts } from "./run-with-network.ts";

const LIMITS: SandboxLimits = {
  cpus: 2,
  memoryMb: 512,
  pids: 64,
  diskMb: 64,
  timeoutMs: 60_000,
  outputBytes: 20_000,
};

const owner = droppedIdentity()?.uid ?? process.getuid?.() ?? 0;
// Names end at a server of this test: the one thing that no configuration can say.
const reachable = { ...networkParts(), resolve: async () => ["127.0.0.1"], isPublic: () => true };
const sandbox = new NetworkedSandbox(openBubblewrap(), undefined, reachable);
let directory: string;
let workspace: string;
let server: Server;
let port: number;
let reports: NetworkRequest[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "miracle-networked-"));
  workspace = mkdtempSync(join(directory, "workspace-"));
  for (const path of [directory, workspace]) chownSync(path, owner, owner);
  server = createServer((request, answer) => {
    if (request.url === "/away") answer.writeHead(302, { location: "http://internal.test/secret" });
    answer.end(`hello from ${request.headers.host}`);
  });
  port = await listening(server);
});

afterAll(async () => {
  server.close();
  await sandbox[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

beforeEach(() => {
  reports = [];
});

async function listening(tcp: TcpServer): Promise<number> {
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const address = tcp.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function run(line: string, hosts: string[] | null, extra: Partial<Command> = {}) {
  const network = hosts && { hosts, onRequest: (request: NetworkRequest) => reports.push(request) };
  const command = { argv: ["bash", "-c", line], workspace, ...(network && { network }), ...extra };
  return sandbox.run(command, LIMITS, new AbortController().signal);
}

const node = nodeItself({ execPath: process.execPath, version: process.version });

describe("a sandboxed command", () => {
  test("has no network unless hosts are named", async () => {
    const { exitCode } = await run(`curl -sS --max-time 5 http://127.0.0.1:${port}/`, null);
    expect(exitCode).not.toBe(0);
    expect((await run("env | grep -ci proxy", null)).stdout).toBe("0\n");
  });

  test.each([
    ["curl", "curl -sS", {}],
    ["curl through a tunnel", "curl -sSp", {}],
    ["Python", "python3 -c 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())'", {}],
    ["Node", "node -e 'fetch(process.argv[1]).then((a) => a.text()).then(console.log)'", node],
  ])("reaches a host it may with %s", async (_name, program, tools) => {
    const { stdout, stderr } = await run(`${program} http://example.test:${port}/`, [`example.test:${port}`], {
      ...tools,
    });
    expect(stdout.trim(), stderr).toBe(`hello from example.test:${port}`);
    expect(reports).toMatchObject([{ host: "example.test", port, allowed: true }]);
  });

  test.skipIf(!existsSync("/usr/bin/openssl"))("reaches a host it may by HTTPS", async () => {
    const [key, certificate] = ["key", "certificate"].map((name) => join(directory, name));
    const subject = ["-subj", "/CN=example.test", "-addext", "subjectAltName=DNS:example.test"];
    const files = ["-keyout", key ?? "", "-out", certificate ?? ""];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...files], {
      stdio: "ignore",
    });
    writeFileSync(join(workspace, "ca.pem"), readFileSync(certificate ?? ""), { mode: 0o644 });
    const options = { key: readFileSync(key ?? ""), cert: readFileSync(certificate ?? "") };
    const secure = createSecureServer(options, (_request, answer) => answer.end("hello, secretly"));
    const securePort = await listening(secure);
    const { stdout, stderr } = await run(`curl -sS --cacert ca.pem https://example.test:${securePort}/`, [
      `example.test:${securePort}`,
    ]);
    expect(stdout, stderr).toBe("hello, secretly");
    expect(reports).toMatchObject([{ method: "CONNECT", allowed: true }]);
    secure.close();
  });

  test("is refused every other host, also after a redirect, and whatever way it asks", async () => {
    const lines = [
      "curl -sS http://other.test/",
      "curl -sSp http://other.test/",
      `curl -sSL http://example.test:${port}/away`,
      `curl -sS --noproxy '*' --max-time 5 http://127.0.0.1:${port}/`,
      "curl -sS --unix-socket /run/miracle/network/proxy http://other.test/",
    ];
    const { stdout } = await run(lines.join("; echo; "), [`example.test:${port}`]);
    expect(stdout).not.toContain("hello");
    expect(reports.filter(({ allowed }) => !allowed).map(({ host }) => host)).toEqual([
      "other.test",
      "other.test",
      "internal.test",
      "/",
    ]);
  });

  test("cannot reach this machine or what is near it, even when a rule names it", async () => {
    await using strict = new NetworkedSandbox(openBubblewrap());
    const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, "169.254.169.254"];
    const line = [`http://localhost:${port}/`, `http://127.0.0.1:${port}/`, "http://169.254.169.254/latest/"]
      .map((url) => `curl -sS --noproxy '' ${url}`)
      .join("; ");
    const network = { hosts, onRequest: (request: NetworkRequest) => reports.push(request) };
    const command = { argv: ["bash", "-c", line], workspace, network };
    const { stdout } = await strict.run(command, LIMITS, new AbortController().signal);
    expect(stdout).not.toContain("hello");
    expect(reports.map(({ reason }) => reason)).toEqual(Array(3).fill("its address is not one of the public internet"));
  });

  test("ends, reads and exits as it does without a network", async () => {
    const result = await run("cat; echo err >&2; exit 7", [], { stdin: "given" });
    expect(result).toMatchObject({ ending: "exited", exitCode: 7, stdout: "given", stderr: "err\n" });
    expect((await run("cat", [])).stdout).toBe("");
    expect(await run("kill -SEGV $$", [])).toMatchObject({ exitCode: null, signal: "SIGSEGV" });
  });

  test("cannot pretend that its way to the network did not start", async () => {
    const result = await run("tr '\\0' '\\n' </proc/1/cmdline | tail -n 20 >&2; exit 125", []);
    expect(result.exitCode).toBe(125);
  });

  test("leaves no socket behind", async () => {
    const temporary = join(directory, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    await run("true", []).finally(() => vi.unstubAllEnvs());
    // The shell for the next command may be getting ready beside it.
    expect(readdirSync(temporary).filter((name) => !name.startsWith("miracle-order-"))).toEqual([]);
  });

  test("is not started when a rule makes no sense", async () => {
    await expect(run("touch started", ["*"])).rejects.toThrow(/"\*" is no host to allow/);
    expect(existsSync(join(workspace, "started"))).toBe(false);
  });
});
