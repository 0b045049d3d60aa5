import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ArtifactStore } from "../../src/workspace/artifact-store.ts";
import { problemsIn, systemGit } from "../awkward-tree.ts";
import type { StartedCommand } from "../command-line.ts";
import { addGoal, byRole, byTurn, call } from "../scripted-goal.ts";
import type { ScriptedTerminal } from "../scripted-terminal.ts";
import { openTeam } from "./far-team.ts";
import { problem } from "./shared-server.ts";

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
    expect(
      await query(`select count(*)::int as n from miracle.steps where task_id = '${id}' and kind = 'model'`),
    ).toEqual([{ n: 2 }]);
    await expect
      .poll(() => query("select count(*)::int as n from miracle.jobs"), { timeout: 20_000 })
      .toEqual([{ n: 0 }]);
    expect((await api.get(`/tasks/${id}/diff`)).body.text).toContain("+hello");
    const branch = `ai/generated/${id}/result`;
    const said = systemGit(join(terminal.line.dataDirectory, "artifacts.git"), "log", "-1", "--format=%B", branch);
    expect(said).toMatch(/^Miracle-Epoch: 3$/m);
    expect(said).toMatch(/^Miracle-Role-coder: prompt [0-9a-f]{12}, tools [0-9a-f]{12}, local\/scripted$/m);
    expect(said).toMatch(/^Miracle-Steps: \S+ 0-\d+$/m);
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

  test("a Python goal is proven where its directory is not", async () => {
    const { terminal, api, machine } = await openTeam(byRole(addGoal));
    terminal.configure("effort: quick\n");
    const id = String((await api.post("/tasks", { goal: "write calc.py, which adds two numbers" })).body.id);
    await machine("first");
    const events = await api.follow(id, "change-applied");
    expect(events.at(-2)?.data).toMatchObject({ outcome: { status: "proven" } });
    expect(terminal.tree()["calc.py"]).toContain("return a + b");
  }, 300_000);

  test.each([
    ["come from the server", true],
    ["are read where the directory is shared", false],
  ])(
    "variables for tests %s, and nothing that is recorded holds their secrets",
    async (_, isFar) => {
      const leak = 'import os\n\ndef test_red():\n    assert False, os.environ["TEST_API_KEY"]\n';
      const script = byTurn(call("run_tests", {}), call("finish", { summary: "all is well" }));
      const { terminal, api, machine, env, query } = await openTeam(script);
      terminal.configure(`direct: true\naccept: ['test "$TEST_API_KEY"']\n`);
      terminal.write({ "test_leak.py": leak, ".miracle/test.env": "TEST_API_KEY=hush-hush-123\n" });
      const id = String((await api.post("/tasks", { goal: "run the tests" })).body.id);
      const worker = await (isFar ? machine("first") : nearWorker(terminal, env));
      const { data } = (await api.follow(id, "task-settled")).at(-1) ?? {};
      expect(data).toMatchObject({ outcome: { status: "checked" } });
      const asked = JSON.stringify(terminal.server.requests);
      expect(asked).toContain("AssertionError: [redacted]");
      expect(asked).not.toContain("hush-hush");
      expect(JSON.stringify(await query("select body from miracle.events"))).not.toContain("hush-hush");
      worker.kill("SIGTERM");
      expect((await worker.end).stderr).not.toContain("hush-hush");
      const lent = `/trees/${id}/test-variables`;
      const reader = await terminal.run(["token", "add", "reader", "--scope", "read,run"], { env });
      expect((await api.get(lent, { authorization: `Bearer ${reader.stdout.trim()}` })).status).toBe(403);
      expect((await api.get(lent, { authorization: "Bearer nothing" })).status).toBe(401);
      expect((await api.get("/trees/t00000000/test-variables")).status).toBe(404);
    },
    120_000,
  );

  test("large trees travel over HTTP, too", async () => {
    const { terminal, api, reach } = await openTeam();
    const remote = { address: reach.MIRACLE_TREES, token: reach.MIRACLE_TOKEN };
    const [one, two] = ["one", "two"].map((name) => ArtifactStore.open(join(terminal.root, name), { remote }));
    terminal.write({ "large.bin": randomBytes(3_000_000) });
    const task = "t0123456789";
    const { id } = (await one?.importTree(task, terminal.project)) ?? { id: "" };
    await one?.send(task);
    await two?.receive(task);
    expect(two?.readFile(id, "large.bin")).toEqual(readFileSync(join(terminal.project, "large.bin")));
    const listed = await api.get(`/trees/${task}/info/refs?service=git-upload-pack`);
    expect(listed.body.text).toContain(`refs/miracle/${task}/${id}`);
  });

  test("doctor says on a machine what is missing to join", async () => {
    const { terminal, env, reach } = await openTeam();
    const doctor = async (more: Record<string, string>) => {
      const end = await terminal.run(["doctor", "--worker"], { env: more, cwd: terminal.line.home });
      return end.stdout.split("\n").filter((line) => line.includes("worker, "));
    };
    expect((await doctor({})).slice(0, 2)).toEqual([
      "✗ worker, queue: no DATABASE_URL",
      expect.stringMatching(/^– worker, trees: no MIRACLE_TREES: /),
    ]);
    const [queue, trees] = await doctor({ ...env, ...reach, MIRACLE_TOKEN: "mt_wrong" });
    expect(queue).toMatch(/^✓/);
    expect(trees).toMatch(/^✗ worker, trees: trees cannot be exchanged with http:.*MIRACLE_TOKEN/);
    expect(await doctor({ ...env, ...reach })).toEqual([
      expect.stringMatching(/^✓ worker, queue/),
      expect.stringMatching(/^✓ worker, trees: http:.*\/trees answers/),
      expect.stringMatching(/^✓ worker, tasks: takes those that need nothing but format-\d+, python/),
    ]);
  });

  test("a task of a format or a language that a worker lacks waits for another one", async () => {
    const { terminal, api, machine, query } = await openTeam();
    terminal.write({ "go.mod": "module shop\n\ngo 1.19\n", "shop.go": "package shop\n" });
    const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
    const [job] = await query(`select data->'labels' as labels from miracle_queue.job where singleton_key = '${id}'`);
    expect(job?.labels).toEqual([expect.stringMatching(/^format-\d+$/), "go", "tasks"]);
    await query(
      `update miracle_queue.job set data = jsonb_set(data, '{labels}', '["format-0"]'), group_id = replace(group_id, 'format-', 'format-0')`,
    );
    await machine("first");
    const seen = "select count(*)::int as n from miracle_queue.workers";
    await expect.poll(() => query(seen), { timeout: 20_000 }).toEqual([{ n: 1 }]);
    expect(await query("select state::text as state from miracle_queue.job")).toEqual([{ state: "created" }]);
    expect(terminal.server.requests).toEqual([]);
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

/** Beside the server, with its data directory, and settings that are not the project's. */
async function nearWorker(terminal: ScriptedTerminal, env: Record<string, string>): Promise<StartedCommand> {
  const worker = terminal.start(["worker"], { env, cwd: terminal.line.home });
  onTestFinished(async () => {
    worker.kill("SIGKILL");
    await worker.end;
  });
  await worker.line(/worker \d+ takes tasks for \S.*\n/);
  return worker;
}
