import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Environment, unreadVariables } from "./environment-layer.ts";
import { loadConfig } from "./load-config.ts";
import { packageRoot } from "./package-root.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "operation-"));
  for (const directory of [".config/miracle", "project/.miracle"])
    mkdirSync(join(home, directory), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const load = (env: Environment = {}) =>
  loadConfig({ directory: join(home, "project"), env, home, root: packageRoot() });
const own = (file: string, text: string) => writeFileSync(join(home, ".config/miracle", file), text);

test("a project chooses neither the database nor what is logged, and the person is told", async () => {
  const text = "database: { url: 'postgres://elsewhere.example/x' }\nlogging: { level: error }\n";
  writeFileSync(join(home, "project/.miracle/config.yaml"), text);
  const { team, logLevel, warnings } = await load();
  expect(team.databaseUrl).toBeUndefined();
  expect(logLevel).toBe("info");
  expect(warnings.join("\n")).toMatch(/database is ignored.*logging is ignored/s);
});

test("levels, silence, depth, strictness and threshold are settings, and variables of ours go before files", async () => {
  own("settings.yaml", "logging: { level: warn }\nmemory: { threshold: 0.65 }\nsafety: { code: strict }\n");
  const { settings, logLevel } = await load({ MIRACLE_SANDBOX_TIMEOUT: "30", MIRACLE_RETRIES: "2" });
  expect(logLevel).toBe("warn");
  expect(settings.memory.threshold).toBe(0.65);
  expect(settings.safety.code?.strict).toBe(true);
  expect(settings.sandbox.limits.timeoutMs).toBe(30_000);
  expect(settings.retry.attempts).toBe(2);
  expect(settings.limits).toMatchObject({ silenceMs: 3_600_000, branchDepth: 2 });
  expect((await load({ MIRACLE_LOG_LEVEL: "DEBUG" })).logLevel).toBe("debug");
});

test("old turns are summarised by a small model unless a person turns it off, or names another", async () => {
  expect((await load()).settings.summaries).toEqual({ model: null });
  own("models.yaml", "summaries: { model: openai/small }\n");
  expect((await load()).settings.summaries).toEqual({ model: "openai/small" });
  own("models.yaml", "summaries: { when: never }\n");
  expect((await load()).settings.summaries).toBeUndefined();
});

test("what is learnt is found from the person's next project by default, and a setting keeps it in its own", async () => {
  expect((await load()).settings.memory.use?.scope).toBe("mine");
  own("settings.yaml", "memory: { scope: project }\n");
  expect((await load()).settings.memory.use?.scope).toBe("project");
});

test("a variable without our prefix steers nothing, and it is said which one does", async () => {
  const env = { MODEL_NAME: "gemini", MIRACLE_TIMEOUT: "1h", DOCKER_NETWORK: "bridge" };
  expect((await load(env)).settings.limits.timeoutMs).toBe(3_600_000);
  expect(unreadVariables(env)).toEqual([
    "MODEL_NAME is not read; if you mean Miracle, set MIRACLE_MODEL",
    "DOCKER_NETWORK is not read: the sandbox has no network but for hosts in safety.network",
  ]);
  expect(unreadVariables({ DOCKER_NETWORK: "none" })).toEqual([]);
  const others = {
    SANDBOX_TIMEOUT: "MIRACLE_SANDBOX_TIMEOUT",
    MAX_ITERATIONS: "MIRACLE_MAX_ITERATIONS",
    LOG_LEVEL: "MIRACLE_LOG_LEVEL",
    DB_URL: "MIRACLE_DATABASE_URL",
    DB_PASSWORD: "PGPASSWORD",
  };
  for (const [theirs, ours] of Object.entries(others)) {
    expect(unreadVariables({ [theirs]: "1" })).toEqual([`${theirs} is not read; if you mean Miracle, set ${ours}`]);
    expect(unreadVariables({ [theirs]: "1", [ours]: "1" })).toEqual([]);
  }
});

test.each([
  ["max_iterations: 10", "unknown key max_iterations (here it is limits.maxIterations)"],
  ["log_level: INFO", "unknown key log_level (here it is logging.level)"],
  ["checkpoint_frequency: 5", "unknown key checkpoint_frequency (there is none: every step is a checkpoint)"],
  [
    "orchestrator: { max_iterations: 10 }",
    "unknown key orchestrator (here it is limits: maxIterations, warnAtIteration)",
  ],
  [
    "safety: { block_operations: [eval] }",
    "unknown key safety.block_operations (here it is safety.code: strict, or safety.code.rules)",
  ],
  ["models: { planner: gpt-4 }", "unknown key models (here it is roles, each with its models, or model for all)"],
  ["checkpoint: { frequency: 5 }", "unknown key checkpoint (there is none: every step is a checkpoint)"],
])("a key of the source documents says what stands for it: %s", async (text, message) => {
  own("settings.yaml", `${text}\n`);
  await expect(load()).rejects.toThrow(message);
});
