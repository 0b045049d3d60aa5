// Starts processes: the live suite, and the product from its build.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type Script, startModelServer } from "./model-server.ts";
import { addGoal, byRole } from "./scripted-goal.ts";

const root = join(import.meta.dirname, "..");

/** Without any key of the person who tests. */
async function live(baseUrl: string, ...providers: string[]) {
  const child = spawn(process.execPath, [join(root, "scripts/test-live.ts"), ...providers], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent", MIRACLE_BASE_URL: baseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { said: await text(child.stdout), code: await closed };
}

async function liveWith(script: Script) {
  await using server = await startModelServer(script);
  return await live(server.baseUrl, "local");
}

test("the live suite says which provider it skips, and why, and fails nobody without a key", async () => {
  const { said, code } = await live("http://127.0.0.1:9/v1");
  expect(said).toContain("skipped openai: OPENAI_API_KEY is not set");
  expect(said).toContain("skipped anthropic: ANTHROPIC_API_KEY is not set");
  expect(said).toMatch(/skipped local: nothing answers at http:\/\/127\.0\.0\.1:9/);
  expect(said).toContain("0 run, 0 not proven");
  expect(code).toBe(0);
});

test("the live suite runs its goal to the end against any OpenAI-compatible server, and says that it is proven", async () => {
  const { said, code } = await liveWith(byRole(addGoal));
  expect(said).toBe("proven local/default (exit 0)\n\n1 run, 0 not proven\n");
  expect(code).toBe(0);
});

test("the live suite fails where a provider does, and shows what was said", async () => {
  const { said, code } = await liveWith(() => ({ fault: "status", status: 401 }));
  expect(said).toContain("NOT PROVEN local/default");
  expect(said).toContain("401");
  expect(said).toContain("1 run, 1 not proven");
  expect(code).toBe(1);
});
