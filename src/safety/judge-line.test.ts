import { describe, expect, test } from "vitest";
import { packageRoot } from "../config/package-root.ts";
import { type SafetySettings, strictSafety } from "../domain/settings/safety-settings.ts";
import { openJudge } from "./open-safety.ts";

const judgeWith = (policy: Partial<SafetySettings>) =>
  openJudge({ root: packageRoot(), policy: { ...strictSafety, ...policy } });
const judge = judgeWith({});

const rulesOf = async (line: string) => (await judge(line)).reasons.map(({ rule }) => rule);

describe("code in a command line", () => {
  test("is refused by the rules of the code scan, at the place where it stands", async () => {
    const line = `echo start; python3 -c 'exec(input())'`;
    const { decision, subject, reasons } = await judge(line);
    expect({ decision, subject }).toEqual({ decision: "deny", subject: "code" });
    expect(reasons.map(({ rule, from, to }) => [rule, line.slice(from, to)])).toEqual([
      ["python.eval", "'exec(input())'"],
    ]);
  });

  test("passes when the scan finds nothing in what looks dangerous at first", async () => {
    expect(await rulesOf(`python3 -c "print(eval('1 + 1'))"`)).toEqual([]);
    expect(await rulesOf(`python3 -c "import importlib; importlib.import_module('app.main')"`)).toEqual([]);
  });

  test("is read wherever the line puts it before something runs", async () => {
    const code = "<<'EOF'\nimport os\nos.system('ls')\nEOF\n";
    for (const line of [
      `cat > pkg/__main__.py ${code}python3 -m pkg`,
      `cat > a.txt ${code}mv a.txt a.py; pytest -q`,
      `cp /dev/stdin run.py ${code}python3 run.py`,
      `tee a.py ${code}npm test`,
    ])
      expect(await rulesOf(line), line).toEqual(["python.os-system"]);
    // Nothing runs: the scan of changed files comes before the next command.
    expect(await rulesOf(`cat > a.py ${code}`)).toEqual([]);
  });

  test("has the policy of files: what may be asked about, and what a path may do", async () => {
    const line = "cat > calc/a.py <<'EOF'\nprint(eval(input()))\nEOF\npytest";
    expect((await judge(line)).decision).toBe("deny");
    expect((await judgeWith({ findings: "ask" })(line)).decision).toBe("ask");
    const code = { rules: {}, allow: [{ rule: "python.eval", paths: ["calc/**"] }] };
    expect((await judgeWith({ code })(line)).decision).toBe("allow");
  });
});
