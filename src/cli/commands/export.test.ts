// Starts processes: git tells whose the files are.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { packageRoot } from "../../config/package-root.ts";
import { parseCassette } from "../../journal/cassette.ts";
import { sha256 } from "../../journal/hash.ts";
import { runCommandLine } from "../command-line.ts";
import { EXIT } from "../text/exit-codes.ts";

const recorded = (name: string) => join(packageRoot(), "cassettes", `${name}.json`);
const home = mkdtempSync(join(tmpdir(), "miracle-test-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function exported(...words: string[]) {
  const terminal = fakeTerminal({ directory: home, home, env: { MIRACLE_HOME: home, PATH: process.env.PATH ?? "" } });
  const code = await runCommandLine(["export", ...words], terminal);
  const lines = terminal
    .outputs()
    .split("\n")
    .filter((line) => line !== "");
  return { code, text: terminal.outputs(), examples: lines.map((line) => JSON.parse(line)), errors: terminal.errors() };
}

test("sft is the conversation that turned a todo green, with its tools, the same bytes each time", async () => {
  const { code, text, examples } = await exported("--format", "sft", recorded("demo"));
  expect(code).toBe(EXIT.done);
  expect(examples).toHaveLength(1);
  const [{ messages, tools, metadata }] = examples;
  expect(metadata).toMatchObject({ iteration: 2, language: "python", status: "proven", licence: "own" });
  expect(messages.map(({ role }: { role: string }) => role).slice(0, 3)).toEqual(["system", "user", "assistant"]);
  // Its last turn ended the work: nobody answered it.
  const last = messages.at(-1).tool_calls;
  expect(last.at(-1).function.name).toBe("run_tests");
  const asked = messages.flatMap((message: { tool_calls?: { id: string }[] }) => message.tool_calls ?? []);
  const answered = messages.filter(({ role }: { role: string }) => role === "tool");
  expect(answered.map((message: { tool_call_id: string }) => message.tool_call_id)).toEqual(
    asked.slice(0, -last.length).map(({ id }: { id: string }) => id),
  );
  expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).toContain("create_file");
  expect((await exported("--format", "sft", recorded("demo"))).text).toBe(text);
});

test("dpo sets the change that was green against the red one, without given tests, after the same request", async () => {
  const { examples } = await exported("--format", "dpo", recorded("javascript-duration"));
  expect(examples).toHaveLength(1);
  const [{ prompt, chosen, rejected, metadata }] = examples;
  expect(prompt.map(({ role }: { role: string }) => role)).toEqual(["system", "user"]);
  expect(metadata).toMatchObject({ iteration: 1, language: "javascript" });
  expect(metadata.red).toHaveLength(2);
  for (const [side] of [chosen, rejected]) {
    expect(side.content).toMatch(/^diff --git a\/\S+ b\/\S+\nnew file mode/);
    expect(side.content).not.toMatch(/^index |\.test\.js/m);
  }
  expect(chosen[0].content).not.toBe(rejected[0].content);
});

test("nothing of a held-out test is in any example", async () => {
  for (const name of ["demo", "javascript-duration", "python-fix"]) {
    const unseen = readFileSync(recorded(name), "utf8").match(/[\w-]+[_.-]unseen[\w.]*/g) ?? [];
    expect(unseen.length).toBeGreaterThan(0);
    for (const format of ["sft", "dpo"]) {
      const { text } = await exported("--format", format, recorded(name), "--licences", "any");
      for (const file of new Set(unseen)) expect(text).not.toContain(file);
    }
  }
});

test("a project without a licence is left out unless it is asked for, and that is said", async () => {
  const strict = await exported("--format", "sft", recorded("python-fix"));
  expect(strict.examples).toEqual([]);
  expect(strict.errors).toContain("names no licence");
  const asked = await exported("--format", "sft", recorded("python-fix"), "--licences", "MIT,none");
  expect(asked.examples).toHaveLength(1);
});

test("what looks like a secret, or is under another licence, keeps its example back", async () => {
  const marked = (said: string) => {
    const file = join(home, `${sha256(said).slice(0, 8)}.json`);
    writeFileSync(file, withGoal(readFileSync(recorded("demo"), "utf8"), said));
    return file;
  };
  const secret = await exported("--format", "sft", marked(`use ghp_${"k3Jd82Hs".repeat(5).slice(0, 36)} for it`));
  expect(secret.examples).toEqual([]);
  expect(secret.errors).toContain("held a secret");
  const copyleft = await exported("--format", "dpo", marked("# SPDX-License-Identifier: GPL-3.0-only"));
  expect(copyleft.examples).toEqual([]);
  expect(copyleft.errors).toContain("GPL-3.0-only");
});

/** The same recording of a goal that says something more; blobs are named by what they hold, so all are named anew. */
function withGoal(text: string, said: string): string {
  const cassette = parseCassette(text, "cassette");
  const names = new Map<string, string>();
  const blobs = new Map(Object.entries(cassette.blobs));
  const renamed = (hash: string): string => {
    const known = names.get(hash);
    if (known !== undefined) return known;
    const content = (blobs.get(hash) ?? "")
      .replaceAll("with --top N only the first N", (goal) => `${goal} ${said}`)
      .replace(/"([0-9a-f]{64})"/g, (whole, name) => (blobs.has(name) ? `"${renamed(name)}"` : whole));
    names.set(hash, sha256(content));
    blobs.set(sha256(content), content);
    return sha256(content);
  };
  const steps = cassette.steps.map((step) => ({
    ...step,
    inputHash: renamed(step.inputHash),
    outputHash: renamed(step.outputHash),
  }));
  return JSON.stringify({
    ...cassette,
    frozenHash: renamed(cassette.frozenHash),
    steps,
    blobs: Object.fromEntries(blobs),
  });
}

test("options of training data are refused for a cassette, and a file is not written over", async () => {
  expect((await exported("--all")).errors).toContain("--format");
  writeFileSync(join(home, "there.jsonl"), "mine");
  const over = await exported("--format", "sft", recorded("demo"), "-o", "there.jsonl");
  expect(over.errors).toContain("exists already");
  expect(readFileSync(join(home, "there.jsonl"), "utf8")).toBe("mine");
});
