import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeTerminalOptions, fakeTerminal } from "../../test/fake-terminal.ts";
import { runCommandLine } from "./command-line.ts";
import { commands } from "./command-table.ts";
import { EXIT, EXIT_MEANINGS } from "./text/exit-codes.ts";
import { welcome } from "./welcome.ts";

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

test("errors and warnings are broken between words on a terminal, in colour, and left whole for a program", async () => {
  const project = join(place, "project");
  mkdirSync(join(project, ".miracle"));
  writeFileSync(join(project, ".miracle/config.yaml"), "limits:\n  maxIteratons: 3\n");
  const whole = 'unknown key limits.maxIteratons (did you mean "maxIterations"?)';
  expect((await miracle(["prove"])).error).toContain(whole);
  const wide = { errorIsTerminal: true, columns: 60 };
  for (const [words, colour] of [
    [["prove"], "\u001b[31m"],
    [["history"], "\u001b[33m"],
  ] as const) {
    const { error } = await miracle([...words], wide);
    expect(error).toContain(colour);
    const lines = error.replaceAll(/\u001b\[[\d;]*m/g, "").split("\n");
    expect(lines.map((line) => line.trim()).join(" ")).toContain(whole);
    for (const line of lines) expect(line.length).toBeLessThan(60);
  }
});

describe("help", () => {
  test("names every command, examples and every exit code", async () => {
    const { exit, output } = await miracle(["--help"]);
    expect(exit).toBe(0);
    for (const name of Object.keys(commands)) expect(output).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    for (const meaning of Object.values(EXIT_MEANINGS)) expect(output).toContain(meaning);
    expect(output).toContain("Examples:");
    expect(output, "in groups, the daily ones first").toMatch(/^Every day:\n {2}run .*^While it works:\n {2}watch /ms);
  });

  test("is the same for `run --help` and `help run`, and names the flags", async () => {
    const { exit, output } = await miracle(["run", "--help"]);
    expect(exit).toBe(0);
    expect((await miracle(["help", "run"])).output).toBe(output);
    const limits = ["max-cost", "max-tokens", "max-iterations", "max-turns", "timeout"];
    const steering = ["model", "base-url", "effort", "direct", "accept", "confirm", "sandbox", "write-scope", "notify"];
    expect(output).toMatch(/^What it may use up:\n {2}--max-cost .*^Which model:\n {2}-m, --model /ms);
    for (const flag of [...limits, ...steering, "attach", "dir", "no-apply", "yes", "json", "quiet"]) {
      expect(output).toContain(`--${flag}`);
    }
  });

  test.each(Object.keys(commands))("of %s can be shown", async (name) => {
    const { exit, output } = await miracle([name, "--help"]);
    expect(exit).toBe(0);
    expect(output).toContain(`Usage: miracle ${name}`);
    expect(output, "a length of time as a person writes it").not.toMatch(/default: \d{6,}/);
  });

  test("in short, with the state of the machine, is shown when nothing is asked", async () => {
    const { exit, output } = await miracle([]);
    expect(exit).toBe(0);
    for (const name of ["prove", "run", "resume", "diff", "undo"]) expect(output).toContain(`  miracle ${name} `);
    expect(output).toMatch(/^This machine: (ready for prove; run needs a model: set ANTHROPIC_API_KEY|not ready: )/m);
    expect(output, "no hint is cut off").not.toContain("…");
    expect(existsSync(join(place, "data")), "looking leaves nothing behind").toBe(false);
  });

  test("in short fits a narrow terminal without losing a word", async () => {
    const terminal = fakeTerminal({ directory: join(place, "project"), home: place, env: {} });
    await welcome({ ...terminal, output: { ...terminal.output, columns: 60 } });
    const lines = terminal.outputs().split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(lines.join(" ").replaceAll(/\s+/g, " ")).toContain(
      "judge the change in this git repository; no model, no key",
    );
    expect(lines.at(-3)).toContain("All commands: miracle --help.");
  });

  test.each(["bash", "zsh", "fish"])("can be completed in %s: every command, every flag", async (shell) => {
    const { output } = await miracle(["completion", shell]);
    for (const name of Object.keys(commands)) expect(output).toContain(name);
    expect(output).toContain("mutation-score");
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

  test("a broken config file keeps nobody from looking: it is told and left out", async () => {
    mkdirSync(join(place, "project/.miracle"));
    writeFileSync(join(place, "project/.miracle/config.yaml"), "efort: quick\n");
    const { exit, error } = await miracle(["history"]);
    expect(error).toMatch(
      /^warning: .*config\.yaml:1:1: unknown key efort \(did you mean "effort"\?\); the file is left out/,
    );
    expect(exit).toBe(EXIT.done);
    expect((await miracle(["prove"])).exit, "what settings steer stops").toBe(EXIT.badInput);
  });

  test("a project in a language that nothing proves is told before a model is asked", async () => {
    writeFileSync(join(place, "project/Cargo.toml"), "");
    const env = { MIRACLE_BASE_URL: "http://127.0.0.1:9/v1" };
    for (const command of ["run", "plan"]) {
      const { exit, error } = await miracle([command, "add a flag"], { env });
      expect(error).toContain("this is a Rust project (Cargo.toml), and Miracle proves Python, JavaScript");
      expect(error).toContain('miracle run --direct --accept "cargo test"');
      expect(exit).toBe(EXIT.badInput);
    }
  });

  test("conflicts of git are told before a model is asked", async () => {
    const git = (...words: string[]) =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: join(place, "project") });
    git("init", "-q", "-b", "main");
    for (const [branch, text] of [
      ["main", "a"],
      ["other", "b"],
      ["main", "c"],
    ] as const) {
      if (branch === "other") git("checkout", "-qb", "other");
      else git("checkout", "-q", "main");
      writeFileSync(join(place, "project/a.py"), `${text} = 1\n`);
      git("add", ".");
      git("commit", "-qm", text);
    }
    git("merge", "other");
    const { exit, error } = await miracle(["run", "do it"], { env: { MIRACLE_BASE_URL: "http://127.0.0.1:9/v1" } });
    expect(error).toContain("git has conflicts in a.py: resolve them first");
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
    expect(output).toMatch(/^limits\.patience: \d+ +# as it ships$/m);
  });

  test("shows prices only when asked, prompts in force with their files, and those of no role", async () => {
    const prompts = join(place, ".config/miracle/prompts");
    mkdirSync(prompts, { recursive: true });
    for (const name of ["coder.md", "codr.md"]) writeFileSync(join(prompts, name), "be brief");
    const { output, error } = await miracle(["config"]);
    expect(output).not.toMatch(/^prices\./m);
    expect(output).toMatch(new RegExp(`^prompts\\.coder: "yours" +# ${join(prompts, "coder.md")}$`, "m"));
    expect(error).toContain(`warning: ${join(prompts, "codr.md")} is the prompt of no role: the roles are planner`);
    expect((await miracle(["config", "--prices"])).output).toMatch(/^prices\./m);
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
