import { expect, test } from "vitest";
import { gathered } from "../../../test/evidence-builder.ts";
import { Contract } from "../plan/contract.ts";
import type { Event, EventBody } from "./event.ts";
import { roleArtifacts } from "./role-artifacts.ts";

const artifactsOf = (...bodies: EventBody[]): Map<string, string> => {
  const events = bodies.map((body, number): Event => ({ task: "t1", number, at: 1, step: "init", ...body }));
  const made = roleArtifacts({ task: "t1", events, report: null, gate: null, skeletons: "" });
  return new Map(made.map(({ path, content }) => [path, content]));
};
const used = (tool: string, subject: string, ok = true): EventBody => {
  return { type: "tool-called", tool, subject, ok, durationMs: 1 };
};

test("the build report tells what was installed, built and refused on the way", () => {
  const made = artifactsOf(
    used("add_dependency", "flask 3.0"),
    used("add_dependency", "flaks 3.0", false),
    used("run_command", "python3 -m build"),
    used("run_command", "make", false),
    used("read_file", "a.py"),
    { type: "safety-refused", what: "command", subject: "rm -rf /", reasons: [] },
    // Without a plan there is no gate either, and the result is scanned all the same.
    { type: "evidence-gathered", evidence: gathered({ scans: [] }) },
  );
  expect(JSON.parse(made.get("build_report.json") ?? "")).toMatchObject({
    installed: ["flask 3.0"],
    commands: [
      { command: "python3 -m build", ok: true },
      { command: "make", ok: false },
    ],
    scan: { findings: [], refused: [{ what: "command", subject: "rm -rf /" }] },
  });
});

test("a contract that was amended is there as it is now, with all that was changed as a diff", () => {
  const contract = Contract.parse({ title: "calc", language: "python" });
  const amended = (title: string, oldText: string): EventBody => {
    const edits = [{ oldText: `"title": "${oldText}"`, newText: `"title": "${title}"` }];
    return { type: "contract-amended", contract: { ...contract, title }, edits, reason: "a sum is no text" };
  };
  const made = artifactsOf(
    { type: "contract-made", contract, design: "one function" },
    amended("sums", "calc"),
    amended("adds", "sums"),
  );
  expect(JSON.parse(made.get("contract.json") ?? "")).toMatchObject({ title: "adds" });
  expect(made.get("contract.diff")).toBe(
    '@@\n-"title": "calc"\n+"title": "sums"\n@@\n-"title": "sums"\n+"title": "adds"\n',
  );
});

test("where nothing was made there are no files", () => {
  expect(artifactsOf(used("read_file", "a.py"))).toEqual(new Map());
});
