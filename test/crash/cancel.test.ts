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

const branching: Scenario = { ...applying, flags: [...applying.flags, "--branch", "feature/hello"], committed: true };

const seen = (run: CrashRun) => [
  run.git("for-each-ref"),
  run.git("status", "--porcelain"),
  run.git("worktree", "list"),
];

test("a task that made a branch and was killed is cancelled without a trace, killed at every moment of that, and taken back once", async () => {
  const moments = await momentsOf(branching);
  let made = 0;
  for (let moment = moments - 8; moment < moments; moment += 3) {
    await using run = await CrashRun.create(branching);
    const before = seen(run);
    expect((await run.start({ MIRACLE_FAULT: String(moment) })).signal, `moment ${moment}`).toBe("SIGKILL");
    if (run.tasks()[0]?.status !== "running") continue;
    const isMade = run.git("branch", "--list", "feature/hello") !== "";
    // Where the branch stands, each moment of the cancelling is the last of one process.
    for (let fault = 1; fault < 40; fault += isMade ? 1 : 5) {
      const end = await run.line.run(["cancel", "--last"], { MIRACLE_FAULT: String(fault) });
      if (end.signal !== "SIGKILL") break;
    }
    expect(seen(run), `moment ${moment}`).toEqual(before);
    expect(run.tasks(), `moment ${moment}`).toMatchObject([{ status: "cancelled" }]);
    expect(run.undone(), `moment ${moment}`).toBeLessThanOrEqual(1);
    expect(run.checkouts(), `moment ${moment}`).toEqual([]);
    if (isMade) made += run.undone();
  }
  expect(made).toBeGreaterThan(0);
});

test("a branch that somebody has built on outlives the cancelling, and is named", async () => {
  const moments = await momentsOf(branching);
  for (let moment = moments - 1; ; moment -= 1) {
    await using run = await CrashRun.create(branching);
    await run.start({ MIRACLE_FAULT: String(moment) });
    if (run.tasks()[0]?.status !== "running" || run.git("branch", "--list", "feature/hello") === "") continue;
    run.git("checkout", "-q", "feature/hello");
    run.git("commit", "-q", "--allow-empty", "-m", "mine");
    const end = await run.line.run(["cancel", "--last"]);
    expect(end.stdout).toContain("branch feature/hello stays, because it has commits since");
    expect(run.git("log", "-1", "--format=%s")).toBe("mine\n");
    break;
  }
});
