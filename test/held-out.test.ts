import { expect, test } from "vitest";
import type { Event } from "../src/domain/task/event.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call, roleOf, type ScriptedRoles } from "./scripted-goal.ts";

const GOAL = "Write a module that adds two numbers";
const heldOut = (name: string, content: string) => ({
  path: `tests/${name}.py`,
  content,
  heldOut: true,
  todo: "add",
  covers: [{ test: name, requirement: "R1" }],
});
const unseen = (name: string, a: number, b: number, sum = a + b) =>
  heldOut(name, `from calc import add\n\n\ndef ${name}():\n    assert add(${a}, ${b}) == ${sum}\n`);
const visible = {
  path: "tests/test_add.py",
  content: "from calc import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n",
  todo: "add",
  covers: [{ test: "test_adds", requirement: "R1" }],
};
const write = (content: string) => call("create_file", { path: "calc.py", content, overwrite: true });
const done = call("finish", { summary: "done" });
const right = [write("def add(a, b):\n    return a + b\n"), done];
const hardCoded = [write("def add(a, b):\n    return 5\n"), done];
const upheld = call("finish", {
  entailed: true,
  quote: "returns the sum of two numbers",
  reason: "the sum of any two numbers",
  behaviour: "add must work for every pair, such as 2031 and 17, not only the shown one",
});

async function run(roles: ScriptedRoles, files: Record<string, string> = {}, until?: Event["type"]) {
  const builder = await AppBuilder.create(byRole({ ...addGoal, ...roles }), files);
  const app = await builder.open();
  const end = await (until ? builder.startUntil(app, until, { goal: GOAL }) : builder.start(app, { goal: GOAL }));
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const asked = (role: string) => builder.server.requests.filter((request) => roleOf(request) === role);
  return { builder, app, end, evidence, asked };
}

test("hard-coding the visible case is found out, told in the spec's words, mended, and proven by a fresh test", async () => {
  const { app, end, evidence, asked, builder } = await run({
    tester: [
      call("finish", { files: [visible, unseen("test_first", 2031, 17)] }),
      call("finish", { files: [unseen("test_second", 400, 11)] }),
    ],
    coder: [...hardCoded, ...right],
    judge: [upheld],
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const shown = asked("coder")
    .map((request) => JSON.stringify(request.body))
    .join("\n");
  expect(shown).toContain("such as … and …, not only the shown one");
  expect(shown).not.toMatch(/2031|2048|test_first|test_second|411/);
  expect(JSON.stringify(asked("judge")[0]?.body)).not.toContain("return 5");
  expect(evidence?.requirements[0]).toMatchObject({
    support: "red-to-green",
    tests: ["tests/test_add.py::test_adds", "tests/test_first.py::test_first", "tests/test_second.py::test_second"],
  });
  expect(evidence?.tests.filter(({ origin }) => origin === "held-out")).toMatchObject([
    { id: "tests/test_first.py::test_first", after: "passed", spent: true },
    { id: "tests/test_second.py::test_second", after: "passed", role: "red-to-green" },
  ]);
  expect(evidence?.tests.at(-1)?.spent).toBeUndefined();
  expect(evidence?.disputes).toMatchObject([{ ruling: "upheld", quote: "returns the sum of two numbers" }]);
  expect(evidence).toMatchObject({ carriedBy: ["model-tests"] });
  expect(Object.keys(builder.files())).toEqual(["calc.py", "tests/test_add.py"]);
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  expect(replayed).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

test("a test that the spec does not carry is void, and another one takes its place", async () => {
  const notSaid = call("finish", { entailed: false, reason: "the spec says nothing about it" });
  const { end, evidence } = await run({
    tester: [
      call("finish", { files: [visible, unseen("test_wrong", 2, 2, 22)] }),
      call("finish", { files: [unseen("test_good", 40, 2)] }),
    ],
    coder: right,
    judge: [notSaid],
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(evidence?.tests.map(({ id, role, spent }) => [id, role, spent])).toEqual([
    ["tests/test_add.py::test_adds", "red-to-green", undefined],
    ["tests/test_wrong.py::test_wrong", "void", undefined],
    ["tests/test_good.py::test_good", "red-to-green", undefined],
  ]);
});

test("a ruling without words of the spec makes the test void", async () => {
  const invented = call("finish", { entailed: true, quote: "adds everything it is given", reason: "obvious" });
  const { end, evidence } = await run({
    tester: [
      call("finish", { files: [visible, unseen("test_wrong", 2, 2, 22)] }),
      call("finish", { files: [unseen("test_good", 40, 2)] }),
    ],
    coder: right,
    judge: [invented, invented, invented],
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(evidence?.disputes).toMatchObject([{ ruling: "void" }]);
});

test("a coder that never solves it ends not proven, whatever it is told", async () => {
  const { end, evidence } = await run({
    tester: [
      call("finish", { files: [visible, unseen("test_first", 2031, 17)] }),
      call("finish", { files: [unseen("test_second", 400, 11)] }),
      call("finish", { files: [unseen("test_third", 70, 8)] }),
    ],
    coder: [...hardCoded, done, done],
    judge: [upheld, upheld, upheld],
  });
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "unseen.red" } } });
  expect(evidence?.requirements[0]?.support).toBe("none");
});

test("without a test that the coder does not see nothing is proven, and it is said before coding", async () => {
  const only = call("finish", { files: [visible] });
  const { builder, end, evidence } = await run({ tester: [only, only, only], coder: right });
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "evidence.missing" } } });
  expect(evidence?.requirements[0]).toMatchObject({ support: "none", doubt: "seen-only" });
  expect(builder.events).toContainEqual(expect.objectContaining({ type: "warning-raised", code: "tests.uncovered" }));
});

test("a held-out test that asks for what nobody said goes back to the tester", async () => {
  const asking = heldOut("test_x", "from calc import add\n\n\ndef test_x():\n    assert add(1, 2, strict=True) == 3\n");
  const tester = [[asking], [unseen("test_y", 7, 8)]].map((hidden) => call("finish", { files: [visible, ...hidden] }));
  const { asked } = await run({ tester, coder: right }, {}, "tests-written");
  expect(asked("tester")).toHaveLength(2);
  expect(asked("tester")[1]?.messages.at(-1)?.text).toContain("no source says argument strict");
});

test("neither search, commands nor listings of the coder come upon an unseen test", async () => {
  const { asked } = await run(
    {
      tester: [call("finish", { files: [visible, unseen("test_hidden", 2031, 17)] })],
      coder: [
        call("search", { pattern: "2031" }),
        call("list_files", {}),
        call("run_command", {
          command:
            "grep -rl test_hidden / --include=*.py 2>/dev/null; ls -R /workspace /tmp; find / -name '.git' -maxdepth 4 2>/dev/null; cat /proc/*/cmdline | tr '\\0' ' '",
        }),
        ...right,
      ],
    },
    {},
    "todo-settled",
  );
  const shown = asked("coder")
    .flatMap((request) => request.messages.map((message) => message.text))
    .join("\n");
  expect(shown).toContain("no match");
  expect(shown).not.toMatch(/test_hidden\.py|2048/);
});

test.each([
  [
    "makes the runner pass everything",
    "import _pytest.python as p\np.Function.runtest = lambda self: None\n\ndef add(a, b):\n    return 5\n",
  ],
  [
    "is equal to everything",
    "class Yes(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = int.__hash__\n\n\ndef add(a, b):\n    return Yes()\n",
  ],
])("a change that %s is never proven", async (_, code) => {
  const { end } = await run({
    tester: [call("finish", { files: [visible, unseen("test_first", 2031, 17)] })],
    coder: [write(code), done, done, done, done, done],
    reflector: Array.from({ length: 5 }, () => addGoal.reflector[0] ?? done),
    judge: [upheld],
  });
  expect(end).toMatchObject({ outcome: { status: "not-proven" } });
});

test("configuration of the tests that the coder adds is taken away, and said", async () => {
  const cheat = call("create_file", {
    path: "conftest.py",
    content:
      "import pytest\n\n\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n",
  });
  const { builder, end, evidence } = await run({
    tester: [call("finish", { files: [visible, unseen("test_first", 2031, 17)] })],
    coder: [cheat, ...right],
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(Object.keys(builder.files())).toEqual(["calc.py", "tests/test_add.py"]);
  expect(evidence?.integrity.map(({ path }) => path)).toEqual(["conftest.py"]);
});

test("a fix of something that exists is red on the project as it is, and needs no stub", async () => {
  const { end, builder } = await run(
    { tester: [call("finish", { files: [visible, unseen("test_first", 2031, 17)] })], coder: right },
    { "calc.py": "def add(a, b):\n    return a - b\n" },
  );
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(builder.events.filter((event) => event.type === "tests-run" && event.scope === "red-check")).toMatchObject([
    { counts: { passed: 0, red: 2 }, red: [] },
  ]);
});

const manyNumbers = call("finish", {
  size: "small",
  title: "add any number of numbers",
  kind: "feature",
  language: "python",
  requirements: [
    { id: "R1", text: "calc.add(a, b, c) returns the sum of three numbers", quote: "adds" },
    { id: "R2", text: "calc.add(a, b) still returns the sum of two numbers", quote: "adds two numbers" },
  ],
  todos: [{ id: "add", title: "extend calc.add" }],
});
const both = {
  ...visible,
  content: `${visible.content}\n\ndef test_three():\n    assert add(1, 2, 3) == 6\n`,
  covers: [
    { test: "test_adds", requirement: "R2" },
    { test: "test_three", requirement: "R1" },
  ],
};
const three = heldOut("test_more", "from calc import add\n\n\ndef test_more():\n    assert add(20, 30, 40) == 90\n");
const two = { ...unseen("test_two", 2031, 17), covers: [{ test: "test_two", requirement: "R2" }] };
const any = [write("def add(*numbers):\n    return sum(numbers)\n"), done];

test("what holds already is kept: the tester says so once, its unseen test notices changes, and a mixed spec is proven", async () => {
  const tester = [call("finish", { files: [both, three, two] }), call("finish", { files: [both, three, two] })];
  const { end, evidence, asked } = await run(
    { planner: [manyNumbers], tester, coder: any },
    { "calc.py": "def add(a, b):\n    return a + b\n" },
  );
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(asked("tester")).toHaveLength(2);
  expect(asked("tester")[1]?.messages.at(-1)?.text).toContain("send it again if R2 truly holds already");
  expect(evidence?.requirements.map(({ id, support }) => [id, support])).toEqual([
    ["R1", "red-to-green"],
    ["R2", "held"],
  ]);
  expect(evidence?.tests.find(({ id }) => id === "tests/test_two.py::test_two")).toMatchObject({
    role: "held",
    onOldCode: "passed",
    after: "passed",
  });
});

test("what held before and is broken is found by an unseen test that was green", async () => {
  const files = [call("finish", { files: [both, three, two] }), call("finish", { files: [both, three, two] })];
  const again = { ...unseen("test_again", 400, 11), covers: two.covers.map((one) => ({ ...one, test: "test_again" })) };
  const { end, evidence } = await run(
    {
      planner: [manyNumbers],
      tester: [...files, call("finish", { files: [again] }), call("finish", { files: [again] })],
      coder: [write("def add(a, b, c=None):\n    return 5 if c is None else a + b + c\n"), done, ...any],
      judge: [upheld, upheld],
    },
    { "calc.py": "def add(a, b):\n    return a + b\n" },
  );
  expect(evidence?.disputes).toMatchObject([{ test: "tests/test_two.py::test_two", ruling: "upheld" }]);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
});

const LONG_ADD = "def add(a, b):\n    total = a\n    total = total + b\n    return total\n";
const refactoring = call("finish", {
  size: "small",
  title: "shorter add",
  kind: "refactoring",
  language: "python",
  requirements: [
    { id: "R1", text: "calc.add(a, b) returns the sum of two numbers, in one line", quote: "adds two numbers" },
  ],
  todos: [{ id: "add", title: "rewrite calc.add" }],
});

test("a refactoring is proven by unseen tests that pass before and after and notice changes of the old lines", async () => {
  const planner = [refactoring];
  const base = { "calc.py": LONG_ADD };
  // A test of the new form fails before, and is none the less a good one.
  const form = {
    ...visible,
    content: `import inspect\n\n${visible.content}\n\ndef test_form():\n    assert len(inspect.getsource(add).splitlines()) == 2\n`,
    covers: [...visible.covers, { test: "test_form", requirement: "R1" }],
  };
  const tester = [call("finish", { files: [form, unseen("test_first", 2031, 17)] })];
  const { end, evidence } = await run({ planner, tester, coder: right }, base);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(evidence?.requirements[0]?.support).toBe("held");
  expect(evidence?.mutants?.problem).toBeNull();
  expect(evidence?.mutants?.counts.killed).toBeGreaterThan(0);
});

test("a refactoring that loses a behaviour which only unseen tests check is not proven", async () => {
  const planner = [refactoring];
  const loses = [write("def add(a, b):\n    return 5 if a == 2 else a - b\n"), done];
  const { end } = await run(
    {
      planner,
      tester: [
        call("finish", { files: [visible, unseen("test_first", 2031, 17)] }),
        call("finish", { files: [unseen("test_second", 400, 11)] }),
        call("finish", { files: [unseen("test_third", 70, 8)] }),
      ],
      coder: [...loses, done, done],
      judge: [upheld, upheld, upheld],
    },
    { "calc.py": LONG_ADD },
  );
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "unseen.red" } } });
});

const programGoal = call("finish", {
  size: "small",
  title: "count words",
  kind: "feature",
  language: "python",
  requirements: [
    {
      id: "R1",
      text: "python3 words.py FILE prints the number of words in FILE; without FILE it reads standard input",
      quote: "counts words",
    },
  ],
  todos: [{ id: "words", title: "write words.py" }],
});
const programTest = (name: string, text: string, count: number, heldOutOne: boolean) => ({
  path: `tests/${name}.py`,
  content: `import subprocess
import sys


def test_file(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text(${JSON.stringify(text)})
    done = subprocess.run([sys.executable, "words.py", str(source)], capture_output=True, text=True)
    assert done.stdout.strip() == "${count}"


def test_input():
    done = subprocess.run([sys.executable, "words.py"], input=${JSON.stringify(text)}, capture_output=True, text=True)
    assert done.stdout.strip() == "${count}"
`,
  ...(heldOutOne && { heldOut: true }),
  todo: "words",
  covers: ["test_file", "test_input"].map((one) => ({ test: one, requirement: "R1" })),
});

test.each([
  [
    "solved",
    "import sys\n\ntext = open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read()\nprint(len(text.split()))\n",
    "proven",
  ],
  [
    "that works only where it sees tests",
    "import os, sys\n\ntext = open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read()\nprint(len(text.split()) if os.path.isdir('te' + 'sts') else 0)\n",
    "not-proven",
  ],
])("a program %s is tested from a second sandbox", async (_, program, status) => {
  const { end } = await run({
    planner: [programGoal],
    tester: [
      call("finish", {
        files: [
          programTest("test_words", "a b", 2, false),
          programTest("test_unseen", "one two  three\nfour", 4, true),
        ],
      }),
      call("finish", { files: [programTest("test_unseen_2", "five six seven", 3, true)] }),
      call("finish", { files: [programTest("test_unseen_3", "eight", 1, true)] }),
    ],
    coder: [call("create_file", { path: "words.py", content: program }), done, done, done, done],
    reflector: Array.from({ length: 5 }, () => addGoal.reflector[0] ?? done),
    judge: Array.from({ length: 6 }, () =>
      call("finish", {
        entailed: true,
        quote: "prints the number of words in FILE",
        reason: "said",
        behaviour: "count",
      }),
    ),
  });
  expect(end).toMatchObject({ outcome: { status } });
});
