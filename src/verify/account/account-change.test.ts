import { expect, test } from "vitest";
import type { ChangedFile } from "../change/change-parts.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { accountChange } from "./account-change.ts";

const PATH = "shop/user.py";

/** The standing of a unit that is gone; `rest` is what else the project has. */
function standingOf(
  kind: UnitChange["kind"],
  name: string,
  text: string,
  rest: Record<string, string> = {},
  acts = false,
) {
  const range = { from: 1, to: text.split("\n").length };
  const change: UnitChange = {
    ...{
      path: PATH,
      oldPath: PATH,
      name,
      kind,
      relation: "removed",
      before: range,
      after: null,
      lines: [],
      span: null,
    },
    ...{ oldLines: [range], uses: [], oldUses: [], binds: [], acts },
  };
  const entry = (id: string) => ({ path: PATH, kind: "file" as const, id, permissions: 0o644 });
  const file: ChangedFile = { path: PATH, part: "source", change: "modified", before: entry("1"), after: entry("2") };
  const [line] = accountChange({
    files: [file],
    changes: { changes: [change], unreadable: [] },
    leftOut: [],
    showing: new Set(),
    met: { coverage: null, lines: null, mutants: [], behaviour: [] },
    noticed: new Set(),
    used: () => true,
    text: (_, side) => (side === "before" ? text : ""),
    sources: () => Object.values(rest),
    paths: () => [PATH, ...Object.keys(rest)],
    bar: { mutationScore: null, problem: null },
    leave: [],
  });
  return line?.standing;
}

test("what a file kept to itself and nothing speaks of is missed by nobody", () => {
  expect(standingOf("function", "_old", "def _old():\n    pass")).toBe("same");
  expect(standingOf("function", "_old", "def _old():\n    pass", { "a.py": "x._old()" })).toBe("not-judged");
});

test("what Python calls by itself, and what a decorator may have passed on, may be missed", () => {
  expect(standingOf("function", "User.__repr__", "    def __repr__(self):\n        return 1")).toBe("not-judged");
  expect(standingOf("function", "_hook", "@hook\ndef _hook():\n    pass", {}, true)).toBe("not-judged");
});

test("an import that is gone is missed where nothing else loads what it loaded", () => {
  expect(standingOf("import", "os", "import os")).toBe("same");
  const strict = { "shop/strict.py": "import safe\nsafe.ON = True" };
  for (const [name, line] of [
    ["strict", "import strict"],
    ["strict", "from . import strict"],
    ["ON", "from shop.strict import ON"],
  ] as const)
    expect([line, standingOf("import", name, line, strict)]).toEqual([line, "not-judged"]);
  expect(standingOf("import", "strict", "import strict", { ...strict, "b.py": "import strict" })).toBe("same");
});
