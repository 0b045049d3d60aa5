import { expect, test } from "vitest";
import { evidenceOfTask } from "../src/cli/task/evidence-of-task.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { byRole, call } from "./scripted-goal.ts";

const HEAD = "from fees import fee\n\n\n";
const covers = (test: string) => [{ test, requirement: "R1" }];

const PROJECT = {
  "fees.py": "def fee(days):\n    return days * 2\n",
  "tests/test_fees.py": `${HEAD}def test_none():\n    assert fee(0) == 0\n\n\ndef test_week():\n    assert fee(7) == 14\n`,
  "pyproject.toml": '[project]\nname = "fees"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
};

const roles = {
  planner: [
    call("finish", {
      size: "small",
      title: "fees are capped",
      kind: "fix",
      language: "python",
      requirements: [{ id: "R1", text: "fee(days) returns two for each day, at most 10", quote: "at most 10" }],
      todos: [{ id: "cap", title: "cap the fee", artifacts: ["fees.py"] }],
      superseded: [{ test: "tests/test_fees.py::test_week", requirement: "R1", quote: "at most 10" }],
    }),
  ],
  tester: [
    call("finish", {
      files: [
        {
          path: "tests/test_cap.py",
          content: `${HEAD}def test_cap():\n    assert fee(7) == 10\n`,
          todo: "cap",
          covers: covers("test_cap"),
        },
        {
          path: "tests/test_cap_unseen.py",
          content: `${HEAD}def test_cap_unseen():\n    assert fee(9) == 10\n    assert fee(5) == 10\n    assert fee(4) == 8\n`,
          heldOut: true,
          todo: "cap",
          covers: covers("test_cap_unseen"),
        },
      ],
    }),
  ],
  coder: [
    call("create_file", {
      path: "fees.py",
      content: "def fee(days):\n    return min(days * 2, 10)\n",
      overwrite: true,
    }),
    call("finish", { summary: "done" }),
  ],
};

async function afterRun(files: Record<string, string>) {
  const builder = await AppBuilder.create(byRole(roles), files);
  const app = await builder.open();
  const end = await builder.start(app, { goal: "the fee must be at most 10" });
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  const settled = builder.events.find((event) => event.type === "obsolete-removed");
  const { document } = await evidenceOfTask(app, end.task);
  expect(await replayTask(await app.recording(end.task), openLanguages())).toMatchObject({ ended: "same" });
  return { files: builder.files(), settled, notes: document.notes.join("\n") };
}

test("a red test that the goal makes obsolete is not in what is delivered, and the others stay", async () => {
  const { files, settled, notes } = await afterRun(PROJECT);
  expect(settled).toMatchObject({ removed: ["tests/test_fees.py::test_week"], red: [] });
  expect(files["tests/test_fees.py"]).toContain("def test_none()");
  expect(files["tests/test_fees.py"]).not.toContain("test_week");
  expect(notes).toContain("is without tests/test_fees.py::test_week, which the goal makes obsolete");
});

test("it stays, and is named, where another test does otherwise without it", async () => {
  const reading = 'def test_counts():\n    assert open("tests/test_fees.py").read().count("def ") == 2\n';
  const { files, settled, notes } = await afterRun({ ...PROJECT, "tests/test_count.py": reading });
  expect(settled).toMatchObject({ removed: [], red: ["tests/test_fees.py::test_week"] });
  expect(files["tests/test_fees.py"]).toContain("def test_week()");
  expect(notes).toContain("tests/test_fees.py::test_week is red in what was delivered");
});
