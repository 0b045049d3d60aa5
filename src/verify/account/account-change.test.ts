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
  { path = PATH, relation = "removed" as UnitChange["relation"], whole = text, standard = false, loads = false } = {},
) {
  const above = whole.slice(0, Math.max(0, whole.indexOf(text))).split("\n").length - 1;
  const range = { from: above + 1, to: above + text.split("\n").length };
  const change: UnitChange = {
    ...{
      path,
      oldPath: path,
      name,
      kind,
      relation,
      ...(standard && { standard }),
      ...(loads && { loads }),
      before: range,
      after: null,
      lines: [],
      span: null,
    },
    ...{ oldLines: [range], uses: [], oldUses: [], binds: [], acts },
  };
  const entry = (id: string) => ({ path, kind: "file" as const, id, permissions: 0o644 });
  const file: ChangedFile = { path, part: "source", change: "modified", before: entry("1"), after: entry("2") };
  const texts = Object.entries(rest).map(([path, text]) => ({
    ...{ path, text, role: /\.(py|js)$/.test(path) ? ("code" as const) : ("other" as const) },
  }));
  const [line] = accountChange({
    files: [file],
    changes: { changes: [change], unreadable: [] },
    leftOut: [],
    showing: new Set(),
    met: { coverage: null, lines: null, mutants: [], behaviour: [] },
    noticed: new Set(),
    used: () => true,
    text: (_, side) => (side === "before" || relation === "added" ? whole : whole.replace(text, "")),
    sources: () => texts.flatMap((one) => (one.role === "code" ? one.text : [])),
    texts: () => texts,
    paths: () => [path, ...Object.keys(rest)],
    bar: { mutationScore: null, problem: null },
    leave: [],
  });
  return line?.standing;
}

test("what a file kept to itself and nothing speaks of is missed by nobody", () => {
  expect(standingOf("function", "_old", "def _old():\n    pass")).toBe("same");
  expect(standingOf("function", "_old", "def _old():\n    pass", { "a.py": "x._old()" })).toBe("not-judged");
});

test("a name that another file has for something of its own speaks of nothing here", () => {
  const old = "def _old():\n    pass";
  const own = { "shop/other.py": "def _old():\n    return 1\ndef new():\n    return _old()" };
  expect(standingOf("function", "_old", old, own)).toBe("same");
  const taken = { "shop/other.py": `from .user import _old\n${own["shop/other.py"]}` };
  expect(standingOf("function", "_old", old, taken)).toBe("not-judged");
});

test("a private name for a value is missed where something speaks of it; a statement that acts may always be", () => {
  const gone = (text: string, rest = {}, acts = false) =>
    standingOf("statement", text.split(" ")[0] ?? "", text, rest, acts);
  expect(gone("_LIMIT = 3")).toBe("same");
  expect(gone("_LIMIT = 3", { "a.py": "user._LIMIT" })).toBe("not-judged");
  expect(gone("_LIMIT = register(3)", {}, true)).toBe("not-judged");
  expect(gone("LIMIT = 3")).toBe("not-judged");
  expect(gone("_LIMIT[0] = 3")).toBe("not-judged");
  const script = { path: "cart.js" };
  expect(standingOf("statement", "PREFIX", "const PREFIX = /^a/;", {}, false, script)).toBe("same");
  expect(standingOf("statement", "PREFIX", "export const PREFIX = /^a/;", {}, false, script)).toBe("not-judged");
});

test("what Python calls by itself, and what a decorator may have passed on, may be missed", () => {
  expect(standingOf("function", "User.__repr__", "    def __repr__(self):\n        return 1")).toBe("not-judged");
  expect(standingOf("function", "_hook", "@hook\ndef _hook():\n    pass", {}, true)).toBe("not-judged");
});

test("an import that is gone is missed where nothing else loads what it loaded", () => {
  expect(standingOf("import", "os", "import os")).toBe("same");
  expect(standingOf("import", "readline", "import readline", {}, false, { loads: true })).toBe("not-judged");
  const strict = { "shop/strict.py": "import safe\nsafe.ON = True" };
  for (const [name, line] of [
    ["strict", "import strict"],
    ["strict", "from . import strict"],
    ["ON", "from shop.strict import ON"],
  ] as const)
    expect([line, standingOf("import", name, line, strict)]).toEqual([line, "not-judged"]);
  expect(standingOf("import", "strict", "import strict", { ...strict, "b.py": "import strict" })).toBe("same");
});

const goneFrom = (
  whole: string,
  text: string,
  name: string,
  rest: Record<string, string> = {},
  path = "shop/desk.py",
) => standingOf("function", name, text, rest, false, { path, whole });

test("any text of the project may speak of what is gone", () => {
  const text = "def _main():\n    pass";
  expect(goneFrom(text, text, "_main", { "pyproject.toml": 'shop = "desk:_main"' })).toBe("not-judged");
  expect(goneFrom(text, text, "_main", { "pages/order.html": "{{ order._main() }}" })).toBe("not-judged");
  expect(goneFrom(text, text, "_main", { "pyproject.toml": 'shop = "desk:main"' })).toBe("same");
});

test("a name that is put together where code runs may be any name of that place", () => {
  const text = "    def _on_refund(self):\n        pass";
  const desk = (call: string) => `class Desk:\n    def answer(self, kind):\n        return ${call}\n${text}`;
  expect(goneFrom(desk('getattr(self, "_on_" + kind)()'), text, "Desk._on_refund")).toBe("not-judged");
  expect(goneFrom(desk('getattr(self, "_on_hello")()'), text, "Desk._on_refund")).toBe("same");
  const base = (call: string) => ({ "shop/base.py": `def run(one, kind):\n    return getattr(one, ${call})()` });
  expect(goneFrom(text, text, "Desk._on_refund", base('f"_on_{kind}"'))).toBe("not-judged");
  expect(goneFrom(text, text, "Desk._on_refund", base('f"_at_{kind}"'))).toBe("same");
});

test("members of what a script exports, and what JavaScript calls by itself, may be missed", () => {
  const gone = (whole: string, member: string, name: string) =>
    goneFrom(whole.replace("MEMBER", member), member, name, {}, "cart.js");
  expect(gone("export class Cart {\nMEMBER\n}", "  refund() {}", "Cart.refund")).toBe("not-judged");
  expect(gone("class Cart {\nMEMBER\n}\nmodule.exports = { Cart };", "  refund() {}", "Cart.refund")).toBe(
    "not-judged",
  );
  expect(gone("export class Cart {\nMEMBER\n}", "  #refund() {}", "Cart.#refund")).toBe("same");
  expect(gone("export class Cart {\nMEMBER\n}", "  private refund() {}", "Cart.refund")).toBe("same");
  expect(gone("class Cart {\nMEMBER\n}", "  refund() {}", "Cart.refund")).toBe("same");
  const makes = "class Cart {\nMEMBER\n}\nexport const open = () => new Cart();";
  expect(gone(makes, "  refund() {}", "Cart.refund")).toBe("not-judged");
  expect(gone(makes, "  #refund() {}", "Cart.#refund")).toBe("same");
  expect(gone("class Cart {\nMEMBER\n}", "  toJSON() {}", "Cart.toJSON")).toBe("not-judged");
  expect(gone("export function total() {}\nMEMBER", "function unused() {}", "unused")).toBe("same");
});

test("an import that is gone is missed where others take its name from there", () => {
  const gone = (path: string, rest: Record<string, string>, standard = false) =>
    standingOf(
      "import",
      "total",
      "from .cart import total",
      { "shop/cart.py": "x", "b.py": "import cart", ...rest },
      false,
      {
        ...{ path, standard },
      },
    );
  expect(gone("shop/__init__.py", {})).toBe("not-judged");
  expect(gone("shop/__init__.py", {}, true)).toBe("same");
  expect(gone("shop/compat.py", {})).toBe("same");
  for (const line of ["from shop.compat import total", "import shop.compat as c\nc.total()", "compat.total()"])
    expect([line, gone("shop/compat.py", { "main.py": line })]).toEqual([line, "not-judged"]);
  expect(gone("shop/compat.py", { "main.py": "from shop.compat import other\nfrom cart import total" })).toBe("same");
});

test("a new name counts where names of its file are listed, put together or taken as a whole", () => {
  const added = (whole: string, rest: Record<string, string> = {}) =>
    standingOf("import", "mean", "from statistics import mean", rest, false, {
      ...{ path: "helpers.py", relation: "added" as const, standard: true, whole },
    });
  expect(added("from statistics import mean")).toBe("inert");
  expect(added("from statistics import mean\nx = globals()[name]")).toBe("not-judged");
  expect(added("", { "report.py": "from mymath import mean\nfrom helpers import *" })).toBe("not-judged");
  expect(added("", { "report.py": "import helpers\nfor one in dir(helpers): pass" })).toBe("not-judged");
  expect(added("", { "report.py": "import helpers\nfor one in dir(other): pass" })).toBe("inert");
});
