import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { heldGoal } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { ServedApi } from "../served-api.ts";
import { FarMachine } from "./far-machine.ts";
import { administer, newDatabase, problem } from "./shared-server.ts";

test("a worker that is cut off from the database loses its task to another one; when it is back nothing is done twice", async (context) => {
  if (problem) return context.skip(problem);
  const far = FarMachine.open();
  if (typeof far === "string") return context.skip(far);
  onTestFinished(() => far[Symbol.asyncDispose]());
  const { script, release } = heldGoal();
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure("direct: true\n");
  const url = new URL(await newDatabase());
  const env = { DATABASE_URL: url.href };
  const api = await ServedApi.start(terminal, { env, flags: ["--queue"] });
  const token = (await terminal.run(["token", "add", "worker", "--scope", "work"], { env })).stdout.trim();
  await far.join(Number(url.port));
  for (const address of [api.origin, terminal.server.baseUrl]) await far.lend(Number(new URL(address).port));
  const byCable = Object.assign(new URL(url), { hostname: far.here }).href;

  const startWorker = async (name: string, databaseUrl: string, within: string[] = []) => {
    const home = join(terminal.root, name);
    terminal.write({ ".keep": "" }, home);
    const reach = { DATABASE_URL: databaseUrl, MIRACLE_TREES: `${api.origin}/trees`, MIRACLE_TOKEN: token };
    const worker = terminal.start(["worker"], {
      cwd: home,
      env: { ...reach, HOME: home, MIRACLE_HOME: join(home, "data") },
      within,
    });
    onTestFinished(async () => {
      worker.kill("SIGKILL");
      await worker.end;
    });
    await worker.line(/worker \d+ takes tasks for all directories\n/);
    return worker;
  };
  const ask = async () => String((await api.post("/tasks", { goal: "say hello" })).body.id);
  const count = async (what: string) =>
    (await administer(`select count(*)::int as n from miracle.${what}`, url.href))[0]?.n;

  const id = await ask();
  const away = await startWorker("away", byCable, far.within);
  await terminal.asked(2);
  far.cut();
  const near = await startWorker("near", url.href);
  await terminal.asked(3);
  // Both are answered now. Only one of them can write it down.
  release();
  await api.follow(id, "change-applied");
  far.mend();
  near.kill("SIGTERM");
  await near.end;
  const other = await ask();
  await api.reaches(other, "checked");
  expect(await count(`events where task_id = '${id}' and type = 'task-settled'`)).toBe(1);
  expect(await count(`steps where task_id = '${id}' and kind = 'model'`)).toBe(2);
  expect(terminal.server.requests, "what was under way is asked again, and nothing else").toHaveLength(5);
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
  away.kill("SIGTERM");
  expect(await away.end).toMatchObject({ code: 0 });
}, 300_000);
