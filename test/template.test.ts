import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { parseCassette } from "../src/journal/cassette.ts";
import { PortableTree } from "../src/workspace/portable-tree.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { addGoal, byRole, call } from "./scripted-goal.ts";

const TEMPLATE = `
name: adding
summary: adds numbers
goal: Write {{module}}.py, which adds two numbers
language: python
complete: true
parameters: { module: { description: a name, default: sum } }
requirements:
  - { id: R1, text: "{{module}}.add(a, b) returns the sum of two numbers" }
todos: [{ id: add, title: "write {{module}}.add", requirements: [R1] }]
notes: { coder: Mind the sign. }
files: { fixtures/numbers.txt: "1 2\\n", README.md: "not over yours\\n" }
`;

test("a complete template is run without a planner, from its own files, with notes for the roles", async () => {
  const coder = [
    call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a + b\n" }),
    call("finish", { summary: "wrote add" }),
  ];
  const builder = await AppBuilder.create(byRole({ tester: addGoal.tester, coder }), { "README.md": "mine\n" });
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const templates = join(builder.dataDirectory, ".config/miracle/templates");
  mkdirSync(templates, { recursive: true });
  writeFileSync(join(templates, "adding.yaml"), TEMPLATE);
  const miracle = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
    const exit = await runCommandLine(words, terminal);
    return { exit, output: terminal.outputs(), error: terminal.errors() };
  };
  expect((await miracle("templates")).output).toMatch(/^adding +adds numbers$/m);
  expect((await miracle("run", "-p", "adding", "--set", "modul=x")).error).toContain("has no parameter modul");

  const ran = await miracle("run", "--template", "adding", "--set", "module=calc", "--quiet");
  expect(ran.exit, ran.error + ran.output).toBe(EXIT.done);
  expect(builder.files()).toMatchObject({ "README.md": "mine\n", "fixtures/numbers.txt": "1 2\n" });
  expect(builder.server.requests.some(({ system }) => system.startsWith("You plan"))).toBe(false);
  expect(builder.server.requests.at(-1)?.system).toContain("For this kind of project (adding):\nMind the sign.");
  const shown = (await miracle("show", "--last")).output;
  expect(shown).toContain("Write calc.py, which adds two numbers");
  expect(shown).toContain("add: write calc.add");

  // What the work began with is more than the directory held: a recording has both.
  const { trees } = parseCassette((await miracle("export", "--last")).output, "the cassette");
  const paths = Object.values(trees).map((tree) => PortableTree.parse(tree).files.map(({ path }) => path));
  expect(paths).toContainEqual(["README.md"]);
  expect(paths).toContainEqual(["README.md", "fixtures/numbers.txt"]);
});

test("a goal that names a kind of project brings its advice, and says so; another goal brings nothing", async () => {
  const [planned] = addGoal.planner;
  const planner = planned ? [planned, planned] : [];
  const builder = await AppBuilder.create(byRole({ planner, coder: [] }));
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const plan = async (goal: string) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
    await runCommandLine(["plan", goal], terminal);
    return { told: terminal.errors(), system: builder.server.requests.at(-1)?.system };
  };
  const named = await plan("Build a CLI that adds two numbers");
  expect(named.told).toContain(
    "built as a project of the kind cli_tool, because the goal says “CLI”; if it is none: -p none",
  );
  expect(named.system).toContain("For this kind of project (cli_tool):");
  const plain = await plan("Write a module that adds two numbers");
  expect(plain.told).not.toContain("taken for");
  // Figures are there by kind of project, too.
  const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
  await runCommandLine(["metrics", "--by", "type"], terminal);
  expect(terminal.outputs()).toMatch(/cli_tool +1 .*\n +none +1 /);
  expect(plain.system).not.toContain("For this kind of project");
});

test("what a template demands binds the plan: one that leaves out --help is refused with its id", async () => {
  const demanded = (ids: string[], outOfScope: string[] = []) =>
    call("finish", {
      size: "small",
      title: "a todo list",
      kind: "feature",
      language: "python",
      requirements: [
        { id: "R1", text: "`python todo.py --help` prints how it is used" },
        { id: "R2", text: "a wrong argument ends with 2" },
        { id: "R3", text: "a file that is missing ends with 1 and its name on stderr" },
        { id: "R4", text: "results go to stdout" },
        { id: "R5", text: "todo.py add TEXT stores an item as JSON", quote: "stored in JSON" },
      ].filter(({ id }) => ids.includes(id)),
      outOfScope,
      todos: [{ id: "todo", title: "write todo.py" }],
    });
  const planner = [demanded(["R2", "R3", "R4", "R5"]), demanded(["R1", "R2", "R3", "R4", "R5"])];
  const builder = await AppBuilder.create(byRole({ planner, coder: [] }));
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
  await runCommandLine(["run", "-p", "cli_tool", "A CLI for TODO items stored in JSON", "--quiet"], terminal);
  const told = builder.server.requests.flatMap(({ messages }) => messages.map(({ text }) => text)).join("\n");
  expect(told).toContain("not accepted: the plan leaves out R1 of the template: `tool --help` prints");
  const shown = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
  await runCommandLine(["show", "--last", "--json"], shown);
  expect(shown.outputs()).toContain("`python todo.py --help` prints how it is used");
});
