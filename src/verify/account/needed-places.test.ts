import { expect, test } from "vitest";
import type { AccountLine } from "../../domain/evidence/account.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { markNeeded } from "./needed-places.ts";

type Part = Pick<UnitChange, "name" | "kind"> & Partial<UnitChange> & { text: string; shown?: boolean };

/** Names of the parts that are still open. */
function open(parts: Part[], onlyThrew: (unit: UnitChange) => boolean = () => false): string[] {
  const texts = new Map<UnitChange, string>();
  const units = parts.map(({ text, shown: _, ...part }): UnitChange => {
    const unit: UnitChange = {
      ...{ path: "a.py", oldPath: null, relation: "added", before: null, after: { from: 1, to: 1 } },
      ...{ lines: [], oldLines: [], uses: [], oldUses: [], binds: [], span: { start: 0, end: 1 }, acts: false },
      ...part,
    };
    texts.set(unit, text);
    return unit;
  });
  const account = parts.map(
    ({ name, shown, path = "a.py" }): AccountLine => ({
      path,
      unit: name,
      standing: shown ? "shown" : "not-judged",
      why: "",
    }),
  );
  return markNeeded(account, units, (unit) => texts.get(unit) ?? "", onlyThrew)
    .filter(({ standing, explained }) => standing === "not-judged" && explained === undefined)
    .map(({ unit = "" }) => unit);
}

const shown = { name: "slug", kind: "function" as const, text: "def slug(t): raise NotText(t)", shown: true };

test("who names a class needs the way it is made; a placeholder that was written is as good as new", () => {
  const made = { name: "NotText.__init__", kind: "function" as const, text: "def __init__(self): pass" };
  expect(open([made, shown])).toEqual([]);
  const changed = { ...made, relation: "changed" as const };
  expect(open([changed, shown])).toEqual(["NotText.__init__"]);
  expect(open([changed, shown], ({ name }) => name === "NotText.__init__")).toEqual([]);
  const gone = { ...made, relation: "removed" as const };
  expect(open([gone])).toEqual(["NotText.__init__"]);
  expect(open([gone], () => true)).toEqual([]);
});

test("what a shown part names is needed, and what that names again", () => {
  const error = { name: "NotText", kind: "class" as const, text: "class NotText(Fault): pass" };
  const base = { name: "Fault", kind: "class" as const, text: "class Fault(Exception): pass" };
  expect(open([base, error, shown])).toEqual([]);
  expect(open([base, shown])).toEqual(["Fault"]);
});

test("a method belongs to its class, and a statement of a new file to its script", () => {
  const equal = { name: "Sum.__eq__", kind: "function" as const, text: "", shown: true };
  const hash = { name: "Sum.__hash__", kind: "function" as const, text: "def __hash__(self): ..." };
  const field = { name: "Sum.#total", kind: "statement" as const, text: "#total;", oldPath: "a.py" };
  expect(open([equal, hash, field])).toEqual([]);
  expect(open([equal, { ...hash, name: "Other.__hash__" }])).toEqual(["Other.__hash__"]);
  const total = { name: "print(total)", kind: "statement" as const, text: "print(total)", shown: true };
  const tells = { name: "if tty", kind: "statement" as const, text: "if tty(): print('x')" };
  expect(open([total, tells])).toEqual([]);
  expect(open([total, { ...tells, oldPath: "a.py" }])).toEqual(["if tty"]);
  const main = { name: "if main", kind: "statement" as const, text: "if main: slug(1)" };
  expect(open([shown, main])).toEqual([]);
  expect(open([shown, tells])).toEqual(["if tty"]);
});

test("a file of Go needs its package, the imports and the types that it names, and none for effects alone", () => {
  const text = "func Split() Parts { fmt.Println() }";
  const split = { name: "Split", kind: "function" as const, text, shown: true };
  const clause = { name: "package split", kind: "statement" as const, text: "package split" };
  const used = { name: 'import "fmt"', kind: "import" as const, text: '"fmt"', binds: ["fmt"] };
  const type = { name: "type Parts []int", kind: "statement" as const, text: "", binds: ["Parts"], oldPath: "a.go" };
  expect(open([split, clause, used, type])).toEqual([]);
  expect(open([split, { ...type, binds: ["Others"] }])).toEqual(["type Parts []int"]);
  const effects = { name: 'import _ "fmt"', kind: "statement" as const, text: '_ "fmt"', oldPath: "a.go" };
  expect(open([split, clause, effects])).toEqual(['import _ "fmt"']);
});

test("what nothing names is not needed, nor is a part that was there before and reads otherwise now", () => {
  const audit = { name: "audit", kind: "function" as const, text: "def audit(user): ..." };
  expect(open([shown, audit])).toEqual(["audit"]);
  const other = { name: "NotText", kind: "class" as const, text: "", relation: "changed" as const };
  expect(open([shown, other])).toEqual(["NotText"]);
});
