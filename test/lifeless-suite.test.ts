import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { addGoal, byRole, call } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const goal = ["run", "a function that adds two numbers"];
const absent = "ModuleNotFoundError: No module named 'not_to_be_had'";
const tried = "tried: the packages that are installed; to do: install not_to_be_had";

test("a run whose tests cannot be loaded before any change ends with what is missing, in the first line", async () => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal), {
    "tests/conftest.py": "import not_to_be_had\n",
    "tests/test_old.py": "def test_old():\n    assert True\n",
  });
  const end = await terminal.run(goal);
  expect(end, end.stderr).toMatchObject({ code: EXIT.badInput });
  expect(end.stdout).toContain(`: the tests do not run here: ${absent}, before any test; ${tried}`);
});

test("what keeps old tests from running is said at once, and again before whatever else is not proven", async () => {
  const visible = call("finish", {
    files: [
      {
        path: "tests/test_add.py",
        content: "from calc import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n",
        todo: "add",
        covers: [{ test: "test_adds", requirement: "R1" }],
      },
    ],
  });
  const coder = [
    call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a + b\n" }),
    call("finish", { summary: "done" }),
  ];
  const script = byRole({ ...addGoal, tester: [visible, visible, visible], coder });
  const terminal = await ScriptedTerminal.open(script, {
    "tests/test_old.py": "import not_to_be_had\n\n\ndef test_old():\n    assert True\n",
  });
  const end = await terminal.run(goal);
  const said = `the tests do not run here: ${absent} in 1 of 1 file of tests; ${tried}`;
  expect(end.stderr).toContain(`warning: before any change: ${said}`);
  expect(end, end.stdout).toMatchObject({ code: EXIT.notProven });
  expect(end.stdout).toMatch(/^not proven: .*the tests do not run here: .*; the tests are green, but /m);
});
