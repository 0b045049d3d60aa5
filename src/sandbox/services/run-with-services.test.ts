import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Service } from "../../domain/evidence/test-needs.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import { nodeItself } from "../../languages/javascript/find-node.ts";
import { droppedIdentity } from "../identity.ts";
import { openSandbox } from "../open-sandbox.ts";
import type { Command } from "../sandbox.ts";
import { runWithServices } from "./run-with-services.ts";

const LIMITS: SandboxLimits = {
  cpus: 2,
  memoryMb: 512,
  pids: 100,
  diskMb: 64,
  timeoutMs: 60_000,
  outputBytes: 20_000,
};

const SERVER = `
const { createServer } = require("node:http");
let asked = 0;
createServer((request, answer) => {
  asked += 1;
  if (asked < 3 && request.url === "/slow") answer.statusCode = 503;
  answer.end("served " + process.env.GREETING + " in " + process.cwd());
}).listen(8080, () => console.log("listening"));
`;

const service = (rest: Partial<Service>): Service => ({
  name: "api",
  command: "node server.js",
  cwd: ".",
  env: { GREETING: "hello" },
  ready: { port: 8080 },
  timeoutMs: 30_000,
  ...rest,
});

const { mounts, path } = nodeItself({ execPath: process.execPath, version: process.version });

for (const backend of ["bubblewrap", "process"] as const) {
  const owner = backend === "process" ? (process.getuid?.() ?? 0) : (droppedIdentity()?.uid ?? process.getuid?.() ?? 0);
  const sandbox = openSandbox({ backend });
  let workspace: string;

  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), "miracle-services-"));
    chownSync(workspace, owner, owner);
    writeFileSync(join(workspace, "server.js"), SERVER);
  });
  afterEach(() => rmSync(workspace, { recursive: true, force: true }));
  afterAll(() => sandbox[Symbol.asyncDispose]());

  const run = (line: string, services: Service[], extra: Partial<Command> = {}, limits: Partial<SandboxLimits> = {}) =>
    runWithServices(
      sandbox,
      { argv: ["bash", "-c", line], workspace, mounts, path, ...extra },
      services,
      { ...LIMITS, ...limits },
      new AbortController().signal,
    );
  const failure = async (services: Service[]) => {
    const error: unknown = await run("touch started", services).catch((thrown: unknown) => thrown);
    expect(existsSync(join(workspace, "started"))).toBe(false);
    return error instanceof TerminalFailure ? error.failure : error;
  };

  describe(`services in ${backend}`, () => {
    test.each<[string, Service["ready"]]>([
      ["a port is open", { port: 8080 }],
      ["an address answers", { http: "http://localhost:8080/slow" }],
      ["a command succeeds", { command: "curl -sf http://localhost:8080/" }],
      ["a line is printed", { log: "listening" }],
    ])("are there before the command starts, when %s", async (_name, ready) => {
      const { stdout, stderr, exitCode } = await run("curl -sS http://localhost:8080/; exit 3", [service({ ready })]);
      expect(stdout, stderr).toMatch(/^served hello in /);
      expect(exitCode).toBe(3);
    });

    test("are gone when it has ended", async () => {
      await run("true", [service({})]);
      const { exitCode } = await run("curl -s http://localhost:8080/", []);
      expect(exitCode).not.toBe(0);
    });

    test("leave input, output and exit code to the command", async () => {
      const chatty = service({ command: "yes | head -c 1000000; node server.js" });
      const result = await run("cat; echo err >&2; kill -SEGV $$", [chatty], { stdin: "given" });
      expect(result).toMatchObject({ stdout: "given", stderr: "err\n", signal: "SIGSEGV" });
    });

    test("start one after the other, each with what the command's variables say", async () => {
      const first = service({
        name: "first",
        command: "sleep 0.2; echo $WHO > first; sleep 60",
        ready: { command: "test -s first" },
      });
      const second = service({
        name: "second",
        command: "cp first second; sleep 60",
        ready: { command: "test -s second" },
      });
      const { stdout } = await run("cat second", [first, second], { env: { WHO: "me" } });
      expect(stdout).toBe("me\n");
    });

    test("have the command's own variables for Node, which do not reach what starts them", async () => {
      const env = { NODE_OPTIONS: "--require=/nowhere.js" };
      const told = service({
        command: 'echo "$NODE_OPTIONS|$(env | grep -c KEPT)" > told; sleep 60',
        ready: { command: "test -s told" },
      });
      expect((await run("cat told", [told], { env })).stdout).toBe("--require=/nowhere.js|0\n");
    });

    test("may leave a daemon behind and end", async () => {
      const daemon = service({ command: "(node server.js >/dev/null 2>&1 &); exit 0" });
      expect((await run("curl -sS http://localhost:8080/", [daemon])).stdout).toContain("served hello");
    });

    test("that end too early are a failure of the environment, told with what they printed", async () => {
      expect(await failure([service({ command: "echo no database here >&2; exit 4" })])).toMatchObject({
        kind: "environment",
        code: "service.not-ready",
        message: expect.stringMatching(/^the service api .*is not ready: it ended with exit code 4; /),
        detail: "It printed:\nno database here",
      });
    });

    test("that are not ready in time are one, too", async () => {
      const slow = service({ command: "echo waiting; sleep 60", ready: { log: "listening" }, timeoutMs: 500 });
      expect(await failure([slow])).toMatchObject({
        code: "service.not-ready",
        message: expect.stringContaining("it was not ready within 0.5 s"),
        detail: "It printed:\nwaiting",
      });
    });

    test("whose directory is not there are one, too", async () => {
      expect(await failure([service({ cwd: "nowhere" })])).toMatchObject({ code: "service.not-ready" });
    });
  });

  if (backend === "bubblewrap") {
    test("a command cannot pretend that its service was not ready", async () => {
      const forged = "tr '\\0' '\\n' </proc/1/cmdline | tail -c 2000 >&2; exit 125";
      expect((await run(forged, [service({})])).exitCode).toBe(125);
    });

    test("services count against the limits of the command", async () => {
      const bomb = service({ command: "while :; do sleep 60 & done", timeoutMs: 2_000 });
      const { ending } = await run("true", [bomb], {}, { pids: 60 });
      expect(ending).toBe("process-limit");
    });

    test("services and allowed hosts go together", async () => {
      const { stdout, exitCode } = await run("cat; curl -sS http://localhost:8080/", [service({})], {
        network: { hosts: ["example.org"] },
        stdin: "given, ",
      });
      expect([stdout, exitCode]).toEqual(["given, served hello in /workspace", 0]);
    });
  }
}
