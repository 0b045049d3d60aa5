// Starts processes: the person's editor.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { PlanFile } from "../../domain/plan/plan-file.ts";
import { editPlan } from "./edit-plan.ts";

const plan = PlanFile.parse({
  size: "small",
  spec: {
    title: "Round prices",
    kind: "fix",
    language: "python",
    requirements: [{ id: "R1", text: "round(1.005) is 1.01", assumption: false }],
  },
  plan: { todos: [{ id: "round", title: "Round", requirements: ["R1"] }] },
});

/** An editor that runs these commands on the file it is given, one after the other each time it is opened. */
function editing(script: string, input = "") {
  const editor = join(temporaryDirectory("miracle-editor-"), "editor");
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o755);
  const env = { PATH: process.env.PATH ?? "", EDITOR: `${editor} --wait` };
  return fakeTerminal({ input, inputIsTerminal: true, errorIsTerminal: true, env });
}

test("what a person writes in their editor is the plan, and what they leave is none", async () => {
  const edited = await editPlan(editing('sed -i "s/1.01/1.00, as banks do/" "$2"'), plan);
  expect(edited?.spec.requirements[0]?.text).toBe("round(1.005) is 1.00, as banks do");
  expect(edited?.plan.todos.map(({ id }) => id)).toEqual(["round"]);
  expect(await editPlan(editing("true"), plan)).toBeNull();
});

test("a plan that cannot be used is said with its line, and edited again or left", async () => {
  const breaks =
    'grep -q broken "$2" && sed -i /broken/d "$2" && exit 0; sed -i "s/Round prices/Other/; 1i broken: 1" "$2"';
  const again = editing(breaks, "y\n");
  expect((await editPlan(again, plan))?.spec.title).toBe("Other");
  expect(again.errors()).toMatch(/broken/);
  expect(await editPlan(editing(breaks, "n\n"), plan)).toBeNull();
});

test("an editor that cannot be started leaves the plan as it is, and says which one", async () => {
  const terminal = editing("exit 3");
  expect(await editPlan(terminal, plan)).toBeNull();
  expect(terminal.errors()).toContain("set EDITOR");
});
