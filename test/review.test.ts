import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { documentOfTask } from "../src/verify/evidence/document-of-task.ts";
import { AppBuilder } from "./app-builder.ts";
import type { ServedRequest } from "./model-server.ts";
import { addGoal, byRole, call, extraRoleOf, roleOf } from "./scripted-goal.ts";

const finding = (severity: string, message: string, line = 2) => ({
  severity,
  path: "calc.py",
  line,
  message,
  instead: "",
});

test("what a reviewer or an auditor blocks goes back to the coder without a reflector, twice at most, and the evidence of it is an event", async () => {
  const seen: ServedRequest[] = [];
  const coded = (text: string, after: string) => [
    call("edit_file", { path: "calc.py", oldText: text, newText: after }),
    call("finish", { summary: `changed ${text}` }),
  ];
  const script = byRole({
    ...addGoal,
    coder: [
      call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" }),
      call("finish", { summary: "wrote add" }),
      ...coded("a - b", "b + a"),
      ...coded("b + a", "a + b"),
    ],
    reviewer: [
      // A place that does not exist is refused, and said again.
      call("finish", { findings: [finding("high", "it subtracts", 40)] }),
      call("finish", { findings: [finding("low", "nothing is documented"), finding("high", "it subtracts")] }),
      call("finish", { findings: [finding("low", "the names are short")] }),
      call("finish", { findings: [] }),
    ],
    auditor: [
      call("finish", { findings: [{ ...finding("critical", "a stranger chooses the operands"), cwe: "CWE-20" }] }),
      call("finish", { findings: [] }),
    ],
    // Findings say what is wrong and what to do instead: nobody is asked why.
    reflector: [],
  });
  const builder = await AppBuilder.create((request, index) => {
    seen.push(request);
    return script(request, index);
  });
  const app = await builder.open();
  const settings = builder.settings({ review: true, audit: true });
  const end = await builder.start(app, { goal: "Write a module that adds two numbers" }, settings);
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  const reviewed = builder.events.filter((event) => event.type === "change-reviewed");
  expect(reviewed.map(({ role, ruling, iteration }) => [role, ruling, iteration])).toEqual([
    ["reviewer", "rejected", 1],
    ["reviewer", "approved", 2],
    ["auditor", "rejected", 2],
    ["reviewer", "approved", 3],
    ["auditor", "approved", 3],
  ]);
  const recording = await app.recording(end.task);
  expect(await replayTask(recording, openLanguages())).toMatchObject({ ended: "same" });
  const { document } = await documentOfTask({ recording, artifacts: app.artifacts });
  expect(document.reviews?.map(({ role, ruling }) => [role, ruling])).toEqual([
    ["reviewer", "approved"],
    ["auditor", "approved"],
  ]);
  const last = (role: string) =>
    JSON.stringify(seen.findLast((request) => (extraRoleOf(request) ?? roleOf(request)) === role)?.messages);
  expect(last("auditor")).toContain("CWE-20: a stranger chooses the operands");
  expect(last("auditor")).toContain("The author: changed b + a");
  expect(last("coder")).toMatch(/it subtracts.*nothing is documented/);
  expect(last("reviewer")).toMatch(/it subtracts.*The author: changed a - b/);
  expect(last("reflector")).toBeUndefined();
});
