import { expect, test } from "vitest";
import { artifactsOfTask } from "../src/app/artifacts-of-task.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call } from "./scripted-goal.ts";

test.each([
  ["an empty directory", {}],
  ["a directory that holds words for people and agents alone", { "README.md": "# adds\n", "AGENTS.md": "Be brief.\n" }],
])("a new project in %s is linted with what its language has: green tests are not enough", async (_, files) => {
  const odd = 'PATTERN = "\\d"\n\n\ndef add(a, b):\n    return a + b\n';
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        call("create_file", { path: "calc.py", content: odd }),
        call("finish", { summary: "wrote add" }),
        call("edit_file", { path: "calc.py", oldText: 'PATTERN = "\\d"\n\n\n', newText: "" }),
        call("finish", { summary: "without the pattern" }),
      ],
      reflector: [call("finish", { cause: "an escape that is none", hypothesis: "leave it out", next: "code" })],
    }),
    files,
  );
  const app = await builder.open();
  const goal = "Write a module that adds two numbers";
  const end = await builder.start(app, { goal }, builder.settings({ checks: "language" }));
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  const [first] = builder.events.filter((event) => event.type === "iteration-settled");
  expect(first?.iteration).toMatchObject({ number: 1, outcome: "red" });
  const requests = builder.server.requests.map(({ messages }) => JSON.stringify(messages));
  expect(requests.some((text) => /Checks of the project.*compileall|pyflakes|ruff/.test(text))).toBe(true);
  expect(requests.some((text) => text.includes("tests included, with"))).toBe(false);
  const recording = await app.recording(end.task);
  expect(await replayTask(recording, openLanguages())).toMatchObject({ ended: "same" });
  const report = (await artifactsOfTask(app, { id: end.task })).find(({ path }) => path === "build_report.json");
  expect(JSON.parse(report?.content ?? "")).toMatchObject({ checks: [{ passed: true, fresh: [] }] });
});
