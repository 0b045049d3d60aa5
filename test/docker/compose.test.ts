import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { packageRoot } from "../../src/config/package-root.ts";
import { freePort } from "../free-port.ts";
import type { ScriptFile } from "../scripted-answers.ts";
import { helloGoal } from "../scripted-goal.ts";
import { temporaryDirectory } from "../temporary.ts";

const SCRIPT: ScriptFile = helloGoal.map(({ name, arguments: given }) => ({
  toolCalls: [{ name, arguments: z.record(z.string(), z.unknown()).parse(given) }],
}));

/** A model beside the others, which answers from a script; and settings that need no plan. */
const override = (place: string) => `
services:
  model:
    image: node:24-bookworm-slim
    volumes: ["${packageRoot()}:/repo:ro", "${place}:/script:ro"]
    command: [node, /repo/test/model-server-main.ts, /script/script.json, --port, "9000", --host, 0.0.0.0]
  server: { volumes: ["${place}/config.yaml:/home/miracle/.config/miracle/config.yaml:ro"] }
  worker: { volumes: ["${place}/config.yaml:/home/miracle/.config/miracle/config.yaml:ro"] }
`;

const docker = (args: string[], env: Record<string, string> = {}) =>
  spawnSync("docker", args, { cwd: packageRoot(), encoding: "utf8", env: { ...process.env, ...env } });

/** Null: it can be had. */
function problem(): string | null {
  if (docker(["info"]).status !== 0) return "docker-compose.yml was not tried: no Docker engine answers here";
  return docker(["compose", "version"]).status === 0
    ? null
    : "docker-compose.yml was not tried: docker compose is missing";
}

const why = problem();
if (why !== null) process.stderr.write(`${why}\n`);

test.skipIf(why !== null)(
  `docker compose brings up a server and two workers that end a goal${why === null ? "" : ` (${why})`}`,
  async () => {
    const place = temporaryDirectory();
    const projects = join(place, "projects");
    mkdirSync(projects, { mode: 0o777 });
    writeFileSync(join(place, "script.json"), JSON.stringify(SCRIPT));
    writeFileSync(join(place, "config.yaml"), "direct: true\n");
    writeFileSync(join(place, "override.yml"), override(place));
    const port = await freePort();
    const env = {
      ...{ POSTGRES_PASSWORD: "only-for-this-test", MIRACLE_PORT: String(port), MIRACLE_PROJECTS: projects },
      ...{ MIRACLE_MODEL: "local/scripted", MIRACLE_BASE_URL: "http://model:9000/v1" },
    };
    const files = ["-f", "docker-compose.yml", "-f", join(place, "override.yml")];
    const compose = (...args: string[]) => docker(["compose", "-p", `miracle-test-${port}`, ...files, ...args], env);
    onTestFinished(() => void compose("down", "--volumes", "--timeout", "5"));
    const up = compose("up", "--build", "--detach", "--wait");
    expect(up.status, up.stderr).toBe(0);
    const [, token = ""] = /#token=(\S+)/.exec(compose("logs", "server").stdout) ?? [];
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const origin = `http://127.0.0.1:${port}`;
    const body = JSON.stringify({ goal: "say hello" });
    const made = await fetch(`${origin}/tasks`, { method: "POST", headers, body });
    const { id } = z.object({ id: z.string() }).parse(await made.json());
    const state = async () =>
      z.object({ state: z.string() }).parse(await (await fetch(`${origin}/tasks/${id}`, { headers })).json()).state;
    await vi.waitFor(async () => expect(await state()).toBe("checked"), { timeout: 120_000, interval: 500 });
  },
  900_000,
);
