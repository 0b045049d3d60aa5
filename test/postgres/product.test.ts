import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CommandLine } from "../command-line.ts";
import { type Script, type ServedRequest, startModelServer } from "../model-server.ts";
import { addGoal, byTurn, call, roleOf } from "../scripted-goal.ts";
import { temporaryDirectory } from "../temporary.ts";
import { partOf, twoParts, twoPartsGoal } from "../two-parts-goal.ts";
import { administer, newDatabase, problem } from "./shared-server.ts";

const turn = (request: ServedRequest) => request.messages.filter((message) => message.role === "assistant").length;

/** Red, a reflection, green; from the request alone, so that a crash cannot disturb the order. */
const looped: Script = (request) => {
  const role = roleOf(request);
  const later = role === "coder" && request.messages[0]?.text.includes("Notes from earlier attempts");
  const next = addGoal[role][turn(request) + (later ? 2 : 0)];
  if (!next) throw new Error(`no answer for the ${role} in turn ${turn(request)}`);
  return { toolCalls: [next] };
};

const short = byTurn(
  call("create_file", { path: "hello.txt", content: "hello\n" }),
  call("run_command", { command: "echo more >> hello.txt" }),
  call("finish", { summary: "done" }),
);
const SHORT = ["run", "say hello", "--quiet", "--direct", "--accept", "grep more hello.txt"];

/** Neither coder gets its first answer before both have asked: what is killed in between is killed in both. */
function atOnce(): Script {
  const asked = { double: Promise.withResolvers<void>(), halve: Promise.withResolvers<void>() };
  return async (request) => {
    const part = partOf(request);
    if ((part === "double" || part === "halve") && turn(request) === 0) {
      asked[part].resolve();
      await Promise.all([asked.double.promise, asked.halve.promise]);
    }
    return twoParts("chore")(request);
  };
}

/** A person's terminal with DATABASE_URL set, on a database of its own. */
async function terminal(script: Script) {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const url = await newDatabase();
  const line = new CommandLine(temporaryDirectory(), server.baseUrl);
  const said: string[] = [];
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const end = await line.run(args, { DATABASE_URL: url, ...env });
    said.push(end.stdout, end.stderr);
    return end;
  };
  const query = (sql: string) => administer(sql, url);
  return { server, url, line, run, query, said };
}

describe.skipIf(problem !== undefined)(`miracle on PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  test("a goal is run, remembered, shown, replayed, verified, exported and pruned, with nothing on this machine's disk", async () => {
    const { line, run, query, url, said } = await terminal(looped);
    const ran = await run(["run", "Write a module that adds two numbers", "--quiet"], { MIRACLE_MEMORY: "on" });
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(join(line.project, "calc.py"), "utf8")).toContain("a + b");
    expect(existsSync(line.database)).toBe(false);

    const id = String((await query("select id from miracle.tasks"))[0]?.id);
    const history = await run(["history"]);
    expect(history.stdout, history.stderr).toContain(id);
    const shown = await run(["show", id]);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain("adds two numbers");
    for (const command of ["replay", "verify"]) {
      const done = await run([command, id]);
      expect(done.code, `${command}: ${done.stderr}${done.stdout}`).toBe(0);
    }
    const file = join(line.home, "cassette.json");
    const exported = await run(["export", id, "--output", file]);
    expect(exported.code, exported.stderr).toBe(0);
    const elsewhere = await run(["replay", file], { MIRACLE_DATABASE_URL: "sqlite" });
    expect(elsewhere.code, elsewhere.stderr).toBe(0);

    const pruned = await run(["prune", id, "--yes"]);
    expect(pruned.code, pruned.stderr).toBe(0);
    const left = await query(
      "select (select count(*) from miracle.tasks) + (select count(*) from miracle.steps) + (select count(*) from miracle.blobs) as n",
    );
    expect(Number(left[0]?.n)).toBe(0);
    // Memory outlives its task: for the person without the project's code.
    expect(await query("select scope, solution is not null as mended from miracle.failures order by scope")).toEqual([
      { scope: "mine", mended: false },
      { scope: "project", mended: true },
    ]);
    expect(await query("select interfaces from miracle.patterns where scope = 'project'")).toEqual([
      { interfaces: "def add(a, b)" },
    ]);
    expect(await query("select step from miracle.memory_writes")).toEqual([]);
    expect(said.join("\n")).not.toContain(new URL(url).password);
  });

  test("a run killed before and after its writes ends as if nothing had happened", async () => {
    const unharmed = await terminal(short);
    expect((await unharmed.run(SHORT)).code).toBe(0);
    const tree = "select final_code as tree, status from miracle.tasks";
    const [expected] = await unharmed.query(tree);
    const { run, query, server, line } = await terminal(short);
    // The first process is killed at its first moment, the next one at its second, and so on.
    let [kills, asked, calls] = [0, 0, 0];
    let end = await run(SHORT, { MIRACLE_FAULT: "1" });
    while (end.signal === "SIGKILL" && kills < 30) {
      kills += 1;
      const lost = asked - calls;
      const [counted] = await query("select count(*) as calls from miracle.steps where kind = 'model'");
      [asked, calls] = [server.requests.length, Number(counted?.calls)];
      expect(asked - calls - lost, `kill ${kills}: at most one call is in flight`).toBeLessThanOrEqual(1);
      const tasks = await query("select status from miracle.tasks");
      if (tasks.some(({ status }) => status !== "running")) break;
      end = await run(tasks.length === 0 ? SHORT : ["resume", "--last", "--quiet"], {
        MIRACLE_FAULT: String(kills + 1),
      });
    }
    const about = `after ${kills} kills: ${end.stderr}${end.stdout}`;
    expect(end.code ?? 0, about).toBe(0);
    expect(kills, about).toBeGreaterThan(8);
    expect(await query(tree), about).toEqual([expected]);
    expect(readFileSync(join(line.project, "hello.txt"), "utf8")).toBe("hello\nmore\n");
    expect(server.requests.length - asked, `${about}: no recorded call is made again`).toBe(3 - calls);
    const verified = await run(["verify", "--last"]);
    expect(verified.code, `${verified.stderr}${verified.stdout}`).toBe(0);
  });

  test("todos at once, killed in the middle of both, end with the same tree, and no recorded call is made again", async () => {
    const parallel = ["run", twoPartsGoal, "--quiet", "--parallel", "2", "--architect", "never"];
    const tree = "select final_code as tree, status from miracle.tasks";
    const unharmed = await terminal(atOnce());
    const file = join(unharmed.line.home, "moments");
    const ran = await unharmed.run(parallel, { MIRACLE_FAULT: `count:${file}` });
    expect(ran.code, ran.stderr).toBe(0);
    const expected = await unharmed.query(tree);
    expect(expected).toEqual([{ tree: expect.stringMatching(/^[0-9a-f]{40}$/), status: "checked" }]);

    const { run, query, server, line } = await terminal(atOnce());
    const killed = await run(parallel, {
      MIRACLE_FAULT: String(Math.round(Number(readFileSync(file, "utf8")) * 0.6)),
    });
    expect(killed.signal, killed.stderr).toBe("SIGKILL");
    const calls =
      "select count(*)::int as n, count(distinct strand)::int as strands from miracle.steps where kind = 'model'";
    const [recorded] = await query(calls);
    // The planner and the tester on the task's strand, and each coder on its own.
    expect(Number(recorded?.strands)).toBeGreaterThanOrEqual(3);
    const asked = server.requests.length;
    const end = await run(["resume", "--last", "--quiet"]);
    expect(end.code, end.stderr).toBe(0);
    expect(await query(tree)).toEqual(expected);
    expect(server.requests.length - asked).toBe(unharmed.server.requests.length - Number(recorded?.n));
    expect(readFileSync(join(line.project, "src/index.js"), "utf8")).toContain("halve");
    for (const command of ["verify", "replay"]) {
      const done = await run([command, "--last"]);
      expect(done.code, `${command}: ${done.stderr}${done.stdout}`).toBe(0);
    }
  });

  test("a run whose process is killed while the model thinks goes on from there", async () => {
    const thinking = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let isFirst = true;
    const { run, line, url, query } = await terminal(async (request, index) => {
      if (turn(request) === 1 && isFirst) {
        isFirst = false;
        thinking.resolve();
        await goOn.promise;
      }
      return short(request, index);
    });
    const started = line.start(SHORT, { env: { DATABASE_URL: url } });
    await thinking.promise;
    const live = await run(["resume", "--last", "--quiet"]);
    expect(live.stderr).toContain("is being worked on");
    started.kill("SIGKILL");
    expect((await started.end).signal).toBe("SIGKILL");
    goOn.resolve();
    const end = await run(["resume", "--last", "--quiet"]);
    expect(end.code, end.stderr).toBe(0);
    expect(await query("select epoch, status from miracle.tasks")).toEqual([{ epoch: "2", status: "checked" }]);
  });

  test("two goals at once on one database do not disturb each other", async () => {
    const { line, url, query } = await terminal(short);
    const projects = [line.project, join(line.home, "other")];
    for (const project of projects) mkdirSync(project, { recursive: true });
    const starts = projects.map((cwd) => line.start(SHORT, { cwd, env: { DATABASE_URL: url } }));
    for (const end of await Promise.all(starts.map((start) => start.end))) expect(end.code, end.stderr).toBe(0);
    for (const project of projects) expect(readFileSync(join(project, "hello.txt"), "utf8")).toBe("hello\nmore\n");
    const rows = await query("select count(*) as n from miracle.tasks");
    expect(Number(rows[0]?.n)).toBe(2);
  });

  test("memory is kept, found by its error, and forgotten", async () => {
    const { run, line, query } = await terminal(short);
    const file = join(line.home, "lessons.jsonl");
    const lessons = [
      {
        error: "KeyError: 'user_id'\n  File \"/srv/app/views.py\", line 3, in show",
        language: "python",
        reason: "the session may be empty",
      },
      { error: "ModuleNotFoundError: No module named 'yaml'", language: "python", reason: "install PyYAML" },
      {
        error: "TypeError: Cannot read properties of undefined (reading 'map')",
        language: "javascript",
        reason: "default to []",
      },
    ];
    writeFileSync(file, lessons.map((lesson) => JSON.stringify(lesson)).join("\n"));
    const imported = await run(["memory", "import", file, "--scope", "global"]);
    expect(imported.code, imported.stderr).toBe(0);
    expect(await query("select count(*)::int as n from miracle.failures")).toEqual([{ n: 3 }]);
    const found = await run(["memory", "search", "KeyError: 'account' at /home/me/other/views.py line 99", "--json"]);
    expect(found.code, found.stderr).toBe(0);
    const { results } = JSON.parse(found.stdout);
    expect(results[0].record.reason).toBe("the session may be empty");
    expect(results[0].similarity).toBeGreaterThan(2 * results[1].similarity);
    const stats = await run(["memory", "stats"]);
    expect(stats.code, stats.stderr).toBe(0);
    const ids = (await query("select id from miracle.failures")).map(({ id }) => String(id));
    const forgotten = await run(["memory", "forget", ...ids]);
    expect(forgotten.code, forgotten.stderr).toBe(0);
    expect(await query("select count(*)::int as n from miracle.memory_entries")).toEqual([{ n: 0 }]);
  });

  test("doctor says which database it is, and what is lost without pgvector", async () => {
    const { run, url } = await terminal(short);
    const before = await run(["doctor"]);
    const { port, pathname } = new URL(url);
    expect(before.stdout).toMatch(/✓ database: PostgreSQL 1[5-9].* no tables yet/);
    expect(before.stdout).toContain(`miracle@127.0.0.1:${port}${pathname}`);
    expect(before.stdout).toMatch(/– pgvector: .*searched by sketches/);
    await run(["history"]);
    expect((await run(["doctor"])).stdout).toMatch(/✓ database: PostgreSQL .*; version \d+, this Miracle knows/);
    const away = await run(["doctor"], { DATABASE_URL: "postgres://ann:hunter2hunter2@127.0.0.1:1/team" });
    expect(away.stdout).toMatch(/✗ database: the database server does not answer .*: ann@127.0.0.1:1\/team/);
    expect(away.stdout).not.toContain("hunter2");
  });

  test("the password is written nowhere", async () => {
    const { run, url, line } = await terminal(short);
    await run(SHORT);
    const { password } = new URL(url);
    const files = readdirSync(line.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const entry of files) {
      expect(readFileSync(join(entry.parentPath, entry.name)).includes(password), entry.name).toBe(false);
    }
  });
});
