import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { AppBuilder } from "./app-builder.ts";
import { type FakeTerminalOptions, fakeTerminal } from "./fake-terminal.ts";
import { byTurn, call, helloGoal } from "./scripted-goal.ts";

/** The commands in this process, on a project with a scripted model. */
async function openProject(
  files: Record<string, string> = { "README.md": "a project\n" },
  script = byTurn(...helloGoal),
) {
  const builder = await AppBuilder.create(script, files);
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const miracle = async (words: string[], options: FakeTerminalOptions = {}) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env, ...options });
    const exit = await runCommandLine(words, terminal);
    return { exit, output: terminal.outputs(), error: terminal.errors() };
  };
  const run = async (...words: string[]) => {
    const { exit, output } = await miracle(["run", "--direct", "say hello", "--json", ...words]);
    const lines = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return { exit, lines, task: String(lines.at(-1).task) };
  };
  return { builder, miracle, run };
}

test("run --json prints one event per line and how the run ended", async () => {
  const { run, builder } = await openProject();
  const { exit, lines, task } = await run();
  expect(exit).toBe(EXIT.done);
  expect(lines[0]).toMatchObject({ type: "task-started", task, goal: "say hello" });
  expect(lines.map((line) => line.type)).toContain("change-applied");
  expect(lines.at(-1)).toMatchObject({
    type: "run-ended",
    ended: "settled",
    outcome: { status: "checked" },
    exitCode: 0,
  });
  expect(builder.files()).toMatchObject({ "hello.txt": "hello\n" });
});

test("run prints progress on stderr and the result, with what to do next, on stdout", async () => {
  const { miracle } = await openProject();
  const { output, error } = await miracle(["run", "--direct", "say", "hello"]);
  expect(output).toMatch(
    /^ {2}wrote hello.txt\n {2}1 file in [^\n]*:\n {4}hello\.txt\n.*\nnot checked: [^\n]*\(task t\w+\): 1 file written\n$/s,
  );
  expect(output).toMatch(/miracle diff t\w+, take it back: miracle undo t\w+/);
  expect(error).toContain("local/default: free; no cost limit");
  expect(error).toContain("create_file hello.txt");
});

test("run --quiet prints the result alone", async () => {
  const { miracle } = await openProject();
  const { output, error } = await miracle(["run", "-q", "--direct", "say hello"]);
  expect(output).toContain("checked");
  expect(error).toBe("");
});

test("run writes a log of the task, without the key", async () => {
  const { builder, miracle } = await openProject({ ".env": "MIRACLE_API_KEY=sk-from-the-project\n" });
  await miracle(["run", "-q", "--direct", "use sk-from-the-project"]);
  const { output } = await miracle(["history", "--json"]);
  const log = readFileSync(join(builder.dataDirectory, "logs", `${JSON.parse(output).id}.jsonl`), "utf8");
  expect(log).toContain('"event":"task-settled"');
  expect(log + output).not.toContain("sk-from-the-project");
  expect(builder.server.requests[0]?.headers.authorization).toBe("Bearer sk-from-the-project");
});

test("history pages through tasks, newest first", async () => {
  const { run, miracle } = await openProject();
  const tasks: string[] = [];
  for (let i = 0; i < 3; i += 1) tasks.unshift((await run("--no-apply")).task);
  const first = await miracle(["history", "--limit", "2"]);
  expect(first.output.split("\n").map((line) => line.split(" ")[0])).toEqual([...tasks.slice(0, 2), ""]);
  expect(first.error).toBe(`more: miracle history --before ${tasks[1]}\n`);
  const second = await miracle(["history", "--limit", "2", "--before", tasks[1] ?? "", "--json"]);
  expect(JSON.parse(second.output)).toMatchObject({ id: tasks[2], status: "checked" });
});

test("show tells of a task, its events and its steps", async () => {
  const { run, miracle } = await openProject();
  const { task } = await run();
  expect((await miracle(["show", "--last"])).output).toContain(`task ${task}: checked`);
  expect((await miracle(["show", task.slice(0, -1), "--events"])).output).toMatch(/create_file hello\.txt/);
  expect((await miracle(["show", task, "--steps"])).output).toMatch(/^ +0 {2}tool +task\/survey\/1 {2}\d+ ms$/m);
  expect((await miracle(["show", task, "--context"])).output).toMatch(
    /coder task\/iteration:1\/code\/2.*\n +about .*briefing \d+.*; \d+ of them could come from a cache\n/,
  );
  expect(JSON.parse((await miracle(["show", task, "--json"])).output)).toMatchObject({ id: task, goal: "say hello" });
});

test("a result is shown, taken back, and applied again", async () => {
  const { run, miracle, builder } = await openProject();
  const { task } = await run();
  expect((await miracle(["diff", task])).output).toContain("+hello");
  expect((await miracle(["apply", task])).exit).toBe(EXIT.badInput);

  // What the change had added is gone, and nothing was there to be put back.
  expect(await miracle(["undo"])).toMatchObject({
    exit: 0,
    output: expect.stringMatching(/^taken back: say hello \(task t\w+\)\n1 file deleted in .*\n {2}hello.txt\n$/),
  });
  expect((await miracle(["undo"])).error).toContain("nothing is left to take back");
  expect(builder.files()).toEqual({ "README.md": "a project\n" });
  expect((await miracle(["undo", task])).error).toContain("was taken back already");

  expect(await miracle(["apply", task])).toMatchObject({ exit: 0, output: expect.stringContaining("1 file written") });
  expect(builder.files()).toMatchObject({ "hello.txt": "hello\n" });
  expect((await miracle(["show", task])).output).toContain(`task ${task}: checked`);
  expect((await miracle(["undo", task])).exit).toBe(0);
  expect(builder.files()).toEqual({ "README.md": "a project\n" });
});

test("undo leaves a file alone that the person changed since, and says which", async () => {
  const { run, miracle, builder } = await openProject();
  const { task } = await run();
  builder.write({ "hello.txt": "hello, and mine\n" });
  const refused = await miracle(["undo", task]);
  expect(refused.exit).toBe(EXIT.conflict);
  expect(refused.error).toContain("hello.txt");
  expect(builder.files()["hello.txt"]).toBe("hello, and mine\n");
  expect((await miracle(["undo", task, "--force"])).exit).toBe(0);
  expect(builder.files()["hello.txt"]).toBeUndefined();
});

test("a result that conflicts with what the person did meanwhile is kept and not applied", async () => {
  const { run, miracle, builder } = await openProject();
  const { task } = await run("--no-apply");
  builder.write({ "hello.txt": "mine\n" });
  const { exit, error } = await miracle(["apply", task]);
  expect(exit).toBe(EXIT.conflict);
  expect(error).toContain("hello.txt");
  expect(builder.files()["hello.txt"]).toBe("mine\n");
});

test("an unproven result is applied only when that is said", async () => {
  const failing = byTurn(...helloGoal);
  const { miracle, builder } = await openProject({ "README.md": "" }, (request, index) =>
    request.system.startsWith("You find out why")
      ? { toolCalls: [call("finish", { cause: "none", hypothesis: "none", next: "code" })] }
      : failing(request, index),
  );
  const ran = await miracle(["run", "-q", "--direct", "say hello", "--accept", "false", "--max-iterations", "1"]);
  expect(ran.exit).toBe(EXIT.limit);
  expect(ran.output).toContain("your directory is as it was");
  const refused = await miracle(["apply", "--last"]);
  expect(refused.exit).toBe(EXIT.refused);
  expect(refused.error).toContain("--unproven applies its result all the same");
  expect((await miracle(["apply", "--last", "--unproven"])).exit).toBe(0);
  expect(builder.files()["hello.txt"]).toBe("hello\n");
});

test("a task is exported, verified and replayed, and a changed byte is found", async () => {
  const { run, miracle, builder } = await openProject();
  const { task } = await run();
  const requests = builder.server.requests.length;
  expect((await miracle(["verify", task])).output).toContain(`task ${task} holds`);
  expect((await miracle(["replay", task])).output).toContain(`task ${task} replays to the same end: checked`);

  const file = join(builder.dataDirectory, "task.json");
  expect((await miracle(["export", task, "-o", file])).exit).toBe(0);
  expect((await miracle(["export", task, "-o", file])).exit).toBe(EXIT.badInput);
  expect((await miracle(["verify", file])).exit).toBe(0);
  expect((await miracle(["replay", file])).exit).toBe(0);
  expect(builder.server.requests).toHaveLength(requests);

  writeFileSync(file, readFileSync(file, "utf8").replace("wrote hello.txt", "wrote hullo.txt"));
  const broken = await miracle(["verify", file]);
  expect(broken.exit).toBe(EXIT.tampered);
  expect(broken.output).toContain("does not hold");
});

test("prune deletes a task for good, asks first, and leaves the others whole", async () => {
  const { run, miracle, builder } = await openProject();
  const kept = await run("--no-apply");
  const gone = await run();
  expect((await miracle(["prune", gone.task])).exit).toBe(EXIT.refused);
  expect((await miracle(["prune", gone.task, "--dry-run"])).output).toContain(gone.task);
  expect(await miracle(["prune", gone.task, "--yes"])).toMatchObject({
    exit: 0,
    output: expect.stringContaining("1 task"),
  });
  expect((await miracle(["show", gone.task])).error).toContain("there is no task");
  expect(existsSync(join(builder.dataDirectory, "logs", `${gone.task}.jsonl`))).toBe(false);
  expect((await miracle(["verify", kept.task])).exit).toBe(0);
  expect((await miracle(["diff", kept.task])).output).toContain("hello");
  expect((await miracle(["prune", "--older-than", "0.5h", "--yes"])).output).toContain("nothing to delete");
});

test("prune --audit deletes entries by their age alone, and asks first", async () => {
  const { run, miracle } = await openProject();
  await run();
  expect((await miracle(["prune", "--audit"])).exit).toBe(EXIT.badInput);
  expect((await miracle(["prune", "--audit", "--older-than", "1h", "--yes"])).output).toBe("nothing to delete\n");
  const all = ["prune", "--audit", "--older-than", "1ms"];
  expect((await miracle([...all, "--dry-run"])).output).toBe("would delete 1 entry of the audit\n");
  expect((await miracle(all)).exit).toBe(EXIT.refused);
  expect((await miracle([...all, "--yes"])).output).toBe("deleted 1 entry of the audit\n");
});

test("prune --policy deletes what the person's settings do not keep, and nothing where they say nothing", async () => {
  const { run, miracle, builder } = await openProject();
  const place = join(builder.dataDirectory, ".config", "miracle");
  mkdirSync(place, { recursive: true });
  const keep = (retention: string) => writeFileSync(join(place, "config.yaml"), `retention: { ${retention} }\n`);
  await run();
  expect((await miracle(["prune", "--policy", "--yes"])).error).toContain("everything is kept");
  keep("tasks: 30d, audit: 1ms");
  expect((await miracle(["prune", "--policy", "--audit"])).exit).toBe(EXIT.badInput);
  const pruned = await miracle(["prune", "--policy", "--yes"]);
  expect(pruned.output, pruned.error).toBe("nothing to delete\ndeleted 1 entry of the audit\n");
  keep("tasks: 1ms");
  expect((await miracle(["prune", "--policy", "--yes"])).output).toMatch(/^deleted 1 task and \d+ blobs\n$/);
});

test("pause of a task that nobody works on says so", async () => {
  const { run, miracle } = await openProject();
  const { task } = await run();
  const { exit, error } = await miracle(["pause", task]);
  expect(exit).toBe(EXIT.badInput);
  expect(error).toContain(`nobody works on task ${task}: it is checked`);
});

test("watch shows a finished task from its beginning and ends", async () => {
  const { run, miracle } = await openProject();
  const { task } = await run();
  const { output, error } = await miracle(["watch", task]);
  expect(error).toContain("create_file hello.txt");
  expect(output).toContain(`task ${task}: checked`);
});

test("notify runs the person's command with the task and its status", async () => {
  const { miracle, builder } = await openProject();
  const file = join(builder.dataDirectory, "told");
  await miracle(["run", "-q", "--direct", "say hello", "--notify", `echo "$MIRACLE_STATUS $MIRACLE_TASK" > ${file}`]);
  expect(readFileSync(file, "utf8")).toMatch(/^checked t\w+\n$/);
});

test("doctor finds what is here, names keys without showing them, and is content without: prove needs none", async () => {
  const { miracle, builder } = await openProject();
  const env = { MIRACLE_HOME: builder.dataDirectory, PATH: "/usr/bin:/bin" };
  const found = await miracle(["doctor", "--json"], { env: { ...env, OPENAI_API_KEY: "sk-do-not-show" } });
  const findings = found.output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const names = findings.map(({ name }) => name);
  for (const name of ["Node", "SQLite", "git", "sandbox", "python3", "pytest", "hypothesis", "config", "keys"]) {
    expect(names).toContain(name);
  }
  expect(findings.find(({ name }) => name === "keys")).toMatchObject({
    ok: true,
    text: expect.stringContaining("OPENAI_API_KEY"),
  });
  expect(found.output).not.toContain("sk-do-not-show");
  expect(
    findings.find(({ name }) => name === "sandbox"),
    "how it does so is for programs",
  ).toMatchObject({
    text: expect.not.stringContaining(": "),
    detail: expect.arrayContaining([expect.stringMatching(/^network: /)]),
  });
  const lacking = await miracle(["doctor"], { env });
  expect(lacking.exit).toBe(EXIT.done);
  expect(lacking.output).toMatch(
    /^– keys: none\n {4}for run and plan \(prove needs none\): set one of ANTHROPIC_API_KEY/m,
  );
});
