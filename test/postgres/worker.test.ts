import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { StartedCommand } from "../command-line.ts";
import { byTurn, heldGoal, helloGoal } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { ServedApi } from "../served-api.ts";
import { administer, newDatabase, problem } from "./shared-server.ts";

const Shown = z.object({
  ready: z.int(),
  running: z.int(),
  dead: z.int(),
  workers: z.array(z.object({ labels: z.array(z.string()), tasks: z.array(z.string()) })),
  deadLetters: z.array(z.object({ job: z.object({ task: z.string() }), why: z.string() })),
});

describe.skipIf(problem !== undefined)(`workers of a queue on PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  test("what a worker that is killed with -9 had begun, another one ends from its last step, and nothing is repeated", async () => {
    const { team, terminal, release } = await heldTeam();
    const id = String((await team.api.post("/tasks", { goal: "say hello" })).body.id);
    expect(await team.api.reaches(id, "queued"), "the server does not work on it").toMatchObject({ id });
    const first = await team.startWorker();
    await terminal.asked(2);
    const [recorded] = await team.query(`select count(*)::int as n from miracle.steps where task_id = '${id}'`);
    const second = await team.startWorker();
    first.kill("SIGKILL");
    await first.end;
    release();
    await team.api.reaches(id, "checked");
    expect(Number(recorded?.n)).toBeGreaterThan(0);
    await expect.poll(() => terminal.tree(), { timeout: 20_000 }).toEqual({ "hello.txt": "644 hello\n" });
    expect(terminal.server.requests, "only what was under way is asked again").toHaveLength(3);
    expect(
      await team.query(`select count(*)::int as n from miracle.steps where task_id = '${id}' and kind = 'model'`),
    ).toEqual([{ n: 2 }]);
    const events = await team.api.follow(id, "task-settled");
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
    await expect.poll(() => team.figures(), { timeout: 20_000 }).toMatchObject({ ready: 0, running: 0, dead: 0 });
    second.kill("SIGTERM");
    expect(await second.end).toMatchObject({ code: 0 });
  });

  test("a worker that was only asleep is refused when it wakes, and works on", async () => {
    const { team, terminal, release } = await heldTeam();
    const id = String((await team.api.post("/tasks", { goal: "say hello" })).body.id);
    const sleeper = await team.startWorker();
    await terminal.asked(2);
    sleeper.kill("SIGSTOP");
    await team.startWorker();
    await terminal.asked(3);
    release();
    await team.api.reaches(id, "checked");
    sleeper.kill("SIGCONT");
    const other = String((await team.api.post("/tasks", { goal: "say hello" })).body.id);
    await team.api.reaches(other, "checked");
    const settled = `select count(*)::int as n from miracle.events where task_id = '${id}' and type = 'task-settled'`;
    expect(await team.query(settled)).toEqual([{ n: 1 }]);
    // Who wrote it down, the sleeper, the other worker, and the server that delivered.
    await team.api.follow(id, "change-applied");
    expect(await team.query(`select epoch::int as epoch from miracle.tasks where id = '${id}'`)).toEqual([
      { epoch: 4 },
    ]);
    sleeper.kill("SIGTERM");
    expect(await sleeper.end).toMatchObject({ code: 0 });
  });

  test("on SIGTERM a worker gives its task back, and another one goes on with it at once", async () => {
    const { team, terminal, release } = await heldTeam();
    const id = String((await team.api.post("/tasks", { goal: "say hello" })).body.id);
    const first = await team.startWorker();
    await terminal.asked(2);
    first.kill("SIGTERM");
    const end = await first.end;
    expect(end.code, end.stderr).toBe(0);
    expect(await team.api.reaches(id, "queued")).toMatchObject({ id });
    expect(await team.figures()).toMatchObject({ ready: 1, running: 0, dead: 0, workers: [] });
    release();
    await team.startWorker();
    await team.api.reaches(id, "checked");
    expect(terminal.server.requests).toHaveLength(3);
  });

  test("a task waits for a worker with its label; queue and metrics say who does what", async () => {
    const { team, terminal, release } = await heldTeam();
    const id = String((await team.api.post("/tasks", { goal: "say hello", labels: ["gpu"], priority: 2 })).body.id);
    const plain = await team.startWorker();
    await expect.poll(() => team.figures(), { timeout: 20_000 }).toMatchObject({ ready: 1, workers: [{ tasks: [] }] });
    plain.kill("SIGTERM");
    await plain.end;
    await team.startWorker({ flags: ["--labels", "gpu,docker", "--concurrency", "2"] });
    await terminal.asked(2);
    const workers = [{ labels: expect.arrayContaining(["gpu", "docker"]), tasks: [id] }];
    expect(await team.figures()).toMatchObject({ ready: 0, running: 1, workers });
    const shown = await terminal.run(["queue"], { env: team.env });
    expect(shown.stdout).toMatch(
      new RegExp(
        `0 tasks waiting, 0 to be tried later, 1 running\nworker \\d+ on .* \\(gpu, docker, format-\\d+, .*\\): ${id}\n`,
      ),
    );
    const { body } = await team.api.get("/metrics");
    expect(body.text).toContain('miracle_queue_jobs{state="running"} 1');
    expect(body.text).toContain("miracle_queue_workers 1");
    release();
    await team.api.reaches(id, "checked");
  });

  test("what fails again and again is a dead letter, which a person sees and revives", async () => {
    const { team, terminal, release } = await heldTeam();
    release();
    const id = String((await team.api.post("/tasks", { goal: "say hello" })).body.id);
    const dead = await terminal.run(["queue", "revive", id], { env: team.env });
    expect(dead.stderr).toContain(`there is no dead letter ${id}`);
    // It has one attempt, and no way to begin.
    await team.query("update miracle_queue.job set retry_limit = 0");
    terminal.write({ ".miracle/config.yaml": "effort: [broken" });
    await team.startWorker({ cwd: terminal.line.home, flags: ["--dir", terminal.project] });
    await expect.poll(() => team.figures(), { timeout: 20_000 }).toMatchObject({ ready: 0, running: 0, dead: 1 });
    const shown = await terminal.run(["queue"], { env: team.env, cwd: terminal.line.home });
    expect(shown.stdout).toMatch(new RegExp(`dead .*: ${id}: .*config.yaml`));
    expect((await team.api.get(`/tasks/${id}`)).body).toMatchObject({ state: "queued" });
    terminal.write({ ".miracle/config.yaml": "effort: quick\n" });
    const revived = await terminal.run(["queue", "revive", id], { env: team.env });
    expect(revived.stdout).toBe(`${id} waits for its turn\n`);
    await team.api.reaches(id, "checked");
    expect(await team.figures()).toMatchObject({ dead: 0, deadLetters: [] });
  });

  test("without a database server there is no queue, and it is said", async () => {
    const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
    for (const args of [["worker"], ["queue"], ["serve", "--queue", "--port", "0"]]) {
      const end = await terminal.run(args);
      expect(end.stderr, args.join(" ")).toContain("a queue needs PostgreSQL: set DATABASE_URL");
      expect(end.code).not.toBe(0);
    }
  });
});

/** A server that only fills the queue, and workers beside it. */
class Team {
  readonly env: Record<string, string>;
  readonly api: ServedApi;
  readonly #terminal: ScriptedTerminal;

  constructor(terminal: ScriptedTerminal, api: ServedApi, env: Record<string, string>) {
    this.#terminal = terminal;
    this.api = api;
    this.env = env;
  }

  async startWorker({ flags = [], ...options }: { flags?: string[]; cwd?: string } = {}): Promise<StartedCommand> {
    const worker = this.#terminal.start(["worker", ...flags], { env: this.env, ...options });
    onTestFinished(async () => {
      worker.kill("SIGKILL");
      await worker.end;
    });
    await worker.line(/worker \d+ takes tasks for \S.*\n/);
    return worker;
  }

  async figures(): Promise<z.infer<typeof Shown>> {
    const end = await this.#terminal.run(["queue", "--json"], { env: this.env, cwd: this.#terminal.line.home });
    expect(end.code, end.stderr).toBe(0);
    return Shown.parse(JSON.parse(end.stdout));
  }

  query(sql: string): Promise<Record<string, unknown>[]> {
    return administer(sql, this.env.DATABASE_URL);
  }
}

/** A model that answers once, and then not before it is released. */
async function heldTeam() {
  const { script, release } = heldGoal();
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure("direct: true\n");
  const env = { DATABASE_URL: await newDatabase() };
  const api = await ServedApi.start(terminal, { env, flags: ["--queue"] });
  return { team: new Team(terminal, api, env), terminal, release };
}
