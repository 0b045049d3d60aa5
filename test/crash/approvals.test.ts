import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

test("a question answered by policy is asked and answered once, whenever the run is killed", async () => {
  await using unharmed = await carefulRun(["--approve", "command"]);
  const moments = await unharmed.countMoments();
  expect(counts(unharmed)).toEqual(once);
  for (let moment = 1; moment <= moments; moment += Math.max(1, Math.floor(moments / 12))) {
    await using run = await carefulRun(["--approve", "command"]);
    expect((await run.start({ MIRACLE_FAULT: String(moment) })).signal, `moment ${moment}`).toBe("SIGKILL");
    if (!run.tasks().some((task) => task.status === "running") && run.tasks().length > 0) continue;
    const end = await run.goOn();
    expect(end.code, `moment ${moment}: ${end.stderr}`).toBe(EXIT.done);
    expect(run.files()["ran.txt"], `moment ${moment}`).toBe("ran\n");
    expect(counts(run), `moment ${moment}`).toEqual(once);
  }
});

test("a question that is waited for survives every crash of the run, of the answer and of what follows", async () => {
  await using unharmed = await carefulRun(["--wait"]);
  const file = join(unharmed.line.home, "moments");
  const args = ["run", "run one command", "--quiet", "--direct", "--wait"];
  expect((await unharmed.line.run(args, { MIRACLE_FAULT: `count:${file}` })).code).toBe(EXIT.waiting);
  expect(counts(unharmed)).toEqual({ rows: 1, requested: 1, answered: 0, steps: 0 });
  const moments = Number(readFileSync(file, "utf8"));
  // The question comes at the end of the run.
  for (let moment = moments - 7; moment <= moments; moment += 1) {
    await using run = await carefulRun(["--wait"]);
    await run.start({ MIRACLE_FAULT: String(moment) });
    let end = await run.goOn();
    expect(end.code, `moment ${moment}: ${end.stderr}`).toBe(EXIT.waiting);
    // The answer itself is killed before and after its one write; given again, the first one counts.
    const task = run.task;
    for (const fault of ["1", "2"]) {
      const killed = await run.line.run(["approve", task, "--reason", fault], { MIRACLE_FAULT: fault });
      expect([null, 64], killed.stderr).toContain(killed.code);
    }
    await run.line.run(["approve", task, "--reason", "again"]);
    end = await run.line.run(["resume", task, "--quiet"], { MIRACLE_FAULT: String(moment % 7) });
    if (end.signal === "SIGKILL") end = await run.line.run(["resume", task, "--quiet"]);
    expect(end.code, `moment ${moment}: ${end.stderr}`).toBe(EXIT.done);
    expect(run.files()["ran.txt"], `moment ${moment}`).toBe("ran\n");
    expect(counts(run), `moment ${moment}`).toEqual(once);
  }
});
