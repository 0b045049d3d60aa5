import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactsOfTask } from "../src/app/artifacts-of-task.ts";
import { runCommandLine } from "../src/cli/command-line.ts";
import { Contract } from "../src/domain/plan/contract.ts";
import { findTask } from "../src/store/tasks.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import type { ServedRequest } from "./model-server.ts";
import { addGoal, byRole, call, extraRoleOf, roleOf } from "./scripted-goal.ts";

test("what the architect promises reaches tester and coder, and code that does not keep it is red", async () => {
  const seen: ServedRequest[] = [];
  const contract = {
    title: "calc",
    language: "python",
    functions: [
      {
        file: "calc.py",
        name: "add",
        parameters: [
          { name: "first", type: "int" },
          { name: "second", type: "int" },
        ],
        returns: "int",
        examples: [{ call: "add(first=1, second=1)", returns: "2" }],
      },
    ],
  };
  const script = byRole({
    ...addGoal,
    architect: [
      call("finish", { contract: { ...contract, language: "go" }, design: "one function" }),
      call("finish", { contract, design: "one function" }),
    ],
    coder: [
      call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a + b\n" }),
      call("finish", { summary: "wrote add" }),
      call("edit_file", { path: "calc.py", oldText: "a, b", newText: "first, second" }),
      call("edit_file", { path: "calc.py", oldText: "a + b", newText: "first + second" }),
      call("finish", { summary: "named as promised" }),
    ],
  });
  const builder = await AppBuilder.create((request, index) => {
    seen.push(request);
    return script(request, index);
  });
  const app = await builder.open();
  const settings = builder.settings({ architect: "always" });
  const end = await builder.start(app, { goal: "Write a module that adds two numbers" }, settings);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const shown = (role: string) =>
    JSON.stringify(seen.findLast((request) => (extraRoleOf(request) ?? roleOf(request)) === role)?.messages);
  expect(shown("architect")).toContain("not accepted: the language is python");
  for (const role of ["tester", "coder"]) expect(shown(role)).toContain("calc.py: add(first: int, second: int) -> int");
  expect(shown("tester")).toContain("def test_add():  # R1: add(first: int, second: int) -> int");
  const [first] = builder.events.flatMap((event) => (event.type === "iteration-settled" ? [event.iteration] : []));
  expect(first?.red).toEqual(["contract: add", "tests/test_contract_examples.py::test_add_example_1"]);
  expect(Object.keys(builder.files())).toContain("tests/test_contract_examples.py");

  // What the roles made beside the code can be had as files.
  const made = await artifactsOfTask(app, await findTask(app.store, end.task));
  const files = Object.fromEntries(made.map(({ path, content }) => [path, content]));
  expect(Object.keys(files)).toEqual([
    "todo_list.json",
    "contract.json",
    "design.md",
    "test_skeletons.txt",
    "build_report.json",
    "test_report.json",
    "coverage.json",
    "failure_report.json",
  ]);
  const branch = `ai/generated/${end.task}/reports`;
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", join(builder.dataDirectory, "artifacts.git"), ...args], { encoding: "utf8" });
  expect(git("ls-tree", "--name-only", branch).trim().split("\n").sort()).toEqual(Object.keys(files).sort());
  expect(git("show", `${branch}:contract.json`)).toBe(files["contract.json"]);
  expect(Contract.parse(JSON.parse(files["contract.json"] ?? ""))).toMatchObject(contract);
  expect(files["design.md"]).toBe("one function\n");
  expect(files["test_skeletons.txt"]).toContain("def test_add():");
  expect(JSON.parse(files["build_report.json"] ?? "")).toMatchObject({
    environment: { versions: { python: expect.any(String) } },
    tests: { red: 0 },
    scan: { findings: [], refused: [] },
  });
  expect(JSON.parse(files["failure_report.json"] ?? "").iterations).toMatchObject([{ number: 1, outcome: "red" }]);

  const env = { MIRACLE_HOME: builder.dataDirectory, PATH: "/usr/bin:/bin" };
  const command = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
    expect(await runCommandLine(words, terminal), terminal.errors()).toBe(0);
    return terminal.outputs();
  };
  const listed = (await command("show", "--last", "--artifacts")).trim().split("\n");
  expect(listed).toEqual(made.map(({ path, content }) => `${path}  ${Buffer.byteLength(content)} bytes`));
  await command("export", "--last", "--format", "artifacts", "-o", "made");
  for (const { path, content } of made)
    expect(readFileSync(join(builder.directory, "made", path), "utf8")).toBe(content);
});
