import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { Event } from "../src/domain/task/event.ts";
import { giveToOrdinaryUser, ordinaryUser } from "./ordinary-user.ts";
import { addGoal, byRole, byTurn, call } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const direct = ["run", "--direct", "--quiet", "look around"];

/** What the model was told after each of its turns. */
const replies = ({ server }: ScriptedTerminal): string[] =>
  server.requests.slice(1).map(({ messages }) => messages.at(-1)?.text ?? "");

const eventsIn = (stdout: string): Event[] =>
  stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
    .flatMap((value) => {
      const parsed = Event.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    });

test("a path outside the workspace is neither read nor written, whichever way it leads there", async () => {
  const ways = ["../outside/secret.txt", "link/secret.txt", "file-link", "sub/../../outside/secret.txt"];
  const reads = ["/etc/hostname", "/proc/self/environ", ...ways].map((path) => call("read_file", { path }));
  const writes = ["/tmp/miracle-was-here", "../outside/new.txt", "link/new.txt", "file-link", ".git/config"].map(
    (path) => call("create_file", { path, content: "was here\n", overwrite: true }),
  );
  const terminal = await ScriptedTerminal.open(byTurn(...reads, ...writes), { "sub/a.txt": "a\n" });
  const outside = join(terminal.root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "not for the model\n");
  symlinkSync(outside, join(terminal.project, "link"));
  symlinkSync(join(outside, "secret.txt"), join(terminal.project, "file-link"));
  const before = terminal.tree();
  const end = await terminal.run(direct);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
  const told = replies(terminal);
  expect(told).toHaveLength(reads.length + writes.length);
  for (const reply of told) {
    expect(reply).toMatch(/is refused: /);
    expect(reply).not.toContain("not for the model");
  }
  expect(terminal.tree()).toEqual(before);
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("not for the model\n");
});

test("whatever else a model asks for that cannot be done is told to it, and the run goes on", async () => {
  const long = "x".repeat(300);
  const odd: [ReturnType<typeof call>, string][] = [
    [call("create_file", { path: "a\0b", content: "" }), "a path has no NUL"],
    [call("create_file", { path: "", content: "" }), "this is the workspace itself"],
    [call("create_file", { path: long, content: "" }), "the path is too long"],
    [call("create_file", { path: `${"d/".repeat(2500)}x`, content: "" }), "the path is too long"],
    [call("create_file", { path: `new/${long}`, content: "" }), "would not be part of the result"],
    [call("create_file", { path: "dir", content: "", overwrite: true }), "dir is a directory"],
    [call("create_file", { path: "README.md/x", content: "" }), "is below a file"],
    [call("create_file", { path: "loop/x", content: "" }), "passes a link that leads nowhere"],
    [call("read_file", { path: "README.md", fromLine: 999 }), "has only 1 lines"],
    [call("edit_file", { path: "missing", oldText: "a", newText: "b" }), "missing does not exist"],
    [call("list_files", { path: "README.md" }), "is no directory"],
    [call("search", { pattern: "(", regex: true }), "is no regular expression"],
    [call("run_command", { command: "echo a\0b" }), "cannot hold a NUL"],
    [call("run_command", { command: "true ".repeat(50_000) }), "at most 100000 bytes"],
    [call("run_command", { command: "kill -9 $$" }), "exit code SIGKILL"],
    [call("run_tests", { files: ["a\0b"] }), "cannot hold a NUL"],
    [call("run_command", { command: "chmod 000 README.md" }), "no output"],
    [call("read_file", { path: "README.md" }), "README.md cannot be used (EACCES)"],
    [call("run_command", { command: "chmod 644 README.md" }), "no output"],
  ];
  const terminal = await ScriptedTerminal.open(byTurn(...odd.map(([asked]) => asked)), { "README.md": "a\n" });
  mkdirSync(join(terminal.project, "dir"));
  symlinkSync("loop", join(terminal.project, "loop"));
  giveToOrdinaryUser(terminal.root);
  const before = terminal.tree();
  const end = await terminal.run(direct, ordinaryUser);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(replies(terminal)).toEqual(odd.map(([, told]) => expect.stringContaining(told)));
  expect(terminal.tree()).toEqual(before);
});

test("a test file that cannot be is the tester's to mend", async () => {
  const at = (path: string) =>
    call("finish", { files: [{ path, content: "", todo: "add", covers: [{ test: "test_adds", requirement: "R1" }] }] });
  const tester = [at("../test_add.py"), at("test_\0.py"), ...addGoal.tester];
  const terminal = await ScriptedTerminal.open(byRole({ ...addGoal, tester }));
  const end = await terminal.run(["run", "--quiet", "Write a module that adds two numbers"]);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(Object.keys(terminal.tree())).toEqual(["calc.py", "tests/test_add.py"]);
});

test("a binary file and one of 50 MB are answered with a few words, not with their content", async () => {
  const terminal = await ScriptedTerminal.open(
    byTurn(
      call("read_file", { path: "image.png" }),
      call("read_file", { path: "large.txt" }),
      call("edit_file", { path: "large.txt", oldText: "line 7\n", newText: "" }),
      call("search", { pattern: "line 99999" }),
    ),
    { "image.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), "large.txt": largeText(50_000_000) },
  );
  const end = await terminal.run(direct);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
  const [binary, large, edited, found] = replies(terminal);
  expect(binary).toContain("image.png is a binary file, 8 bytes");
  expect(large).toMatch(/^line 1\nline 2\n.*\[lines 1 to \d+ of a file of 50\d+ bytes; go on with fromLine/s);
  expect(large?.length).toBeLessThan(100_000);
  expect(edited).toContain("too large to edit");
  expect(found?.length).toBeLessThan(100_000);
  expect(statSync(join(terminal.project, "large.txt")).size).toBeGreaterThan(50_000_000);
});

test("10 MB of output of a test and of a command are cut before they are recorded", async () => {
  const loud =
    'import sys\n\n\ndef add(a, b):\n    for _ in range(10):\n        print("x" * 1_000_000)\n    return a + b\n';
  const terminal = await ScriptedTerminal.open(
    byRole({
      ...addGoal,
      coder: [
        call("create_file", { path: "calc.py", content: loud.replace("a + b", "a - b") }),
        call("run_tests", {}),
        call("run_command", { command: "head -c 10000000 /dev/zero | tr '\\0' x" }),
        call("create_file", { path: "calc.py", content: loud, overwrite: true }),
        call("finish", { summary: "loud" }),
      ],
    }),
  );
  // Quick: the module has mutants that no test notices, and nobody is to be asked about them.
  const end = await terminal.run(["run", "--quiet", "--effort", "quick", "Write a module that adds two numbers"]);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  const coder = terminal.server.requests.filter(({ tools }) => tools.includes("run_tests"));
  for (const request of coder) expect(request.bytes).toBeLessThan(250_000);
  expect(statSync(terminal.line.database).size).toBeLessThan(3_000_000);
});

test("a test that never ends is a time-out, never a red test", async () => {
  const terminal = await ScriptedTerminal.open(
    byRole({
      ...addGoal,
      coder: [
        call("create_file", { path: "calc.py", content: "def add(a, b):\n    while True:\n        pass\n" }),
        call("finish", { summary: "wrote add" }),
        call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a + b\n", overwrite: true }),
        call("finish", { summary: "add ends now" }),
      ],
    }),
  );
  terminal.configure("sandbox: { limits: { timeout: 5s } }");
  const end = await terminal.run(["run", "--json", "Write a module that adds two numbers"]);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  const events = eventsIn(end.stdout);
  const [first] = events.flatMap((event) => (event.type === "iteration-settled" ? [event.iteration] : []));
  expect(first).toMatchObject({ failure: { kind: "timeout", code: "tests.timeout" }, red: ["(test run)"] });
  const [gate] = events.flatMap((event) => (event.type === "tests-run" && event.scope === "gate" ? [event] : []));
  expect(gate).toMatchObject({ passed: false, ending: "timeout", counts: { red: 0 }, red: [] });
  const reflector = terminal.server.requests.find(({ system }) => system.startsWith("You find out why"));
  expect(reflector?.messages[0]?.text).toMatch(/did not come to its end \(timeout\).*still running: tests\/test_add/s);
});

test("a command that must succeed and never ends is a time-out too", async () => {
  const terminal = await ScriptedTerminal.open(byTurn());
  terminal.configure("sandbox: { limits: { timeout: 1s } }");
  const end = await terminal.run([...direct, "--accept", "sleep 600", "--max-iterations", "1"]);
  expect(end.stdout).toContain("`sleep 600` did not end in time");
  expect(end).toMatchObject({ code: EXIT.limit, stderr: "" });
});

function largeText(bytes: number): Buffer {
  const lines: string[] = [];
  for (let size = 0, number = 1; size < bytes; number += 1) {
    const line = `line ${number}\n`;
    lines.push(line);
    size += line.length;
  }
  return Buffer.from(lines.join(""));
}
