import { expect, test } from "vitest";
import type { ServedRequest } from "../model-server.ts";
import { addGoal, call, roleOf } from "../scripted-goal.ts";
import { stuckGoal, stuckScript } from "../stuck-goal.ts";
import { twoParts, twoPartsGoal } from "../two-parts-goal.ts";
import { CrashRun, type Finished, type Scenario } from "./scenario.ts";

const turn = (request: ServedRequest) => request.messages.filter((message) => message.role === "assistant").length;

const directTurns = [
  call("create_file", { path: "hello.txt", content: "hello\n" }),
  call("run_command", { command: "echo more >> hello.txt; rm old.txt; mkdir -p sub && echo new > sub/new.txt" }),
  call("finish", { summary: "done" }),
];

const direct: Scenario = {
  goal: "say hello",
  flags: ["--direct", "--accept", "grep more hello.txt"],
  files: { "README.md": "a project\n", "old.txt": "old\n" },
  script: (request) => ({ toolCalls: [directTurns[turn(request)] ?? call("finish", { summary: "" })] }),
};

/** The scripted goal with one red iteration, as a function of the request alone. */
const looped: Scenario = {
  goal: "Write a module that adds two numbers",
  flags: [],
  files: {},
  script: (request) => {
    const role = roleOf(request);
    const later = role === "coder" && request.messages[0]?.text.includes("Notes from earlier attempts");
    const next = addGoal[role][turn(request) + (later ? 2 : 0)];
    if (!next) throw new Error(`no answer for the ${role} in turn ${turn(request)}`);
    return { toolCalls: [next] };
  },
};

/** Two todos at once, one of which is worked again on the merged tree. */
const atOnce: Scenario = {
  goal: twoPartsGoal,
  flags: ["--parallel", "2"],
  files: {},
  script: twoParts("chore"),
  inFlight: 2,
};

/** A todo that stays red, its debugger, and two candidates at once. */
const branched: Scenario = { goal: stuckGoal, flags: [], files: {}, script: stuckScript, inFlight: 2 };

/** Kills the run at this moment, looks at what is left, goes on, and compares the end with that of an unharmed run. */
async function crashAt(scenario: Scenario, moment: number, unharmed: Finished): Promise<void> {
  await using run = await CrashRun.create(scenario);
  const killed = await run.start({ MIRACLE_FAULT: String(moment) });
  expect(killed.signal, `moment ${moment}: ${killed.stderr}`).toBe("SIGKILL");
  const recorded = run.recordedModelCalls();
  const asked = run.requests;
  const { inFlight = 1 } = scenario;
  expect(asked - recorded, `moment ${moment}: at most ${inFlight} in flight`).toBeLessThanOrEqual(inFlight);
  if (run.tasks().some((task) => task.status !== "running")) {
    expect(run.finished(), `moment ${moment}: killed after the end`).toMatchObject({ tree: unharmed.tree });
    return;
  }
  const end = await run.goOn();
  const about = `moment ${moment}: ${end.stderr}${end.stdout}`;
  expect(end.code, about).toBe(0);
  expect(run.finished(), about).toMatchObject({ files: unharmed.files, tree: unharmed.tree, status: unharmed.status });
  expect(run.requests - asked, `${about}: no recorded call is made again`).toBe(unharmed.requests - recorded);
}

async function unharmedRun(scenario: Scenario): Promise<{ moments: number; finished: Finished }> {
  await using run = await CrashRun.create(scenario);
  return { moments: await run.countMoments(), finished: run.finished() };
}

/**
 * Kills the run again and again on its way, each process after this many moments, until one comes to the end: that of an
 * unharmed run, with no recorded call made again.
 */
async function crashAllAlong(scenario: Scenario, stride: number, unharmed: Finished): Promise<number> {
  await using run = await CrashRun.create(scenario);
  const { inFlight = 1 } = scenario;
  const fault = { MIRACLE_FAULT: String(stride) };
  let [kills, asked, recorded] = [0, 0, 0];
  let end = await run.start(fault);
  while (end.signal === "SIGKILL" && kills < 40) {
    kills += 1;
    const lost = asked - recorded;
    [asked, recorded] = [run.requests, run.recordedModelCalls()];
    expect(asked - recorded - lost, `kill ${kills}: at most ${inFlight} in flight`).toBeLessThanOrEqual(inFlight);
    if (run.tasks().some((task) => task.status !== "running")) break;
    end = await run.goOn(fault);
  }
  const about = `after ${kills} kills: ${end.stderr}${end.stdout}`;
  expect(end.code ?? 0, about).toBe(0);
  expect(run.finished(), about).toMatchObject({ files: unharmed.files, tree: unharmed.tree, status: unharmed.status });
  expect(run.requests - asked, `${about}: no recorded call is made again`).toBe(unharmed.requests - recorded);
  return kills;
}

/** Two at a time: each is mostly a process that waits for its disk. */
async function crashAtEach(scenario: Scenario, moments: number[], unharmed: Finished): Promise<void> {
  const left = [...moments];
  const work = async () => {
    for (let moment = left.shift(); moment !== undefined; moment = left.shift())
      await crashAt(scenario, moment, unharmed);
  };
  await Promise.all([work(), work()]);
}

test("a short run killed before and after every write and rename ends as if nothing had happened", async () => {
  const { moments, finished } = await unharmedRun(direct);
  expect(finished.files).toEqual({ "README.md": "a project\n", "hello.txt": "hello\nmore\n", "sub/new.txt": "new\n" });
  expect(moments).toBeGreaterThan(40);
  expect(moments).toBeLessThanOrEqual(160);
  await crashAtEach(
    direct,
    Array.from({ length: moments }, (_, index) => index + 1),
    finished,
  );
});

test("a longer run with a red iteration survives crashes all along its way", async () => {
  const { moments, finished } = await unharmedRun(looped);
  expect(finished.status).toBe("proven");
  // Every moment of a run is in the short one above: here it is the phases that differ.
  expect(await crashAllAlong(looped, Math.floor(moments / 10), finished)).toBeGreaterThan(8);
});

test("todos that are worked on at once survive crashes all along their way", async () => {
  const { moments, finished } = await unharmedRun(atOnce);
  expect(finished.status).toBe("checked");
  expect(await crashAllAlong(atOnce, Math.floor(moments / 9), finished)).toBeGreaterThan(8);
});

test("a branch todo and its candidates survive crashes all along their way", async () => {
  const { moments, finished } = await unharmedRun(branched);
  expect(finished.status).toBe("proven");
  expect(await crashAllAlong(branched, Math.floor(moments / 12), finished)).toBeGreaterThan(10);
});

test("a run that is killed again and again still comes to its end", async () => {
  const { finished } = await unharmedRun(direct);
  expect(await crashAllAlong(direct, 12, finished)).toBeGreaterThan(4);
});

test("an apply that is killed at any moment is finished by the next one, and the verdict stays", async () => {
  const kept: Scenario = { ...direct, flags: [...direct.flags, "--no-apply"] };
  await using run = await CrashRun.create(kept);
  expect((await run.start()).code).toBe(0);
  const before = run.files();
  let moment = 1;
  for (let killed = true; killed; moment += 1) {
    killed = (await run.line.run(["apply", "--last"], { MIRACLE_FAULT: String(moment) })).signal === "SIGKILL";
    if (!killed) break;
    expect(run.tasks()[0]?.status, `moment ${moment}`).toBe("checked");
    const end = await run.line.run(["apply", "--last"]);
    // Killed after its last write, there is nothing left to apply.
    if (end.code !== 0) expect(end.stderr, `moment ${moment}`).toContain("is applied already");
    expect(run.files(), `moment ${moment}`).toMatchObject({ "hello.txt": "hello\nmore\n", "sub/new.txt": "new\n" });
    expect((await run.line.run(["undo", "--last"])).code, `moment ${moment}`).toBe(0);
    expect(run.files(), `moment ${moment}`).toEqual(before);
  }
  expect(moment).toBeGreaterThan(8);
});
