import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { Cassette } from "../src/journal/cassette.ts";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";

const open = () => ScriptedTerminal.open(byTurn(...helloGoal));
const LONG = "a goal without end ".repeat(56_000);

test.each([
  ["no goal", [], "", "no goal: write it as in miracle run"],
  ["an empty goal", [""], "", "the goal is empty"],
  ["a goal of blanks", ["  \n\t"], "", "the goal is empty"],
  ["an empty goal on stdin", ["-"], "\n", "the goal is empty"],
  ["a goal of 1 MB", ["-"], LONG, "the goal is longer than 100,000 characters"],
])("%s is refused before anything is begun", async (_, words, stdin, problem) => {
  const terminal = await open();
  expectRefusal(await terminal.run(["run", ...words], { stdin }), EXIT.badInput, problem);
  expect(existsSync(terminal.line.database)).toBe(false);
  expect(terminal.server.requests).toEqual([]);
});

test("a goal comes from stdin", async () => {
  const terminal = await open();
  const goal = `say ${"hello ".repeat(10_000)}in a file`;
  const end = await terminal.run(["run", "-", "--direct", "--quiet"], { stdin: `${goal}\n` });
  expect(end, end.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.server.requests[0]?.messages[0]?.text).toContain(goal);
});

test.each([
  [["rum", "say hello"], 'unknown command "rum" (did you mean "run"?)'],
  [["say hello in a file"], 'for a goal write: miracle run "…"'],
  [["run", "--modle", "local/x", "say hello"], "unknown option '--modle' (Did you mean --model?)"],
  [["run", "--max-cost", "-1", "say hello"], "--max-cost"],
  [["run", "--timeout", "soon", "say hello"], "expected a duration like 90s, 10m or 2h"],
  [["run", "--effort", "huge", "say hello"], "quick, standard"],
  [["run", "--dir", "nowhere", "say hello"], "--dir nowhere: there is no such directory"],
  [["run", "--attach", "nothing.png", "say hello"], "--attach nothing.png: there is no such file"],
  [["resume"], "no task was started in this directory: give an id"],
  [["resume", "t0unknown"], "there is no task t0unknown; `miracle history` lists them"],
  [["resume", "--last"], "there is no task yet"],
  [["show", "t0unknown"], "there is no task t0unknown"],
  [["undo", "t0unknown"], "there is no task t0unknown"],
  [["pause", "t0unknown"], "there is no task t0unknown"],
  [["replay", "no-such.cassette"], "no-such.cassette"],
])("miracle %j is refused in one line", async (words, problem) => {
  const terminal = await open();
  expectRefusal(await terminal.run(words), EXIT.badInput, problem);
  expect(terminal.tree()).toEqual({});
});

test("a broken config file is named with its line", async () => {
  const terminal = await open();
  terminal.configure("effort: quick\nlimits:\n  maxIterations: many\n");
  const file = join(terminal.line.home, ".config/miracle/config.yaml");
  const run = ["run", "say hello"];
  expectRefusal(await terminal.run(run), EXIT.badInput, `${file}:3:18: limits.maxIterations`);
  terminal.configure("effort: quick\nlimits: [\n");
  expectRefusal(await terminal.run(run), EXIT.badInput, new RegExp(`${file}:[23]:`));
  terminal.configure("limits:\n  maxIteration: 3\n");
  expectRefusal(await terminal.run(run), EXIT.badInput, `${file}:2:3: unknown key limits.maxIteration (did you mean`);
  terminal.configure("");
  terminal.write({ ".miracle/config.yaml": "\teffort: quick\n" });
  expectRefusal(await terminal.run(run), EXIT.badInput, `${terminal.project}/.miracle/config.yaml:1:`);
});

test("a corrupt cassette is refused, and one with a changed byte does not hold", async () => {
  const terminal = await open();
  await terminal.run(["run", "--direct", "--quiet", "say hello"]);
  expect(await terminal.run(["export", "--last", "-o", "good.json"])).toMatchObject({ code: EXIT.done });
  const text = readFileSync(join(terminal.project, "good.json"), "utf8");
  const cassette = Cassette.parse(JSON.parse(text));
  const outputs = cassette.steps.flatMap(({ outputHash }) => outputHash ?? []);
  const blob = outputs.find((id) => cassette.blobs[id]?.includes("wrote hello.txt")) ?? "";
  const changed = {
    ...cassette,
    blobs: { ...cassette.blobs, [blob]: cassette.blobs[blob]?.replace("wrote", "Wrote") },
  };
  const { [blob]: _, ...others } = cassette.blobs;
  const save = (name: string, content: string) => writeFileSync(join(terminal.project, name), content);
  save("cut.json", text.slice(0, text.length / 2));
  save("other.json", '{"name": "something else"}');
  save("changed.json", JSON.stringify(changed));
  save("missing.json", JSON.stringify({ ...cassette, blobs: others }));
  for (const command of ["replay", "verify"]) {
    expectRefusal(await terminal.run([command, "cut.json"]), EXIT.badInput, "cut.json is not JSON");
    expectRefusal(await terminal.run([command, "other.json"]), EXIT.badInput, "other.json is no cassette");
    for (const name of ["changed.json", "missing.json"]) {
      const end = await terminal.run([command, name]);
      expect(`${end.stdout}${end.stderr}`, `${command} ${name}`).toContain(`blob ${blob}`);
      expect(end.code, `${command} ${name}: ${end.stderr}`).toBe(EXIT.tampered);
    }
  }
  expect(await terminal.run(["verify", "good.json"])).toMatchObject({ code: EXIT.done });
  expect(await terminal.run(["replay", "good.json"])).toMatchObject({ code: EXIT.done });
});
