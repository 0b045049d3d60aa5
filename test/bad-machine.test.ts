import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { giveToOrdinaryUser, isRoot, ordinaryUser } from "./ordinary-user.ts";
import { addGoal, byRole, byTurn, call, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";

const direct = ["run", "--direct", "--quiet", "say hello"];
const done = { "hello.txt": "644 hello\n" };

/** The machine as it is, but for what is put over it. */
const machine = (...over: string[]) => ({ within: ["bwrap", "--dev-bind", "/", "/", ...over] });

test("a data directory that may not be written is named before anything is begun", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  giveToOrdinaryUser(terminal.root);
  const place = join(terminal.root, "closed");
  mkdirSync(place);
  chmodSync(place, isRoot ? 0o755 : 0o555);
  const run = (directory: string) => terminal.run(direct, { ...ordinaryUser, env: { MIRACLE_HOME: directory } });
  expectRefusal(await run(place), EXIT.environment, `the data directory ${place} cannot be written (EACCES)`);
  expectRefusal(await run(join(place, "below")), EXIT.environment, "cannot be written (EACCES)");
  const file = join(terminal.root, "file");
  writeFileSync(file, "");
  expectRefusal(await run(file), EXIT.environment, `the data directory ${file} cannot be written`);
  expect(terminal.tree()).toEqual({});
});

test("a directory that may not be written is named before a model is asked; --no-apply works there", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  giveToOrdinaryUser(terminal.root);
  chmodSync(terminal.project, 0o555);
  const end = await terminal.run(direct, ordinaryUser);
  expectRefusal(end, EXIT.environment, `${terminal.project} cannot be written, so the result would have no place`);
  expect(terminal.server.requests).toEqual([]);
  expect(await terminal.run([...direct, "--no-apply"], ordinaryUser)).toMatchObject({ code: EXIT.done });
});

test("a database of a newer version is left as it is", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  await terminal.run(["history"]);
  using database = new DatabaseSync(terminal.line.database);
  database.exec("pragma user_version = 99");
  database.close();
  const before = readFileSync(terminal.line.database);
  for (const command of [direct, ["history"], ["resume", "--last"]]) {
    expectRefusal(await terminal.run(command), EXIT.environment, "written by a newer Miracle (version 99");
  }
  expect(readFileSync(terminal.line.database).equals(before)).toBe(true);
});

test("a file that is no database is left as it is", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  terminal.write({ "data/miracle.db": "my own notes, nothing else\n".repeat(100) }, terminal.line.home);
  expectRefusal(await terminal.run(direct), EXIT.environment, "is not a database of Miracle's, or it is damaged");
  expect(readFileSync(terminal.line.database, "utf8")).toMatch(/^(my own notes, nothing else\n)+$/);
});

test("without bubblewrap nothing is begun", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  const without = machine("--tmpfs", "/usr/bin", "--ro-bind", process.execPath, process.execPath);
  expectRefusal(await terminal.run(direct, without), EXIT.environment, "apt-get install bubblewrap");
  expect(terminal.tasks()).toEqual([]);
  expect(terminal.server.requests).toEqual([]);
});

test("a bubblewrap that may not do its work stops the task, which goes on where it may", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(call("run_command", { command: "echo hello > hello.txt" })));
  const broken = join(terminal.root, "bwrap");
  writeFileSync(broken, "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n", {
    mode: 0o755,
  });
  const end = await terminal.run(direct, machine("--ro-bind", broken, "/usr/bin/bwrap"));
  expectRefusal(end, EXIT.environment, /bubblewrap cannot start here \(bwrap: setting up uid map: Permission denied\)/);
  expect(terminal.tree()).toEqual({});
  expect(await terminal.run(["resume", "--last", "--quiet"])).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toEqual(done);
});

const withoutPytest = machine("--tmpfs", "/usr/lib/python3/dist-packages");

test("without pytest a goal in Python stops, and goes on once it is installed", async () => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  const end = await terminal.run(["run", "--quiet", "Write a module that adds two numbers"], withoutPytest);
  expectRefusal(end, EXIT.environment, "apt-get install python3-pytest python3-hypothesis");
  expect(terminal.tree()).toEqual({});
  const resumed = await terminal.run(["resume", "--last", "--quiet"]);
  expect(resumed, resumed.stderr).toMatchObject({ code: EXIT.done });
  expect(Object.keys(terminal.tree())).toEqual(["calc.py", "tests/test_add.py"]);
});

test("a direct goal in a Python project needs no pytest", async () => {
  const script = byTurn(call("run_command", { command: "python3 tool.py > hello.txt" }));
  const terminal = await ScriptedTerminal.open(script, { "tool.py": "print('hello')\n" });
  const end = await terminal.run([...direct, "--accept", "python3 tool.py"], withoutPytest);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.tree()).toMatchObject(done);
});

test("a project that may not be written any more keeps its result until it may", async () => {
  const script = byTurn(...helloGoal);
  const terminal = await ScriptedTerminal.open((request, index) => {
    if (index === 0) chmodSync(terminal.project, 0o555);
    return script(request, index);
  });
  giveToOrdinaryUser(terminal.root);
  const file = join(terminal.project, "hello.txt");
  expectRefusal(await terminal.run(direct, ordinaryUser), EXIT.environment, `${file} cannot be written (EACCES)`);
  chmodSync(terminal.project, 0o755);
  expect(await terminal.run(["resume", "--last", "--quiet"], ordinaryUser)).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toEqual(done);
});

test("a directory that is gone is named", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  const gone = join(terminal.root, "gone");
  mkdirSync(gone);
  const within = ["sh", "-c", 'rmdir ../gone && exec "$@"', "sh"];
  expectRefusal(
    await terminal.run(direct, { cwd: gone, within }),
    EXIT.environment,
    "the directory you are in is gone",
  );
});

test("a user without a name and a home works all the same", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  giveToOrdinaryUser(terminal.root);
  const end = await terminal.run(direct, { ...ordinaryUser, within: ["env", "-u", "HOME"] });
  expect(end, end.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
  const nowhere = await terminal.run(direct, { ...ordinaryUser, within: ["env", "-u", "HOME", "-u", "MIRACLE_HOME"] });
  if (isRoot) expectRefusal(nowhere, EXIT.environment, "cannot be written (EACCES)");
});

test("a data directory inside the project is not part of it", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  giveToOrdinaryUser(terminal.root);
  const env = { MIRACLE_HOME: join(terminal.project, ".data") };
  for (const user of [{}, ordinaryUser]) {
    rmSync(env.MIRACLE_HOME, { recursive: true, force: true });
    const end = await terminal.run([...direct, "--accept", "test ! -e .data"], { ...user, env });
    expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
    expect(terminal.tree()).toMatchObject(done);
    rmSync(join(terminal.project, "hello.txt"));
  }
});

test("without git a task stops where it needs one, and goes on once it is installed", async () => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  const end = await terminal.run(["run", "--quiet", "Write a module that adds two numbers"], {
    ...machine("--ro-bind", "/dev/null", "/usr/bin/git"),
  });
  expectRefusal(end, EXIT.environment, "apt-get install git");
  const resumed = await terminal.run(["resume", "--last", "--quiet"]);
  expect(resumed, resumed.stderr).toMatchObject({ code: EXIT.done });
});

/** A file system of its own for the data directory, small enough to be filled. */
function mountData(terminal: ScriptedTerminal, size: string): void {
  mkdirSync(terminal.line.dataDirectory);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", terminal.line.dataDirectory]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", terminal.line.dataDirectory]));
}

test.runIf(isRoot)("a data directory that is full is named before anything is begun", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  mountData(terminal, "10M");
  expectRefusal(await terminal.run(direct), EXIT.environment, /the data directory .* has only 10 MB left; make room/);
});

test.runIf(isRoot).each([
  ["the database", 0, call("create_file", { path: "hello.txt", content: "hello\n" })],
  [
    "the artifact store",
    4_000_000,
    call("run_command", { command: "head -c 8000000 /dev/urandom > noise; echo hello > hello.txt" }),
  ],
])("a disk that is full under %s stops the task, which goes on once there is room", async (_, left, work) => {
  const good = byTurn(work, call("run_command", { command: "rm -f noise" }));
  const terminal = await ScriptedTerminal.open((request, index) => {
    if (index === 0) fill(terminal.line.dataDirectory, left);
    return good(request, index);
  });
  mountData(terminal, "48M");
  const end = await terminal.run(direct);
  expectRefusal(end, EXIT.environment, /is full.*; free some space, then resume/);
  expect(terminal.tree()).toEqual({});
  rmSync(join(terminal.line.dataDirectory, "ballast"));
  const resumed = await terminal.run(["resume", "--last", "--quiet"]);
  expect(resumed, resumed.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toEqual(done);
});

function fill(directory: string, left: number): void {
  const { bavail, bsize } = statfsSync(directory);
  writeFileSync(join(directory, "ballast"), Buffer.alloc(bavail * bsize - left));
}
