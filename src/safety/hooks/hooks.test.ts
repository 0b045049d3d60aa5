import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Hook } from "../../domain/settings/safety-settings.ts";
import { askHook } from "./ask-hook.ts";
import { openHooks } from "./open-hooks.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "miracle-hooks-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const { signal } = new AbortController();
const env = { PATH: "/usr/bin:/bin", HOME: "/home/someone", API_KEY: "secret-of-the-person" };

let count = 0;
function hook(script: string, change: Partial<Hook> = {}): Hook {
  const program = join(directory, `hook-${++count}`);
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { when: "before", tools: [], command: [program], timeoutMs: 10_000, ...change };
}

const call = { tool: "run_command", arguments: { command: "ls" }, role: "coder", task: "t1", directory: "/project" };

describe("a hook", () => {
  it("allows with exit code 0 and no words", async () => {
    expect(await askHook(hook("exit 0"), {}, { env, signal })).toEqual({ decision: "allow", reason: "" });
  });

  it("denies with exit code 2 and says why on stderr", async () => {
    const said = await askHook(hook("echo 'not today' >&2; exit 2"), {}, { env, signal });
    expect(said).toEqual({ decision: "deny", reason: "not today" });
  });

  it("answers with JSON on stdout", async () => {
    const ask = await askHook(hook(`echo '{"decision":"ask","reason":"unusual"}'`), {}, { env, signal });
    expect(ask).toEqual({ decision: "ask", reason: "unusual" });
    const note = await askHook(hook(`echo '{"note":"mind the style"}'`), {}, { env, signal });
    expect(note).toEqual({ decision: "allow", reason: "mind the style" });
  });

  it.each([
    ["another exit code", "echo oops >&2; exit 1", /exit code 1: oops/],
    ["a signal", "kill -KILL $$", /SIGKILL/],
    ["words that are no answer", "echo fine", /no answer/],
    ["an unknown decision", `echo '{"decision":"maybe"}'`, /no answer/],
  ])("that ends with %s denies", async (_, script, reason) => {
    const said = await askHook(hook(script), {}, { env, signal });
    expect(said).toEqual({ decision: "deny", reason: expect.stringMatching(reason) });
  });

  it("that is not there denies", async () => {
    const missing = { ...hook(""), command: ["/nowhere/hook"] };
    expect(await askHook(missing, {}, { env, signal })).toMatchObject({ decision: "deny" });
  });

  it("that takes too long denies, and ends with everything it started", async () => {
    const slow = hook(`(trap '' TERM; sleep 100; touch ${directory}/late) & sleep 100`, { timeoutMs: 200 });
    const said = await askHook(slow, {}, { env, signal });
    expect(said).toEqual({ decision: "deny", reason: expect.stringContaining("did not answer within 0.2 s") });
    expect(existsSync(join(directory, "late"))).toBe(false);
  });

  it("sees neither the person's variables nor the project as its directory", async () => {
    await askHook(hook(`env > ${directory}/env; pwd > ${directory}/pwd`), {}, { env, signal });
    const seen = readFileSync(join(directory, "env"), "utf8");
    expect(seen).toContain("HOME=/home/someone");
    expect(seen).not.toContain("secret-of-the-person");
    expect(readFileSync(join(directory, "pwd"), "utf8")).toBe("/\n");
  });

  it("need not read what it is told, however long it is", async () => {
    const said = await askHook(hook("exit 0"), { text: "x".repeat(3_000_000) }, { env, signal });
    expect(said.decision).toBe("allow");
  });

  it("cannot flood us", async () => {
    const said = await askHook(hook("head -c 5000000 /dev/zero | tr '\\0' x >&2; exit 2"), {}, { env, signal });
    expect(said.decision).toBe("deny");
    expect(said.reason.length).toBeLessThanOrEqual(64_000);
  });

  it("ends with the run", async () => {
    const stop = new AbortController();
    const asked = askHook(hook("sleep 100"), {}, { env, signal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
  });
});

describe("the hooks of a config", () => {
  it("are asked in order, and the first no counts", async () => {
    const hooks = openHooks(
      [hook("exit 0"), hook("echo first >&2; exit 2"), hook(`touch ${directory}/asked; exit 0`)],
      env,
    );
    expect(await hooks.before(call, signal)).toMatchObject({ decision: "deny", reason: "first" });
    expect(existsSync(join(directory, "asked"))).toBe(false);
  });

  it("are asked only for their tools and their time", async () => {
    const no = "exit 2";
    const hooks = openHooks([hook(no, { tools: ["edit_file"] }), hook(no, { when: "after" })], env);
    expect(await hooks.before(call, signal)).toEqual({ decision: "allow" });
    expect(await hooks.after(call, { content: "x", ok: true }, signal)).toMatchObject({ decision: "deny" });
  });

  it("after a call see its answer and may add to it", async () => {
    const script = `cat > ${directory}/told; echo '{"note":"noted"}'`;
    const hooks = openHooks([hook(script, { when: "after" })], env);
    expect(await hooks.after(call, { content: "two files", ok: true }, signal)).toEqual({
      decision: "allow",
      note: "noted",
    });
    expect(JSON.parse(readFileSync(join(directory, "told"), "utf8"))).toEqual({
      when: "after",
      ...call,
      result: { content: "two files", ok: true },
    });
  });
});
