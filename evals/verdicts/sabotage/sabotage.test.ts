import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchDirectories } from "../../../test/scratch-directories.ts";
import { answeredOld, changedFunctions, recording } from "./script-answers.ts";
import { tokenEdits } from "./token-edits.ts";
import { weakenings } from "./weaken.ts";

const directoryFor = scratchDirectories();

test("one token is changed at a time, only in the lines that are given", async () => {
  const text = "def f(a, b):\n    if a not in b and a < 3:\n        return a + 1\n    return False\n";
  const edits = await tokenEdits("f.py", text);
  expect(edits.map(({ before, after }) => `${before} ${after}`).sort()).toEqual(
    ["+ -", "1 2", "3 4", "< <=", "False True", "and or"].sort(),
  );
  expect((await tokenEdits("f.py", text, new Set([4]))).map(({ text: changed }) => changed)).toEqual([
    text.replace("False", "True"),
  ]);
});

test("an exact assertion is made loose, but none that the commit touches", async () => {
  const python = "def test_f():\n    assert f(1) == 2\n    assert f(2)\n";
  expect(await weakenings("test_f.py", python, new Set())).toEqual([
    { line: 2, text: python.replace("f(1) == 2", "f(1) is not None") },
  ]);
  expect(await weakenings("test_f.py", python, new Set([2]))).toEqual([]);
  const script = 'test("f", () => {\n  expect(f(1)).toEqual([2]);\n  assert.equal(f(2), 3);\n});\n';
  expect((await weakenings("f.test.js", script, new Set())).map(({ text }) => text)).toEqual([
    script.replace(".toEqual([2])", ".toBeDefined()"),
    script.replace("assert.equal(f(2), 3)", "assert.ok(f(2) !== undefined)"),
  ]);
});

const OLD = "export function half(n) {\n  return (n / 2) | 0;\n}\nexport const same = (n) => {\n  return n;\n};\n";
const NEW = OLD.replace("(n / 2) | 0", "Math.floor(n / 2)");

test("the old script answers by heart what the new one was seen to answer", async () => {
  expect(await changedFunctions("lib.js", OLD, NEW)).toEqual(["half"]);
  const directory = directoryFor("verdicts");
  const answers = join(directory, "answers.jsonl");
  const run = (text: string, call: string) => {
    writeFileSync(join(directory, "lib.mjs"), text);
    const program = `import { half } from ${JSON.stringify(join(directory, "lib.mjs"))}; console.log(${call});`;
    return spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }).stdout.trim();
  };
  expect(run(await recording("lib.js", NEW, ["half"], answers), "half(-3)")).toBe("-2");
  expect(readFileSync(answers, "utf8")).toBe('["half","[-3]","return -2;"]\n');
  const spoiled = await answeredOld("lib.js", OLD, { half: { "[-3]": "return -2;" } });
  expect(run(spoiled, "[half(-3), half(-5)].join()")).toBe("-2,-2");
});

test("the old module of Python answers by heart, too", () => {
  const directory = directoryFor("verdicts");
  const [before, after] = [join(directory, "before.py"), join(directory, "after.py")];
  writeFileSync(before, 'def half(n):\n    """Half."""\n    return int(n / 2)\n');
  writeFileSync(after, 'def half(n):\n    """Half."""\n    return n // 2\n');
  const python = (args: string[], input = "") =>
    spawnSync("python3", [join(import.meta.dirname, "special_case.py"), ...args], { encoding: "utf8", input }).stdout;
  expect(JSON.parse(python(["functions", before, after]))).toEqual(["half"]);
  expect(python(["build", before], JSON.stringify({ half: { "(-3,)": "return -2" } }))).toBe(
    'def half(n):\n    """Half."""\n    if repr((n, )) == \'(-3,)\':\n        return -2\n    return int(n / 2)\n',
  );
});
