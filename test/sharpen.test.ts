import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { recordedRuns } from "../src/verify/evidence/recorded-runs.ts";
import { AppBuilder } from "./app-builder.ts";
import { byRole, call, roleOf } from "./scripted-goal.ts";

const HEAD = "import pytest\n\nfrom fees import fee\n\n\n";
const covers = (...names: string[]) => names.map((name) => ({ test: name, requirement: "R1" }));
const write = (content: string) => call("create_file", { path: "fees.py", content, overwrite: true });
const done = call("finish", { summary: "done" });

/** A project with tests and a lint of its own, one of whose tests the goal makes obsolete. */
const PROJECT = {
  "fees.py": "def fee(days):\n    return days * 2\n",
  "tests/test_old.py": "from fees import fee\n\n\ndef test_week():\n    assert fee(7) == 14\n",
  "tests/test_kept.py":
    // It runs the change and looks at nothing of it, so that it notices no mutant.
    'from fees import fee\n\n\ndef test_two():\n    fee(2)\n    assert open("golden/two.txt").read() == "4"\n',
  "golden/two.txt": "4",
  "pyproject.toml": '[project]\nname = "fees"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
  "package.json": JSON.stringify({ scripts: { lint: "! grep -n 'print(' fees.py" } }),
};

const roles = {
  planner: [
    call("finish", {
      size: "small",
      title: "fees are capped",
      kind: "fix",
      language: "python",
      requirements: [
        {
          id: "R1",
          text: "fee(days) returns two for each day, at most 10; a negative number of days is a ValueError",
          quote: "at most 10",
        },
      ],
      todos: [{ id: "cap", title: "cap the fee", artifacts: ["fees.py"] }],
      superseded: [{ test: "tests/test_old.py::test_week", requirement: "R1", quote: "at most 10" }],
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
          content: `${HEAD}def test_cap_unseen():\n    assert fee(9) == 10\n`,
          heldOut: true,
          todo: "cap",
          covers: covers("test_cap_unseen"),
        },
      ],
    }),
    call("finish", {
      files: [
        {
          path: "tests/test_sharper.py",
          content: `${HEAD}def test_each_day():\n    assert fee(3) == 6\n\n\ndef test_no_day():\n    assert fee(50) == 10\n\n\ndef test_negative():\n    with pytest.raises(ValueError):\n        fee(-4)\n\n\ndef test_whole():\n    assert fee(0.25) == 1\n`,
          heldOut: true,
          todo: "cap",
          covers: covers("test_each_day", "test_no_day", "test_negative", "test_whole"),
        },
      ],
    }),
  ],
  coder: [
    call("create_file", { path: "golden/two.txt", content: "5", overwrite: true }),
    call("create_file", { path: "tests/test_kept.py", content: "def test_two():\n    pass\n", overwrite: true }),
    write("def fee(days):\n    print(days)\n    return min(days * 2, 10)\n"),
    done,
    write("def fee(days):\n    return min(days * 2, 10)\n"),
    done,
    write('def fee(days):\n    if days < 0:\n        raise ValueError("days")\n    return min(days * 2, 10)\n'),
    done,
  ],
  reflector: [call("finish", { cause: "the lint forbids print", hypothesis: "take it out", next: "code" })],
  judge: [
    call("finish", {
      entailed: true,
      quote: "a negative number of days is a ValueError",
      reason: "the spec says it",
      behaviour: "a negative number of days must be refused",
    }),
    call("finish", { entailed: false, reason: "no words say that fees are rounded" }),
  ],
};

test("a goal with a lint, an obsolete test and mutants that no test notices is proven after a sharper test found a fault", async () => {
  const builder = await AppBuilder.create(byRole(roles), PROJECT);
  const app = await builder.open();
  const settings = builder.settings({ proving: { sharpen: true } });
  const end = await builder.start(app, { goal: "the fee must be at most 10, and never negative" }, settings);
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });

  const warned = builder.events.flatMap((event) =>
    event.type === "iteration-settled" ? [JSON.stringify(event.iteration)] : [],
  );
  expect(warned[0]).toContain("print(");
  const { evidence } = builder.events.findLast((event) => event.type === "evidence-gathered") ?? {};
  expect(evidence).toMatchObject({
    superseded: [{ test: "tests/test_old.py::test_week" }],
    suite: { before: { passed: 2, red: 0 }, after: { red: 1 } },
    disputes: [{ ruling: "upheld" }, { ruling: "void" }],
  });
  expect(evidence?.sharpened?.tests.map(({ id, end: how }) => [id.split("::")[1], how])).toEqual([
    ["test_each_day", "kept"],
    ["test_no_day", "idle"],
    ["test_negative", "mended"],
    ["test_whole", "void"],
  ]);
  expect(evidence?.sharpened?.tests[0]?.noticed).toEqual(["fees.py:2 `2` → `3`"]);
  // The suite of what is delivered is green: what the goal makes obsolete is not in it.
  expect(builder.events.find(({ type }) => type === "obsolete-removed")).toMatchObject({
    removed: ["tests/test_old.py::test_week"],
    red: [],
  });
  expect(builder.events.findLast((event) => event.type === "tests-run" && event.scope === "gate")).toMatchObject({
    counts: { red: 1 },
    excused: { obsolete: 1, before: 0 },
  });
  expect(Object.keys(builder.files())).not.toContain("tests/test_old.py");
  // The project's own tests, and what they compare with, are not the coder's.
  expect(evidence?.integrity.map(({ path }) => path)).toEqual(["golden/two.txt", "tests/test_kept.py"]);
  expect(builder.files()).toMatchObject({
    "golden/two.txt": "4",
    "tests/test_kept.py": expect.stringContaining(PROJECT["tests/test_kept.py"].slice("from fees import fee".length)),
  });
  // Sharper tests support nothing, and the coder never reads one.
  const supporting = evidence?.tests
    .filter(({ role, spent, origin }) => origin === "held-out" && role === "red-to-green" && !spent)
    .map(({ id }) => id);
  expect(supporting).toEqual(["tests/test_cap_unseen.py::test_cap_unseen"]);
  const asked = (role: string) =>
    builder.server.requests.filter((request) => roleOf(request) === role).map((request) => JSON.stringify(request));
  expect(asked("coder").join()).toContain("a negative number of days must be refused");
  expect(asked("coder").join()).not.toMatch(/sharper|fee\(3\)|fee\(-4\)/);
  // The tester reads the lines that nobody noticed a change of, and no other line of the change.
  const sharpening = asked("tester").at(-1) ?? "";
  expect(sharpening).toContain("+     return min(days * 3, 10)");
  expect(sharpening).not.toContain("def fee");

  const recording = await app.recording(end.task);
  const { measured, sharpened, heldOut } = await recordedRuns(recording);
  expect(measured?.flakes?.repeated).toContain("tests/test_kept.py::test_two");
  expect([...sharpened, ...heldOut].map(({ path }) => path)).toContain("tests/test_sharper.py");
  expect(await replayTask(recording, openLanguages())).toMatchObject({ ended: "same" });
});
