import { call } from "./scripted-goal.ts";

/** What a test of it begins with. */
export const OF_FEE = "from fees import fee\n\n\n";

/** A project without tests, whose goal is that a fee is at most 10. */
export const FEES = {
  "fees.py": "def fee(days):\n    return days * 2\n",
  "pyproject.toml": '[project]\nname = "fees"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
};

/** The roles that reach it; `lines` are what the unseen test asserts, `obsolete` a test that the goal replaces. */
export function cappedFee(lines: readonly string[], obsolete?: string) {
  const test = (name: string, own: readonly string[]) => ({
    path: `tests/${name}.py`,
    content: `${OF_FEE}def ${name}():\n${own.map((line) => `    ${line}\n`).join("")}`,
    todo: "cap",
    covers: [{ test: name, requirement: "R1" }],
  });
  const plan = {
    ...{ size: "small", title: "fees are capped", kind: "fix", language: "python" },
    requirements: [{ id: "R1", text: "fee(days) is two for each day, at most 10", quote: "at most 10" }],
    todos: [{ id: "cap", title: "cap the fee", artifacts: ["fees.py"] }],
    ...(obsolete !== undefined && { superseded: [{ test: obsolete, requirement: "R1", quote: "at most 10" }] }),
  };
  const files = [test("test_cap", ["assert fee(7) == 10"]), { ...test("test_cap_unseen", lines), heldOut: true }];
  const capped = "def fee(days):\n    return min(days * 2, 10)\n";
  return {
    planner: [call("finish", plan)],
    tester: [call("finish", { files })],
    coder: [
      call("create_file", { path: "fees.py", content: capped, overwrite: true }),
      call("finish", { summary: "done" }),
    ],
  };
}
