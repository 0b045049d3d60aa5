import { describe, expect, test } from "vitest";
import type { ChangedFile } from "../change/change-parts.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { accountOfBare, accountOfFound } from "./account-of-bare.ts";
import { accountOfMoved } from "./account-of-moved.ts";
import type { ProjectSpeech } from "./is-missed.ts";

type Files = Record<string, string>;

function speechOf(before: Files, after: Files): ProjectSpeech {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (path) => before[path] !== after[path],
  );
  const entry = (path: string, text: string | undefined) =>
    text === undefined ? null : { path, kind: "file" as const, id: text, permissions: 0o644 };
  const files = changed.map((path): ChangedFile => {
    const sides = { before: entry(path, before[path]), after: entry(path, after[path]) };
    return { path, part: "source", change: "modified", ...sides };
  });
  const texts = Object.entries(after).map(([path, text]) => {
    const role = /test/.test(path)
      ? ("test" as const)
      : /\.(py|js|go)$/.test(path)
        ? ("code" as const)
        : ("other" as const);
    return { path, text, role };
  });
  return {
    files,
    text: ({ path }, side) => (side === "before" ? before : after)[path] ?? null,
    sources: () => texts.map(({ text }) => text),
    texts: () => texts,
    paths: () => Object.keys(after),
  };
}

describe("a file with nothing in it", () => {
  const standing = (before: Files, after: Files, path: string) => {
    const speech = speechOf(before, after);
    const file = speech.files.find((one) => one.path === path);
    return file && accountOfBare(file, speech).standing;
  };
  test("is a place where it is new and others asked for its name before", () => {
    const report = { "report.py": "import statistics\n" };
    expect(standing(report, { ...report, "statistics.py": "# x\n" }, "statistics.py")).toBe("not-judged");
    expect(standing(report, { ...report, "other.py": "# x\n" }, "other.py")).toBe("inert");
    const tax = { "a/tax.js": 'const r = require("./rates");\n', "a/rates.json": "{}" };
    expect(standing(tax, { ...tax, "a/rates.js": "// x\n" }, "a/rates.js")).toBe("not-judged");
    expect(standing(tax, { ...tax, "rates.js": "// x\n" }, "rates.js")).toBe("inert");
    // In its own package it hides nothing.
    expect(standing({ "b/report.py": "import statistics\n" }, { "a/statistics.py": "" }, "a/statistics.py")).toBe(
      "inert",
    );
  });
  test("is a place where it makes a package of a folder that stays", () => {
    const [rates, init] = [{ "shop/rates.py": "V = 1\n" }, { "shop/__init__.py": "" }];
    expect(standing({ ...rates, ...init }, rates, "shop/__init__.py")).toBe("not-judged");
    expect(standing(rates, { ...rates, ...init }, "shop/__init__.py")).toBe("not-judged");
    expect(standing({}, { ...rates, ...init }, "shop/__init__.py")).toBe("inert");
    expect(standing({ ...rates, ...init }, {}, "shop/__init__.py")).toBe("inert");
  });
});

test("a new file with something in it is a place where code found another one by its name", () => {
  const found = (before: Files, path: string) => {
    const speech = speechOf(before, { ...before, [path]: "x = 1\n" });
    return speech.files.flatMap((file) => accountOfFound(file, speech).map(({ why }) => why));
  };
  expect(found({ "report.py": "import statistics\n" }, "statistics.py")).toEqual([
    "report.py asks for this name, and may find this file now",
  ]);
  expect(found({ "test_cart.py": "from cart import total\n" }, "cart.py")).toEqual([]);
  expect(found({ "main.js": 'import "./lib/tax.js"' }, "lib/tax.js")).toEqual([]);
  expect(found({ "main.js": 'require("./rates")', "rates.json": "{}" }, "rates.js")).toHaveLength(1);
});

describe("a file that was moved", () => {
  /** Why it is in doubt; null: nothing is. */
  const doubt = (before: Files, after: Files, ...moves: [from: string, to: string][]) => {
    const units = moves.map(
      ([oldPath, path]): UnitChange => ({
        ...{ path, oldPath, name: "f", kind: "function", relation: "same", binds: [], acts: false, span: null },
        ...{ before: { from: 1, to: 1 }, after: { from: 1, to: 1 }, lines: [], oldLines: [], uses: [], oldUses: [] },
      }),
    );
    const [line] = accountOfMoved(units, speechOf(before, after));
    return line?.why.split(": ").slice(1).join(": ") ?? null;
  };
  const price = 'import { vat } from "./rates.js";\n';

  test("imports what it imported, or what was moved with it", () => {
    const rates = { "a/rates.js": "1", "b/rates.js": "2" };
    const main = { "main.js": 'import "./b/price.js";' };
    const other = doubt({ ...rates, "a/price.js": price }, { ...rates, ...main, "b/price.js": price }, [
      "a/price.js",
      "b/price.js",
    ]);
    expect(other).toBe("what it imports is another file: b/rates.js");
    const old = { "a/rates.js": "1", "a/price.js": price };
    const now = { ...main, "b/rates.js": "1", "b/price.js": price, "x.js": 'import "./b/rates.js"' };
    expect(doubt(old, now, ["a/price.js", "b/price.js"], ["a/rates.js", "b/rates.js"])).toBeNull();
  });

  test("is asked for by its name, or its place may be what it is known by", () => {
    const page = "export default 1;\n";
    const known = "its place may be what it is known by, as no code asks for it by its name";
    const moved = (rest: Files, to = "pages/users.js") =>
      doubt({ "pages/admin/users.js": page }, { [to]: page, ...rest }, ["pages/admin/users.js", to]);
    expect(moved({})).toBe(known);
    expect(moved({ "users.test.js": 'import "./pages/users.js"' })).toBe(known);
    expect(moved({ "main.js": 'import "./pages/users.js"' })).toBeNull();
    expect(
      doubt({ "cart.js": page }, { "shop/cart.js": page, "cart.test.js": 'import "./shop/cart.js"' }, [
        "cart.js",
        "shop/cart.js",
      ]),
    ).toBeNull();
  });

  test("is in no folder that is loaded as a whole, does not ask where it stands, and is not asked for where it was", () => {
    const job = "x = 1\n";
    const moved = (rest: Files, text = job) =>
      doubt({ "parked/a.py": text }, { "jobs/a.py": text, "main.py": "from jobs.a import x", ...rest }, [
        "parked/a.py",
        "jobs/a.py",
      ]);
    expect(moved({})).toBeNull();
    expect(moved({ "run.py": 'for one in Path("jobs").glob("*.py"): run(one)' })).toBe(
      "run.py may load its folder as a whole",
    );
    expect(moved({}, "x = __file__\n")).toBe("it asks where it stands");
    expect(moved({ "old.py": "from parked import a" })).toBe("old.py still asks for its old place");
    expect(moved({ "pyproject.toml": 'x = "parked.a:x"' })).toBe("pyproject.toml still asks for its old place");
  });

  test("in Go keeps the system that it is built for", () => {
    const go = (to: string) => doubt({ "a/f.go": "package a" }, { [to]: "package a" }, ["a/f.go", to]);
    expect(go("a/g.go")).toBeNull();
    expect(go("a/f_windows.go")).toBe("its name decides where it is built");
  });
});
