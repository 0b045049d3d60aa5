import { expect, test } from "vitest";
import { applyTask, undoTask } from "../src/app/deliver-task.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { findTask } from "../src/store/tasks.ts";
import { AppBuilder } from "./app-builder.ts";
import { byRole, call } from "./scripted-goal.ts";

const OWN = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n";
const PROJECT = {
  "shop.py": "def total(prices):\n    return sum(prices)\n\n\ndef as_money(cents):\n    return str(cents)\n",
  "tests/test_shop.py": OWN,
  "pyproject.toml": '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
};
const HEAD = "from shop import as_money\n\n\n";
const SEEN = "def test_cents():\n    assert as_money(5) == '0.05'\n    assert as_money(150) == '1.50'\n";
const UNSEEN = "def test_other_cents():\n    assert as_money(7) == '0.07'\n    assert as_money(1234) == '12.34'\n";

const written = (seen: string) =>
  call("finish", {
    files: [
      {
        path: "tests/test_as_money.py",
        content: seen,
        todo: "as-money",
        covers: [{ test: "test_cents", requirement: "R1" }],
      },
      {
        path: "tests/test_as_money_unseen.py",
        content: `${HEAD}${UNSEEN}`,
        heldOut: true,
        todo: "as-money",
        covers: [{ test: "test_other_cents", requirement: "R1" }],
      },
    ],
  });

const roles = (seen = `${HEAD}${SEEN}`) => ({
  planner: [
    call("finish", {
      size: "small",
      title: "Print money with two digits",
      kind: "fix",
      language: "python",
      requirements: [
        { id: "R1", text: "as_money(cents) prints cents with two digits: '1.50'", quote: "5 cents are 0.05" },
      ],
      todos: [{ id: "as-money", title: "mend as_money", artifacts: ["shop.py"] }],
    }),
  ],
  tester: [written(seen)],
  coder: [
    call("edit_file", {
      path: "shop.py",
      oldText: "return str(cents)",
      newText: 'return f"{cents // 100}.{cents % 100:02}"',
    }),
    call("finish", { summary: "two digits" }),
  ],
});

const GOAL = "5 cents are 0.05";

test("new tests go into the file that the project has for them, and the run replays to the same tree", async () => {
  const builder = await AppBuilder.create(byRole(roles()), PROJECT);
  const app = await builder.open();
  const end = await builder.start(app, { goal: GOAL });
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  const files = builder.files();
  expect(Object.keys(files)).toEqual(["pyproject.toml", "shop.py", "tests/test_shop.py"]);
  expect(files["tests/test_shop.py"]).toBe(
    `from shop import total, as_money\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\n${SEEN}`,
  );
  expect(builder.events).toContainEqual(
    expect.objectContaining({
      type: "tests-tidied",
      moved: [{ from: "tests/test_as_money.py", to: "tests/test_shop.py" }],
      more: 1,
    }),
  );
  const task = await findTask(app.store, end.task);
  const apply = { unproven: false, keepTests: true };
  await applyTask(app, task, apply, new AbortController().signal);
  expect(builder.files()["tests/test_shop.py"], "the unseen ones can be taken later, too").toContain(UNSEEN);
  await expect(applyTask(app, task, apply, new AbortController().signal)).rejects.toThrow("applied already");
  await undoTask(app, task, false, new AbortController().signal);
  expect(builder.files(), "all of it is taken back at once").toEqual(PROJECT);
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  expect(replayed).toMatchObject({ ended: "same" });
});

test("tests that the coder did not see become a part of the result where that is wanted", async () => {
  const builder = await AppBuilder.create(byRole(roles()), PROJECT);
  await builder.start(await builder.open(), { goal: GOAL, keepTests: true });
  expect(builder.files()["tests/test_shop.py"]).toBe(
    `from shop import total, as_money\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\n${SEEN}\n\n${UNSEEN}`,
  );
});

test("a file that would do something else there stays a file of its own", async () => {
  // Only a run can tell: the name is looked up when the test runs.
  const odd = `${HEAD}def test_cents():\n    assert "total" not in globals()\n${SEEN.split("\n").slice(1).join("\n")}`;
  const builder = await AppBuilder.create(byRole(roles(odd)), PROJECT);
  const end = await builder.start(await builder.open(), { goal: GOAL });
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  expect(builder.files()).toMatchObject({ "tests/test_shop.py": OWN, "tests/test_as_money.py": odd });
});
