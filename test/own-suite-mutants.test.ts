import { expect, test } from "vitest";
import { survivors } from "../src/domain/evidence/mutant-report.ts";
import { AppBuilder } from "./app-builder.ts";
import { byRole, call } from "./scripted-goal.ts";

const PROJECT = {
  "fees.py": "def fee(days):\n    return days * 2\n",
  // Notices every small change of the line that caps the fee, and of the one above it.
  "tests/test_totals.py":
    "from fees import fee\n\n\ndef test_totals():\n    assert [fee(days) for days in (0, 1, 3, 4)] == [0, 2, 6, 8]\n",
  "pyproject.toml": '[project]\nname = "fees"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
};
const HEAD = "from fees import fee\n\n\n";
const file = (path: string, name: string, days: number, heldOut: boolean) => ({
  path,
  content: `${HEAD}def ${name}():\n    assert fee(${days}) == 10\n`,
  todo: "cap",
  covers: [{ test: name, requirement: "R1" }],
  ...(heldOut && { heldOut }),
});

const roles = {
  planner: [
    call("finish", {
      size: "small",
      title: "fees are capped",
      kind: "fix",
      language: "python",
      requirements: [{ id: "R1", text: "fee(days) is two for each day, at most 10", quote: "at most 10" }],
      todos: [{ id: "cap", title: "cap the fee", artifacts: ["fees.py"] }],
    }),
  ],
  tester: [
    call("finish", {
      files: [
        file("tests/test_cap.py", "test_cap", 7, false),
        file("tests/test_cap_unseen.py", "test_cap_unseen", 9, true),
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

test("what the project's own suite notices is noticed: nobody is asked for sharper tests", async () => {
  const builder = await AppBuilder.create(byRole(roles), PROJECT);
  const app = await builder.open();
  const end = await builder.start(app, { goal: "the fee is at most 10" });
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const mutants = evidence?.mutants;
  if (!mutants) throw new Error("there are mutants");
  expect(survivors(mutants).map(({ description }) => description)).toEqual([]);
  const killers = mutants.results.flatMap(({ killedBy }) => killedBy);
  expect(killers).toContain("tests/test_totals.py::test_totals");
});
