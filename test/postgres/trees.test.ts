import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { problemsIn } from "../awkward-tree.ts";
import type { StartedCommand } from "../command-line.ts";
import { heldGoal } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { ServedApi } from "../served-api.ts";
import { administer, newDatabase, problem } from "./shared-server.ts";

describe.skipIf(problem !== undefined)(`trees between machines${problem ? ` (${problem})` : ""}`, () => {
  test("workers that share only database, network and git take over each other's task, and the server delivers", async () => {
    const { terminal, release, api, machine, query } = await openTeam();
    terminal.write({ "README.md": "# shop\n", "src/deep/file.txt": "deep\n" });
    const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
    const first = await machine("first");
    await terminal.asked(2);
    await machine("second");
    first.kill("SIGKILL");
    await first.end;
    rmSync(first.data, { recursive: true, force: true });
    release();
    await api.reaches(id, "checked");
    await expect.poll(() => terminal.tree()["hello.txt"], { timeout: 30_000 }).toBe("644 hello\n");
    expect(terminal.server.requests, "only what was under way is asked again").toHaveLength(3);
    expect(await query(`select count(*)::int as n from miracle.steps where task_id = '${id}' and kind = 'model'`)).toEqual([
      { n: 2 },
    ]);
    await expect.poll(() => query("select count(*)::int as n from miracle.jobs"), { timeout: 20_000 }).toEqual([{ n: 0 }]);
    expect((await api.get(`/tasks/${id}/diff`)).body.text).toContain("+hello");
    expect((await api.post(`/tasks/${id}/undo`, {})).status).toBe(200);
    expect(terminal.tree()).not.toHaveProperty("hello.txt");
    expect(problemsIn(join(terminal.line.dataDirectory, "artifacts.git"))).toEqual([]);
  });

  test("a result that meets edits of the person is kept, and it is said", async () => {
    const { terminal, release, api, machine } = await openTeam();
    const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
    const worker = await machine("first");
    await terminal.asked(2);
    terminal.write({ "hello.txt": "mine\n" });
    release();
    const events = await api.follow(id, "warning-raised");
    expect(events.at(-1)?.data).toMatchObject({ code: "apply.conflict" });
    expect(terminal.tree()).toEqual({ "hello.txt": "644 mine\n" });
    worker.kill("SIGTERM");
    expect(await worker.end).toMatchObject({ code: 0 });
  });

  test("trees are lent to tokens that may work, one task at a time", async () => {
    const { terminal, api, env } = await openTeam();
    const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
    const reader = await terminal.run(["token", "add", "reader", "--scope", "read,run"], { env });
    const asked = `/trees/${id}/info/refs?service=git-upload-pack`;
    const refused = await api.get(asked, { authorization: `Bearer ${reader.stdout.trim()}` });
    expect(refused.status).toBe(403);
    expect((await api.get(asked, { authorization: "Bearer nothing" })).status).toBe(401);
    const seen = (await api.get(asked)).body.text;
    expect(seen).toContain(`refs/miracle/${id}/`);
    const other = (await api.get("/trees/t00000000/info/refs?service=git-upload-pack")).body.text;
    expect(other).not.toContain("refs/miracle");
    for (const path of [`/trees/${id}/HEAD`, `/trees/${id}/config`, "/trees/..%2f..%2f/info/refs"]) {
      expect((await api.get(path)).status, path).toBe(404);
    }
  });
});

type Machine = StartedCommand & { data: string };

async function openTeam() {
  const { script, release } = heldGoal();
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure("direct: true\n");
  const url = await newDatabase();
  const env = { DATABASE_URL: url };
  const api = await ServedApi.start(terminal, { env, flags: ["--queue"] });
  const token = (await terminal.run(["token", "add", "worker", "--scope", "work"], { env })).stdout.trim();
  /** A worker in a home of its own, where the project is not. */
  const machine = async (name: string): Promise<Machine> => {
    const home = join(terminal.root, name);
    terminal.write({ ".keep": "" }, home);
    const data = join(home, "data");
    const worker = terminal.start(["worker"], {
      cwd: home,
      env: { ...env, HOME: home, MIRACLE_HOME: data, MIRACLE_TREES: `${api.origin}/trees`, MIRACLE_TOKEN: token },
    });
    onTestFinished(async () => {
      worker.kill("SIGKILL");
      await worker.end;
    });
    await worker.line(/worker \d+ takes tasks for all directories\n/);
    expect(existsSync(data)).toBe(true);
    return Object.assign(worker, { data });
  };
  return { terminal, release, api, env, machine, query: (sql: string) => administer(sql, url) };
}
