import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeTerminalOptions, fakeTerminal } from "../../test/fake-terminal.ts";
import { runCommandLine } from "./command-line.ts";
import { commands } from "./command-table.ts";
import { EXIT, EXIT_MEANINGS } from "./text/exit-codes.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "cli-"));
  mkdirSync(join(place, "project"));
});
afterEach(() => rmSync(place, { recursive: true }));

async function miracle(words: string[], options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal({
    directory: join(place, "project"),
    home: place,
    ...options,
    env: { MIRACLE_HOME: join(place, "data"), ...options.env },
  });
  const exit = await runCommandLine(words, terminal);
  return { exit, output: terminal.outputs(), error: terminal.errors() };
}

describe("help", () => {
  test("names every command, examples and every exit code", async () => {
    const { exit, output } = await miracle(["--help"]);
    expect(exit).toBe(0);
    for (const name of Object.keys(commands)) expect(output).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    for (const meaning of Object.values(EXIT_MEANINGS)) expect(output).toContain(meaning);
    expect(output).toContain("Examples:");
  });

  test("is the same for `run --help` and `help run`, and names the flags", async () => {
    const { exit, output } = await miracle(["run", "--help"]);
    expect(exit).toBe(0);
    expect((await miracle(["help", "run"])).output).toBe(output);
    const limits = ["max-cost", "max-tokens", "max-iterations", "max-turns", "timeout"];
    const steering = ["model", "base-url", "effort", "direct", "accept", "confirm", "sandbox", "write-scope", "notify"];
    for (const flag of [...limits, ...steering, "attach", "dir", "no-apply", "yes", "json", "quiet"]) {
      expect(output).toContain(`--${flag}`);
    }
  });

  test.each(Object.keys(commands))("of %s can be shown", async (name) => {
    const { exit, output } = await miracle([name, "--help"]);
    expect(exit).toBe(0);
    expect(output).toContain(`Usage: miracle ${name}`);
  });

  test("is shown when nothing is asked", async () => {
    const { output, error } = await miracle([]);
    expect(output + error).toContain("Usage: miracle");
  });
});

describe("bad input", () => {
  test.each([
    [["histroy"], 'unknown command "histroy" (did you mean "history"?)'],
    [["Build a CLI"], 'unknown command "Build a CLI" (for a goal write: miracle run "…")'],
    [["run", "--modle", "x"], "Did you mean --model?"],
    [["run", "--max-cost", "lots", "x"], "expected an amount of dollars like 2.50"],
    [["run", "--confirm", "plan,all", "x"], "expected one of plan, diff"],
    [["run", "--timeout", "soon", "x"], "expected a duration like 90s, 10m or 2h"],
    [["run", "--model"], "argument missing"],
    [["run", ""], "the goal is empty"],
    [["run", " \n\t "], "the goal is empty"],
    [["run"], "no goal: write it as in miracle run"],
    [["run", "--dir", "missing", "x"], "--dir missing: there is no such directory"],
    [["run", "--attach", "missing.png", "x"], "--attach missing.png: there is no such file"],
    [["run", "--model", "nobody/x", "x"], '--model: unknown provider "nobody"'],
    [["show", "t000000000"], "there is no task t000000000"],
    [["show"], "no task was started in this directory: give an id"],
    [["show", "t000000000", "--last"], "give an id or --last, not both"],
    [["resume", "--last"], "there is no task yet"],
    [["verify", "no-such-file.json"], "there is no task no-such-file.json"],
    [["prune"], "what to delete? give ids, or --older-than 30d"],
  ])("%j is answered with one clear line and exit code 64", async (words, message) => {
    const { exit, error, output } = await miracle(words);
    expect(error).toContain(message);
    expect(exit).toBe(EXIT.badInput);
    expect(output).toBe("");
  });

  test("a goal of 1 MB from stdin is refused with one line", async () => {
    const { exit, error } = await miracle(["run", "-"], { input: "x".repeat(1_000_000) });
    expect(error).toMatch(/^miracle: the goal is longer than 100,000 characters: .*\n$/);
    expect(exit).toBe(EXIT.badInput);
  });

  test("no key is told with what to set, and exit code 69", async () => {
    const { exit, error } = await miracle(["run", "do it"]);
    expect(error).toContain("no model can be reached: set ANTHROPIC_API_KEY, OPENAI_API_KEY");
    expect(exit).toBe(EXIT.environment);
  });

  test("a broken config file is told with file, line and column", async () => {
    mkdirSync(join(place, "project/.miracle"));
    const file = join(place, "project/.miracle/config.yaml");
    writeFileSync(file, "effort: standard\nlimits: [1, 2\n");
    const { exit, error } = await miracle(["config"]);
    expect(error).toMatch(new RegExp(`^miracle: ${file}:\\d+:\\d+: \\S`));
    expect(exit).toBe(EXIT.badInput);
  });

  test("an unwritable data directory is told, and exit code 69", async () => {
    writeFileSync(join(place, "file"), "");
    const { exit, error } = await miracle(["history"], { env: { MIRACLE_HOME: join(place, "file/data") } });
    expect(error).toMatch(/^miracle: the data directory .* cannot be written \(ENOTDIR\); .*\n$/);
    expect(exit).toBe(EXIT.environment);
  });

  test("with --json the failure is a line for programs too", async () => {
    const { output } = await miracle(["history", "--json", "--before", "t000000000"]);
    expect(JSON.parse(output)).toMatchObject({ type: "failed", failure: { code: "task.unknown" }, exitCode: 64 });
  });
});

describe("config", () => {
  test("shows each value with its source", async () => {
    const { output } = await miracle(["config", "--max-cost", "2"], { env: { MIRACLE_EFFORT: "quick" } });
    expect(output).toMatch(/^limits\.maxCost: 2 +# --max-cost$/m);
    expect(output).toMatch(/^effort: "quick" +# MIRACLE_EFFORT$/m);
    expect(output).toMatch(/^limits\.patience: \d+ +# .*config\/settings\.yaml$/m);
  });

  test("never shows a key", async () => {
    const { output, error } = await miracle(["config"], { env: { OPENAI_API_KEY: "sk-very-secret" } });
    expect(output + error).not.toContain("sk-very-secret");
  });

  test("prints the schema that config/schema.json holds", async () => {
    const { output } = await miracle(["config", "--schema"]);
    expect(output).toBe(readFileSync(new URL("../../config/schema.json", import.meta.url), "utf8"));
  });
});

describe("history", () => {
  test("is empty at first, and says how to start", async () => {
    const { exit, output, error } = await miracle(["history"]);
    expect({ exit, output }).toEqual({ exit: 0, output: "" });
    expect(error).toContain("no tasks yet");
  });
});
