import { expect, test } from "vitest";
import { evidenceOfTask } from "../src/cli/task/evidence-of-task.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { cappedFee, FEES, OF_FEE } from "./capped-fee.ts";
import { byRole } from "./scripted-goal.ts";

const PROJECT = {
  ...FEES,
  "tests/test_fees.py": `${OF_FEE}def test_none():\n    assert fee(0) == 0\n\n\ndef test_week():\n    assert fee(7) == 14\n`,
};
const roles = cappedFee(
  ["assert fee(9) == 10", "assert fee(5) == 10", "assert fee(4) == 8"],
  "tests/test_fees.py::test_week",
);

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
