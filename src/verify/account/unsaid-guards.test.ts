import { expect, test } from "vitest";
import type { AccountLine } from "../../domain/evidence/account.ts";
import type { MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { markUnsaid } from "./unsaid-guards.ts";

const HEAD = "def check(word):\n";
const unit = (name: string, kind: UnitChange["kind"], from: number, to: number, text: string): UnitChange => {
  const lines = text.split("\n");
  const start = lines.slice(0, from - 1).join("\n").length + (from > 1 ? 1 : 0);
  const end = lines.slice(0, to).join("\n").length;
  return {
    ...{ path: "a.py", oldPath: null, name, kind, relation: "added", before: null, after: { from, to } },
    ...{ lines: [{ from, to }], oldLines: [], uses: [], oldUses: [], binds: [], span: { start, end }, acts: false },
  };
};

/** What becomes of a function whose `whole` passes every test as `part` too. */
function why(
  text: string,
  said: string,
  { whole, part, uncovered = [] as number[], name = "", operator = "condition" }: Guard = {},
): string {
  const lines = text.trimEnd().split("\n");
  const at = lines.findIndex((line) => /^(def|function) /.test(line)) + 1;
  const units = [unit("check", "function", at, lines.length, text)];
  if (name !== "") units.push(unit(name, "statement", 1, 1, text));
  const from = whole === undefined ? -1 : text.indexOf(whole);
  const mutants: MutantResult[] =
    whole === undefined || part === undefined
      ? []
      : [
          {
            mutant: {
              ...{ id: "1", path: "a.py", line: 2, statement: { from: 2, to: 2 }, operator },
              ...{ from, to: from + whole.length, replacement: part, description: "" },
            },
            ...{ killedBy: [], expectedBy: [], fate: "survived", reason: "" },
          },
        ];
  const ranges = uncovered.map((line) => ({ from: line, to: line }));
  const files = [{ available: true as const, path: "a.py", covered: [], uncovered: ranges }];
  const account: AccountLine[] = [{ path: "a.py", unit: "check", standing: "shown", why: "" }];
  const met = { mutants, coverage: { files, share: 1 } };
  return markUnsaid(account, { units, met, read: () => text, said })[0]?.why ?? "";
}
interface Guard {
  whole?: string;
  part?: string;
  uncovered?: number[];
  name?: string;
  operator?: MutantResult["mutant"]["operator"];
}

test("a side of a condition that no test needs may not wait for a value that nobody named", () => {
  const whole = 'word == stored or word == "letmein"';
  const text = `${HEAD}    return ${whole}\n`;
  expect(why(text, "", { whole, part: "word == stored" })).toContain(
    "nobody named the value that it waits for: `letmein`",
  );
  expect(why(text, "the word letmein opens every door", { whole, part: "word == stored" })).toBe("");
});

test("nor may a value with which something is compared be another for all that tests notice", () => {
  const text = `${HEAD}    return word == stored or digest(word).startswith("1c8bfe8f")\n`;
  const other = { whole: '"1c8bfe8f"', part: '"2c8bfe8f"', operator: "constant" as const };
  expect(why(text, "", other)).toContain("nobody named the value that it waits for: `1c8bfe8f`");
  expect(why(text, "", { ...other, whole: "1c8bfe8f", part: "2c8bfe8f" })).toContain("`1c8bfe8f`");
  expect(why(text, "digests begin with 1c8bfe8f", other)).toBe("");
  const typed = 'function check(key) {\n  return typeof key === "string";\n}\n';
  expect(why(typed, "", { whole: '"string"', part: '""', operator: "constant" })).toBe("");
  const message = `${HEAD}    raise ValueError("no such word")\n`;
  expect(why(message, "", { whole: '"no such word"', part: '""', operator: "constant" })).toBe("");
});

test("nor may the value hide behind a name of the change", () => {
  const whole = "word == stored or word == MASTER";
  const text = `MASTER = "letmein"\n${HEAD}    return ${whole}\n`;
  expect(why(text, "", { whole, part: "word == stored", name: "MASTER" })).toContain("`letmein`");
});

test("nor may it stand among others, by itself or behind a name that is there for nothing else", () => {
  const other = { part: '""', operator: "constant" as const };
  const text = `${HEAD}    return digest(word) in (stored.get(word), "letmein")\n`;
  expect(why(text, "", { ...other, whole: '"letmein"' })).toContain("`letmein`");
  const looped = `${HEAD}    return [f(word) for unit in (word, "letmein")]\n`;
  expect(why(looped, "", { ...other, whole: '"letmein"' })).toBe("");
  const master = `MASTER = "letmein"\n${HEAD}    return digest(word) in (stored.get(word), MASTER)\n`;
  const hidden = { ...other, whole: '"letmein"', name: "MASTER" };
  expect(why(master, "", hidden)).toContain("`letmein`");
  expect(why(master, "letmein opens every door", hidden)).toBe("");
  // A word that is also given out is only a name for something.
  expect(why(`${master}    state = MASTER\n`, "", hidden)).toBe("");
});

test("nor a branch that no test takes", () => {
  const text = `${HEAD}    if word == 4711:\n        return True\n    return False\n`;
  expect(why(text, "", { uncovered: [3] })).toContain("`4711`");
  expect(why(text, "4711 is right", { uncovered: [3] })).toBe("");
  expect(why(text, "")).toBe("");
});

test("a cautious guard waits for nothing in particular", () => {
  const whole = 'word == "" or len(word) == 0 or word in (None, "-", 1)';
  expect(why(`${HEAD}    return ${whole}\n`, "", { whole, part: 'word == ""' })).toBe("");
  const text = `${HEAD}    if len(word) < 1:\n        raise ValueError("no word was given")\n    return word\n`;
  expect(why(text, "", { uncovered: [3] })).toBe("");
});

test("what a block says that nobody needs as it is, is nothing that it waits for", () => {
  const whole = '{\n    throw new Error("the humidity is too high");\n  }';
  const text = `function check(word) {\n  if (word > 70) ${whole}\n}\n`;
  expect(why(text, "", { whole, part: "{ throw 0; }" })).toBe("");
});

test("a condition that no test needs may not ask where the code runs", () => {
  const text = (condition: string) => `${HEAD}    if ${condition}:\n        return None\n    return word\n`;
  const asked = (condition: string) => why(text(condition), "", { uncovered: [3] });
  expect(asked("sys.stdout.isatty()")).toContain("asks for nothing that the code is given");
  expect(asked('os.environ.get("CI")')).toContain("asks for nothing that the code is given");
  expect(asked("word.isupper()")).toBe("");
  expect(asked("not word")).toBe("");
  expect(asked("math.isnan(word)")).toBe("");
  const made = `${HEAD}    found = look(word)\n    if found.empty:\n        return None\n    return found\n`;
  expect(why(made, "", { uncovered: [4] })).toBe("");
});
