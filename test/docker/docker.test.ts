import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { SandboxLimits } from "../../src/domain/settings.ts";
import { SECRET, sandboxConformance } from "../../src/sandbox/conformance/suite.ts";
import { OWNER_LABEL } from "../../src/sandbox/docker/container.ts";
import { Docker } from "../../src/sandbox/docker/docker.ts";
import { EngineApi } from "../../src/sandbox/docker/engine-api.ts";
import { SANDBOX_UID } from "../../src/sandbox/identity.ts";
import { attackSuite } from "../attack/suite.ts";
import { startEngine } from "./container-engine.ts";

const engine = await startEngine();

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
      groups: false,
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
