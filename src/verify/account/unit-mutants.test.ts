import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { comparedFunctions, unitMutants } from "./unit-mutants.ts";

const parsers = new SyntaxParsers();

/** What small changes make of the text from its first place to `end`. */
async function madeOf(
  path: string,
  content: string,
  unit: Pick<UnitChange, "kind" | "relation">,
  end: string,
  start = 0,
) {
  const stop = content.indexOf(end) + end.length;
  const place = { from: 1, to: content.slice(0, stop).split("\n").length };
  const rest = { oldPath: path, name: "a", oldLines: [], uses: [], oldUses: [], binds: [], acts: true };
  const span = { start, end: stop };
  const change: UnitChange = { ...unit, ...rest, path, before: place, after: place, lines: [place], span };
  const mutants = await unitMutants({ read: () => content, parsers }, [change]);
  return mutants.map(({ replacement }) => replacement);
}

test("a changed head of a class also loses what it inherits", async () => {
  const changed = { kind: "class", relation: "changed" } as const;
  const python = "class Guard(Lax, Other):\n    def f(self):\n        return g\n";
  expect(await madeOf("a.py", python, changed, "Other):")).toEqual([
    "class gone_without_it(Lax, Other):",
    "class Guard:",
  ]);
  const script = "class Guard extends Lax {\n}\n";
  expect(await madeOf("a.js", script, changed, "{")).toEqual(["class gone_without_it extends Lax {", "class Guard {"]);
  const added = { ...changed, relation: "added" } as const;
  const exported = "class Guard {\n}\nexport { Guard };\n";
  expect(await madeOf("a.mjs", exported, added, "{")).toEqual(["const Guard = {}; class gone_without_it {"]);
  expect(await madeOf("a.py", python, added, "Other):")).toHaveLength(1);
});

test("what our grammar cannot read is not taken away as a whole, either", async () => {
  const statement = { kind: "statement", relation: "changed" } as const;
  const api = "export const api = pay;\n";
  expect(await madeOf("a.js", api, statement, ";")).toHaveLength(1);
  expect(await madeOf("a.js", `${api}for (async of => {}; false;) {}\n`, statement, ";")).toEqual([]);
});

test("a name that is exported is taken from others, and what Node cannot read is no mutant", async () => {
  const statement = { kind: "statement", relation: "changed" } as const;
  const list = "const a = f;\nexport { a, a as b };\n";
  expect(await madeOf("a.mjs", list, statement, "a as b", list.indexOf("a as b"))).toEqual(["a as gone_without_it"]);
  const inner = "f({ a, b });\n";
  expect(await madeOf("a.mjs", inner, statement, "b", inner.indexOf("b"))).toEqual([]);
});

test("a field of a class that somebody makes something of is more than its value", () => {
  const place = { from: 1, to: 1 };
  const rest = {
    oldLines: [],
    uses: [],
    oldUses: [],
    binds: [],
    acts: false,
    before: place,
    after: place,
    lines: [],
    span: null,
  };
  const unit: UnitChange = {
    path: "a.py",
    oldPath: "a.py",
    name: "A.x",
    kind: "statement",
    relation: "changed",
    ...rest,
  };
  expect(comparedFunctions([unit]).names).toHaveLength(1);
  expect(comparedFunctions([{ ...unit, field: true }]).names).toEqual([]);
});

test("a mutant says whether it changes only what stood on its line before", async () => {
  const old = "def f(a):\n    return a > 3 and a < 9\n";
  const now = "def f(a):\n    return a > 3 and a < 9 and a != 5\n";
  const place = { from: 1, to: 2 };
  const rest = { oldLines: [], uses: [], oldUses: [], binds: [], acts: false, name: "f" };
  const span = { start: 0, end: now.length };
  const where = { path: "a.py", oldPath: "a.py", before: place, after: place, lines: [{ from: 2, to: 2 }], span };
  const change: UnitChange = { kind: "function", relation: "changed", ...rest, ...where };
  const made = await unitMutants({ read: () => now, readOld: () => old, parsers }, [change]);
  const ofLink = ({ from, to }: { from: number; to: number }) => /5|!=/.test(now.slice(from, to));
  expect(made.filter(({ stood }) => stood).length).toBeGreaterThan(0);
  expect(made.filter(({ stood }) => stood).filter(ofLink)).toEqual([]);
  expect(made.filter(({ stood }) => !stood).filter(ofLink).length).toBeGreaterThan(0);
  const alone = await unitMutants({ read: () => now, parsers }, [change]);
  expect(alone.filter(({ stood }) => stood)).toEqual([]);
});

test("a mutant within an expression that moved changes only what stood, and one of the whole expression does not", async () => {
  const old = "def f(a):\n    return g(a, h(a) if a > 3 else None)\n";
  const now = "def f(a):\n    b = [h(a) if a > 3 else None]\n    return g(a, b)\n";
  const rest = { oldLines: [], uses: [], oldUses: [], binds: [], acts: false, name: "f" };
  const span = { start: 0, end: now.length };
  const where = { before: { from: 1, to: 2 }, after: { from: 1, to: 3 }, lines: [{ from: 2, to: 3 }], span };
  const change: UnitChange = {
    kind: "function",
    relation: "changed",
    path: "a.py",
    oldPath: "a.py",
    ...rest,
    ...where,
  };
  const made = await unitMutants({ read: () => now, readOld: () => old, parsers }, [change]);
  const changed = (wanted: boolean) =>
    made
      .filter(({ stood = false, operator }) => stood === wanted && operator !== "put-back")
      .map(({ from, to }) => now.slice(from, to));
  expect(changed(true)).toContain("3");
  expect(changed(false)).toContain("g(a, b)");
  expect(changed(false)).not.toContain("3");
});

test("what only stands beside a piece of the change stands as it stood", async () => {
  const text = (head: string) => `def f(a, wait=0${head}):\n    return g(a, wait${head && ", b"})\n`;
  const place = { from: 1, to: 2 };
  const rest = { oldPath: "a.py", name: "f", oldLines: [place], uses: [], oldUses: [], binds: [], acts: false };
  const now = text(", b=1");
  const change = {
    path: "a.py",
    kind: "function",
    relation: "changed",
    before: place,
    after: place,
    lines: [place],
    ...rest,
  } as const;
  const unit: UnitChange = {
    ...change,
    lines: [place],
    oldLines: [place],
    uses: [],
    oldUses: [],
    binds: [],
    span: { start: 0, end: now.length },
  };
  const made = await unitMutants({ read: () => now, readOld: () => text(""), parsers }, [unit]);
  const own = made
    .filter(({ stood, operator }) => !stood && operator !== "put-back")
    .map(({ description }) => description);
  expect(own).toEqual(expect.arrayContaining(["`1` → `2`"]));
  expect(own).not.toContain("`0` → `1`");
});
