import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { unpack } from "../src/journal/pack.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call, roleOf } from "./scripted-goal.ts";

const goal = "Write a module that adds two numbers";
const skill = (name: string) => `---
name: ${name}
description: How sums are written here. Use it for every function that adds.
---
Write sums with two operands.
`;
const WAY = "Write sums with two operands.";

async function run(files: Record<string, string>, change = {}) {
  const coder = [
    call("read_file", { path: ".agents/skills/sums/SKILL.md" }),
    call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a + b\n" }),
    call("finish", { summary: "wrote add" }),
  ];
  const builder = await AppBuilder.create(byRole({ ...addGoal, coder }), files);
  const app = await builder.open();
  const end = await builder.start(app, { goal }, builder.settings(change));
  const shown = (role: string) =>
    builder.server.requests
      .filter((request) => roleOf(request) === role)
      .map(({ messages }) => messages.map(({ text }) => text).join("\n"));
  return { app, builder, end, shown };
}

test("skills of the project are told of by name and description, and read where a role wants to", async () => {
  const { app, builder, end, shown } = await run({
    ".agents/skills/sums/SKILL.md": skill("sums"),
    ".agents/skills/sums/scripts/check.py": "print('a part of the skill')\n",
    ".agents/skills/odd/SKILL.md": skill("other"),
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const line = "- sums (.agents/skills/sums/SKILL.md): How sums are written here. Use it for every function that adds.";
  for (const role of ["planner", "coder"]) {
    expect(shown(role)[0], role).toContain(line);
    expect(shown(role)[0], role).not.toContain(WAY);
    expect(shown(role)[0], role).not.toContain("- other");
  }
  expect(shown("coder")[1]).toContain(WAY);
  const warnings = builder.events.flatMap((event) => (event.type === "warning-raised" ? [event.message] : []));
  expect(warnings).toEqual([
    ".agents/skills/odd/SKILL.md is no skill: its name is other, that of its directory is odd",
  ]);
  const recording = await app.recording(end.task);
  expect(await replayTask(recording, openLanguages())).toMatchObject({ ended: "same" });
  // Scripts of a skill make no project of their language.
  const [survey] = (await recording.strand("task")).steps;
  expect(await unpack(survey?.outputHash ?? "", (hash) => recording.blob(hash))).toMatchObject({ language: null });
});

test("without a plan the coder is told of them, too; a project without skills is told of none", async () => {
  const direct = await run({ ".agents/skills/sums/SKILL.md": skill("sums") }, { direct: true });
  expect(direct.shown("coder")[0]).toContain("- sums (.agents/skills/sums/SKILL.md)");
  const without = await run({ "README.md": "adds\n" }, { direct: true });
  expect(without.shown("coder")[0]).not.toContain("Skills of the project");
});
