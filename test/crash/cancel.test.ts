import { expect, test } from "vitest";
import { byTurn, call } from "../scripted-goal.ts";
import { CrashRun, type Scenario } from "./scenario.ts";

/** Writes, changes and deletes: the last moments of the run are those of its apply. */
const applying: Scenario = {
  goal: "say hello",
  flags: ["--direct", "--accept", "grep more hello.txt"],
  files: { "README.md": "a project\n", "old.txt": "old\n" },
  script: byTurn(
    call("create_file", { path: "hello.txt", content: "hello\n" }),
    call("run_command", { command: "echo more >> hello.txt; rm old.txt; mkdir -p sub && echo new > sub/new.txt" }),
    call("finish", { summary: "done" }),
  ),
};

async function momentsOf(scenario: Scenario): Promise<number> {
  await using run = await CrashRun.create(scenario);
  return await run.countMoments();
}

test("a task that is killed while it applies and then cancelled leaves nothing behind, however often that is killed", async () => {
  const moments = await momentsOf(applying);
  let takenBack = 0;
  for (let moment = moments - 11; moment < moments; moment += 2) {
    await using run = await CrashRun.create(applying);
    const before = run.files();
    expect((await run.start({ MIRACLE_FAULT: String(moment) })).signal, `moment ${moment}`).toBe("SIGKILL");
    if (run.tasks()[0]?.status !== "running") continue;
    const isApplied = JSON.stringify(run.files()) !== JSON.stringify(before);
    for (let fault = 1; fault < 40; fault += 4) {
      const end = await run.line.run(["cancel", "--last"], { MIRACLE_FAULT: String(fault) });
      if (end.signal !== "SIGKILL") break;
    }
    expect(run.files(), `moment ${moment}`).toEqual(before);
    expect(run.tasks(), `moment ${moment}`).toMatchObject([{ status: "cancelled" }]);
    expect(run.undone(), `moment ${moment}`).toBeLessThanOrEqual(1);
    if (isApplied) takenBack += run.undone();
  }
  expect(takenBack).toBeGreaterThan(1);
});
