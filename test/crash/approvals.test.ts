import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/text/exit-codes.ts";
import { byTurn, call } from "../scripted-goal.ts";
import { CrashRun, type Scenario } from "./scenario.ts";

const scenario = (flags: string[]): Scenario => ({
  goal: "run one command",
  flags: ["--direct", ...flags],
  files: { "README.md": "a project\n" },
  script: byTurn(call("run_command", { command: "echo ran >> ran.txt" }), call("finish", { summary: "done" })),
});

/** A person whose own program wants every command asked about. */
async function carefulRun(flags: string[]): Promise<CrashRun> {
  const run = await CrashRun.create(scenario(flags));
  const { home } = run.line;
  const hook = join(home, "hook");
  writeFileSync(hook, `#!/bin/sh\necho '{"decision":"ask","reason":"a command"}'\n`);
  chmodSync(hook, 0o755);
  mkdirSync(join(home, ".config", "miracle"), { recursive: true });
  const yaml = `hooks: [{ when: before, tools: [run_command], command: [${hook}] }]\n`;
  writeFileSync(join(home, ".config", "miracle", "config.yaml"), yaml);
  return run;
}

/** How often it was asked and answered, by the table and by the events. */
function counts(run: CrashRun): Record<string, number> {
  using database = new DatabaseSync(run.line.database, { readOnly: true, timeout: 10_000 });
  const one = (sql: string) => Number(database.prepare(sql).get()?.n);
  return {
    rows: one("select count(*) as n from approvals"),
    requested: one("select count(*) as n from events where type = 'approval-requested'"),
    answered: one("select count(*) as n from events where type = 'approval-answered'"),
    steps: one("select count(*) as n from steps where path like '%/approval/1' and outcome = 'ok'"),
  };
}

const once = { rows: 1, requested: 1, answered: 1, steps: 1 };

/** Resumes what was killed: killed at its first moment, then at its second, and so on, until it comes to an end. */
async function resumeAtAnyPrice(run: CrashRun): Promise<{ kills: number; code: number | null; stderr: string }> {
  for (let kills = 0; ; kills += 1) {
    const end = await run.goOn({ MIRACLE_FAULT: String(kills + 1) });
    if (end.signal !== "SIGKILL") return { kills, code: end.code, stderr: end.stderr };
    if (run.tasks().some(({ status }) => !["running", "paused"].includes(status)))
      return { kills, code: EXIT.done, stderr: "" };
  }
}

test("a question answered by policy is asked and answered once, whenever the run is killed", async () => {
  await using run = await carefulRun(["--approve", "command"]);
  const end = await resumeAtAnyPrice(run);
  expect(end.code, end.stderr).toBe(EXIT.done);
  expect(end.kills).toBeGreaterThan(8);
  expect(run.files()["ran.txt"]).toBe("ran\n");
  expect(counts(run)).toEqual(once);
});

test("a question that is waited for survives every crash of the run, of the answer and of what follows", async () => {
  await using run = await carefulRun(["--wait"]);
  const asked = await resumeAtAnyPrice(run);
  expect(asked.code, asked.stderr).toBe(EXIT.waiting);
  expect(asked.kills).toBeGreaterThan(7);
  expect(counts(run)).toEqual({ rows: 1, requested: 1, answered: 0, steps: 0 });
  // The answer itself is killed before and after its one write; given again, the first one counts.
  for (const fault of ["1", "2"]) {
    const killed = await run.line.run(["approve", run.task, "--reason", fault], { MIRACLE_FAULT: fault });
    expect([null, 64], killed.stderr).toContain(killed.code);
  }
  await run.line.run(["approve", run.task, "--reason", "again"]);
  const end = await resumeAtAnyPrice(run);
  expect(end.code, end.stderr).toBe(EXIT.done);
  expect(end.kills).toBeGreaterThan(4);
  expect(run.files()["ran.txt"]).toBe("ran\n");
  expect(counts(run)).toEqual(once);
});
