import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { SandboxLimits } from "../../src/domain/settings/settings.ts";
import { OWNER_LABEL } from "../../src/sandbox/docker/container.ts";
import { Docker } from "../../src/sandbox/docker/docker.ts";
import { EngineApi } from "../../src/sandbox/docker/engine-api.ts";
import { SANDBOX_UID } from "../../src/sandbox/identity.ts";
import { NetworkedSandbox } from "../../src/sandbox/network/networked-sandbox.ts";
import { networkParts } from "../../src/sandbox/network/run-with-network.ts";
import type { Command, NetworkRequest } from "../../src/sandbox/sandbox.ts";
import { runWithServices } from "../../src/sandbox/services/run-with-services.ts";
import { attackSuite } from "../attack/suite.ts";
import { SECRET, sandboxConformance } from "../conformance/sandbox.ts";
import { startEngine, startPodman } from "./container-engine.ts";

// One engine after another, in one file: an image that is imported takes from the disk that a sandbox watches.
const engine = await startEngine();
const podman = await startPodman();

if (typeof engine === "string") {
  test.skip(`the Docker backend was not tested: ${engine}`, () => {});
} else {
  afterAll(() => engine[Symbol.asyncDispose]());

  for (const image of [null, engine.image]) {
    sandboxConformance({
      name: image === null ? "docker with the host's system" : "docker with an image",
      open: () => {
        vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
        return new Docker(engine.socket, image);
      },
      owner: SANDBOX_UID,
      isolates: true,
      groups: true,
    });
  }

  attackSuite({
    name: "docker with the host's system",
    open: () => {
      vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
      return new Docker(engine.socket, null);
    },
    owner: SANDBOX_UID,
    groups: true,
  });

  describe("containers", () => {
    const limits: SandboxLimits = {
      cpus: 1,
      memoryMb: 100,
      pids: 32,
      diskMb: 16,
      timeoutMs: 60_000,
      outputBytes: 1000,
    };
    const api = new EngineApi(engine.socket);
    const workspace = mkdtempSync(join(tmpdir(), "miracle-docker-"));
    chownSync(workspace, SANDBOX_UID, SANDBOX_UID);
    afterAll(() => rmSync(workspace, { recursive: true, force: true }));
    const containers = async () => {
      const filters = encodeURIComponent(JSON.stringify({ label: [OWNER_LABEL] }));
      const found = await api.demand("GET", `/containers/json?all=1&filters=${filters}`);
      return Array.isArray(found) ? found.length : -1;
    };

    test("read a stream, and tell of what they print as it comes", async () => {
      const docker = new Docker(engine.socket, null);
      const told: string[] = [];
      const command: Command = {
        argv: ["sh", "-c", "cat; echo oops >&2"],
        workspace,
        stdinStream: Readable.from(["from a ", "stream"]),
        onOutput: (stream, chunk) => told.push(`${stream}: ${chunk}`),
      };
      const result = await docker.run(command, limits, new AbortController().signal);
      expect(result).toMatchObject({ exitCode: 0, stdout: "from a stream", stderr: "oops\n" });
      expect(
        told
          .filter((line) => line.startsWith("stdout: "))
          .join("")
          .replaceAll("stdout: ", ""),
      ).toBe("from a stream");
      expect(told).toContain("stderr: oops\n");
    });

    test("reach allowed hosts through the relay, beside services, and no others", async () => {
      const server = createServer((_request, answer) => answer.end("hello"));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const parts = { ...networkParts(), resolve: async () => ["127.0.0.1"], isPublic: () => true };
      const networked = new NetworkedSandbox(new Docker(engine.socket, null), undefined, parts);
      const refused: string[] = [];
      const network = {
        hosts: [`example.test:${port}`],
        onRequest: ({ host, allowed }: NetworkRequest) => !allowed && refused.push(host),
      };
      const line = `cat /tmp/note; curl -sS http://example.test:${port}/; curl -sS http://other.test/ >/dev/null`;
      const note = { command: "echo noted > /tmp/note; sleep 60", ready: { command: "test -s /tmp/note" } };
      const result = await runWithServices(
        networked,
        { argv: ["bash", "-c", line], workspace, network },
        [{ name: "note", cwd: ".", env: {}, timeoutMs: 30_000, ...note }],
        { ...limits, memoryMb: 400, pids: 100 },
        new AbortController().signal,
      ).finally(() => server.close());
      expect([result.stdout, refused], result.stderr).toEqual(["noted\nhello", ["other.test"]]);
    });

    test("none is left when a command has ended", async () => {
      const docker = new Docker(engine.socket, null);
      await docker.run({ argv: ["true"], workspace }, limits, new AbortController().signal);
      expect(await containers()).toBe(0);
    });

    test("those of a killed process are removed by the next one", async () => {
      const source = join(import.meta.dirname, "../../src/sandbox/docker/docker.ts");
      const program = `
        const { Docker } = await import(${JSON.stringify(source)});
        await new Docker(${JSON.stringify(engine.socket)}, null).run(
          { argv: ["sleep", "43219"], workspace: ${JSON.stringify(workspace)} }, ${JSON.stringify(limits)}, new AbortController().signal);`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
      await expect.poll(containers, { timeout: 20_000 }).toBe(1);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
      expect(await containers()).toBe(1);
      await new Docker(engine.socket, null).run({ argv: ["true"], workspace }, limits, new AbortController().signal);
      expect(await containers()).toBe(0);
    });

    test("an image that is not there is named, with what to do", async () => {
      const docker = new Docker(engine.socket, "no/such-image:1");
      const run = docker.run({ argv: ["true"], workspace }, limits, new AbortController().signal);
      await expect(run).rejects.toMatchObject({ failure: { kind: "environment", code: "sandbox.unavailable" } });
      await expect(run).rejects.toThrow(/no image no\/such-image:1.*docker pull/);
    });

    test("an engine that does not answer is named, with what to do", async () => {
      const run = new Docker("/nowhere/docker.sock", null).run(
        { argv: ["true"], workspace },
        limits,
        new AbortController().signal,
      );
      await expect(run).rejects.toThrow(/no container engine answers at \/nowhere\/docker\.sock \(ENOENT\)/);
    });
  });
}

if (typeof podman === "string") {
  test.skip(`podman was not tested: ${podman}`, () => {});
} else {
  afterAll(() => podman[Symbol.asyncDispose]());

  sandboxConformance({
    name: "podman with the host's system",
    open: () => {
      vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
      return new Docker(podman.socket, null);
    },
    owner: SANDBOX_UID,
    isolates: true,
    groups: true,
  });
}
