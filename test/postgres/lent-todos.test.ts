import { describe, expect, test } from "vitest";
import type { ServedRequest } from "../model-server.ts";
import { partOf, twoParts, twoPartsGoal } from "../two-parts-goal.ts";
import { type Machine, openTeam } from "./far-team.ts";
import { problem } from "./shared-server.ts";

const DONE = {
  "src/index.js": '644 export { double } from "./double.js";\nexport { halve } from "./halve.js";\n',
  "src/double.js": "644 export const double = (n) => n * 2;\n",
  "src/halve.js": "644 export const halve = (n) => n / 2;\n",
};

describe.skipIf(problem !== undefined)(`todos of one plan on several workers${problem ? ` (${problem})` : ""}`, () => {
  test("two workers that share only database, network and git work on one plan, and no step is taken twice", async () => {
    const team = await openHeldTeam();
    await team.machine("one");
    await team.machine("two");
    const id = await team.begin();
    await team.bothAsked;
    expect(await team.lent(id)).toMatchObject([{ state: "lent" }]);
    expect(await team.holders(id), "the task, and a todo of it, are with different workers").toHaveLength(2);
    team.release();
    await team.api.reaches(id, "checked");
    await expect.poll(() => team.terminal.tree(), { timeout: 30_000 }).toMatchObject(DONE);
    expect(await team.lent(id)).toMatchObject([{ state: "ended" }]);
    expect(await team.modelSteps(id)).toBe(team.terminal.server.requests.length);
    const again = await team.terminal.run(["replay", id], { env: team.env });
    expect(again, again.stderr).toMatchObject({ code: 0 });
  }, 120_000);

  test("what a helper that is killed with -9 had recorded is kept, and the task's own worker goes on from there", async () => {
    const team = await openHeldTeam();
    const machines = [await team.machine("one"), await team.machine("two")];
    const id = await team.begin();
    await team.bothAsked;
    const { helper } = await team.sides(id, machines);
    helper.kill("SIGKILL");
    await helper.end;
    team.release();
    await team.api.reaches(id, "checked");
    await expect.poll(() => team.terminal.tree(), { timeout: 30_000 }).toMatchObject(DONE);
    expect(await team.lent(id)).toMatchObject([{ state: "back" }]);
    const asked = team.terminal.server.requests.length;
    expect(await team.modelSteps(id), "only what was under way is asked again").toBe(asked - 1);
  }, 120_000);

  test("a worker for todos alone takes no task, and helps whoever has one", async () => {
    const team = await openHeldTeam();
    const helping = await team.machine("one", ["--roles", "todos"]);
    const id = await team.begin();
    await expect.poll(() => team.waiting(), { timeout: 20_000 }).toEqual([{ state: "created" }]);
    await team.machine("two", ["--roles", "tasks"]);
    await team.bothAsked;
    const [owner, helper] = await team.holders(id);
    expect(helper).toContain(`"pid":${helping.pid},`);
    expect(owner).not.toBe(helper);
    team.release();
    await team.api.reaches(id, "checked");
    expect(await team.lent(id)).toMatchObject([{ state: "ended" }]);
  }, 120_000);

  test("when the task's own worker is killed with -9, the helper ends its todo, takes the task over, and recalls it", async () => {
    const team = await openHeldTeam();
    const machines = [await team.machine("one"), await team.machine("two")];
    const id = await team.begin();
    await team.bothAsked;
    const { owner } = await team.sides(id, machines);
    owner.kill("SIGKILL");
    await owner.end;
    team.release();
    await team.api.reaches(id, "checked");
    await expect.poll(() => team.terminal.tree(), { timeout: 30_000 }).toMatchObject(DONE);
    const asked = team.terminal.server.requests.length;
    expect(await team.modelSteps(id), "only what was under way is asked again").toBe(asked - 1);
  }, 120_000);

  test("when both are killed with -9, a third worker goes on with all that they had recorded", async () => {
    const team = await openHeldTeam();
    const machines = [await team.machine("one"), await team.machine("two")];
    const id = await team.begin();
    await team.bothAsked;
    for (const machine of machines) machine.kill("SIGKILL");
    await Promise.all(machines.map(({ end }) => end));
    await team.machine("three");
    team.release();
    await team.api.reaches(id, "checked");
    await expect.poll(() => team.terminal.tree(), { timeout: 30_000 }).toMatchObject(DONE);
    const asked = team.terminal.server.requests.length;
    expect(await team.modelSteps(id), "only what was under way is asked again").toBe(asked - 2);
  }, 120_000);

  test("a helper that was only asleep records nothing when it wakes, and works on", async () => {
    const team = await openHeldTeam();
    const machines = [await team.machine("one"), await team.machine("two")];
    const id = await team.begin();
    await team.bothAsked;
    const { owner, helper } = await team.sides(id, machines);
    helper.kill("SIGSTOP");
    await expect.poll(() => team.lent(id), { timeout: 60_000 }).toMatchObject([{ state: "back" }]);
    team.release();
    await team.api.reaches(id, "checked");
    const steps = await team.steps(id);
    const asked = team.terminal.server.requests.length;
    expect(await team.modelSteps(id)).toBe(asked - 1);
    helper.kill("SIGCONT");
    owner.kill("SIGTERM");
    await owner.end;
    const other = await team.begin();
    await team.api.reaches(other, "checked");
    expect(await team.steps(id)).toEqual(steps);
    helper.kill("SIGTERM");
    expect(await helper.end).toMatchObject({ code: 0 });
  }, 180_000);

  test("on SIGTERM a helper gives its todo back at once", async () => {
    const team = await openHeldTeam();
    const machines = [await team.machine("one"), await team.machine("two")];
    const id = await team.begin();
    await team.bothAsked;
    const { helper } = await team.sides(id, machines);
    helper.kill("SIGTERM");
    expect(await helper.end).toMatchObject({ code: 0 });
    expect(await team.lent(id)).toMatchObject([{ state: "ended" }]);
    team.release();
    await team.api.reaches(id, "checked");
    expect(await team.modelSteps(id)).toBe(team.terminal.server.requests.length - 1);
  }, 120_000);
});

/** Neither coder gets an answer before the test says so. */
async function openHeldTeam() {
  const asked = { double: Promise.withResolvers<void>(), halve: Promise.withResolvers<void>() };
  const released = Promise.withResolvers<void>();
  const team = await openTeam(async (request: ServedRequest) => {
    const part = partOf(request);
    if (part === "double" || part === "halve") {
      asked[part].resolve();
      await released.promise;
    }
    return twoParts("chore")(request);
  });
  team.terminal.configure("effort: quick\narchitect: never\nlimits: { parallel: 2 }\n");
  const { api, query } = team;
  const holders = async (id: string) => {
    const rows = await query(`select worker from miracle_queue.holders where task like '${id}%' order by task`);
    return [...new Set(rows.map(({ worker }) => String(worker)))];
  };
  return {
    ...team,
    holders,
    /** Which of the machines has the task, and which one a todo of it. */
    sides: async (id: string, machines: Machine[]) => {
      const [owner, helper] = (await holders(id)).map((name) =>
        machines.find(({ pid }) => name.includes(`"pid":${pid},`)),
      );
      if (!owner || !helper) throw new Error("the task and its todo are not with two of the machines");
      return { owner, helper };
    },
    release: released.resolve,
    bothAsked: Promise.all([asked.double.promise, asked.halve.promise]),
    begin: async () => String((await api.post("/tasks", { goal: twoPartsGoal })).body.id),
    lent: (id: string) => query(`select state, strand from miracle.loans where task_id = '${id}'`),
    waiting: () => query("select state from miracle_queue.job where name = 'tasks'"),
    steps: (id: string) =>
      query(`select path, hash from miracle.steps where task_id = '${id}' and strand like 'todo:%' order by sequence`),
    modelSteps: async (id: string) => {
      const [row] = await query(
        `select count(*)::int as n from miracle.steps where task_id = '${id}' and kind = 'model'`,
      );
      return row?.n;
    },
  };
}
