import { afterAll, describe, expect, test } from "vitest";
import { testSettings } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { sortChange } from "./change-parts.ts";
import { type ChangedMeaning, changedMeaning } from "./changed-units.ts";

const sandbox = openSandbox({ backend: "bubblewrap" });
afterAll(() => sandbox[Symbol.asyncDispose]());
const parsers = new SyntaxParsers();
const languages = openLanguages({
  env: { PATH: "/usr/bin:/bin" },
  execPath: process.execPath,
  version: process.version,
});

type Files = Record<string, string | Buffer>;

async function meaningOf(before: Files, after: Files): Promise<ChangedMeaning> {
  const store = ArtifactStore.open(temporaryDirectory());
  const tree = (files: Files) => {
    const empty = store.putTree("t0000001", () => ({ entries: new Map(), emptyDirectories: new Set<string>() }));
    return store.overlay(
      "t0000001",
      empty,
      Object.entries(files).map(([path, content]) => ({ path, content })),
    );
  };
  const trees = { base: tree(before), result: tree(after) };
  const toolchain = await languages.toolchain(null, temporaryDirectory());
  const limits = testSettings.sandbox.limits;
  const around = { toolchain, sandbox, limits, signal: new AbortController().signal, parsers };
  const files = await sortChange(store, parsers, trees, (path) => languages.named("python").isTestFile(path));
  const found = await changedMeaning(store, around, trees, files);
  store.close();
  return found;
}

/** `changed total` for each unit; what cannot be read says why. */
async function relations(path: string, before: string, after: string): Promise<string[]> {
  const { changes, unreadable } = await meaningOf({ [path]: before }, { [path]: after });
  return [...changes.map(({ relation, name }) => `${relation} ${name}`), ...unreadable.map(({ why }) => why)];
}

describe("Comments that tools read", () => {
  const TOTAL = "x = 1\n";
  test.each([
    ["how the system starts it", "a.py", "#!/usr/bin/env python3\nx = 1\n", "#!/usr/bin/env sh\nx = 1\n", "changed #!"],
    [
      "the end of that line",
      "a.py",
      "#!/usr/bin/env python3\nx = 1\n",
      "#!/usr/bin/env python3\r\nx = 1\r\n",
      "changed #!",
    ],
    ["a mark before it", "a.js", "#!/usr/bin/env node\nx();\n", "\ufeff#!/usr/bin/env node\nx();\n", null],
    ["a mark before it in Python", "a.py", "#!/bin/python3\nx = 1\n", "\ufeff#!/bin/python3\nx = 1\n", "changed #!"],
    ["that it is gone", "a.py", "#!/usr/bin/env python3\nx = 1\n", "x = 1\n", "removed #!"],
    [
      "which packages a script has",
      "a.py",
      `# /// script\n# dependencies = ["rich"]\n# ///\n${TOTAL}`,
      `# /// script\n# dependencies = ["other"]\n# ///\n${TOTAL}`,
      "changed # /// script",
    ],
    [
      "what is compiled as C",
      "a.go",
      'package a\n\n/*\nint f() { return 1; }\n*/\nimport "C"\n',
      'package a\n\n/*\nint f() { return 2; }\n*/\nimport "C"\n',
      'changed comment before import "C"',
    ],
    [
      "what JSX becomes",
      "a.jsx",
      "/** @jsxImportSource preact */\nexport const v = <b/>;\n",
      "/** @jsxImportSource other */\nexport const v = <b/>;\n",
      "changed /** @jsxImportSource other */",
    ],
    ["what a build leaves out", "a.js", "f();\n", "/* #__PURE__ */ f();\n", "added /* #__PURE__ */"],
  ])("%s is a unit", async (_, path, before, after, expected) => {
    const found = await relations(path, before, after);
    if (expected === null) expect(found).not.toEqual([]);
    else expect(found).toContain(expected);
  });

  test("a usual first line of a new file is nothing", async () => {
    const first = async (line: string) =>
      (await meaningOf({}, { "a.py": `${line}\nx = 1\n` })).changes.map(({ name }) => name);
    expect(await first("#!/usr/bin/env python3")).toEqual(["x"]);
    expect(await first("#!/usr/bin/env -S sh -c x")).toEqual(["#!", "x"]);
  });
});

describe("Python", () => {
  test.each([
    ["a name that is not there", "def f(a):\n    pass\n", "def f(a: Decimal):\n    pass\n", "changed"],
    [
      "a name that comes later",
      "def f(a):\n    pass\nclass B:\n    x = 1\n",
      "def f(a: B):\n    pass\nclass B:\n    x = 1\n",
      "changed",
    ],
    ["a text beside a type", "def f(a):\n    pass\n", 'def f(a: "B" | None):\n    pass\n', "changed"],
    [
      "a name for type checkers, read as it is met",
      "from __future__ import annotations\nif TYPE_CHECKING:\n    import d\ndef f(a: d.D):\n    pass\n",
      "if TYPE_CHECKING:\n    import d\ndef f(a: d.D):\n    pass\n",
      "changed",
    ],
    [
      "a name that one branch binds",
      "if X:\n    import d\ndef f(a):\n    pass\n",
      "if X:\n    import d\ndef f(a: d.D):\n    pass\n",
      "changed",
    ],
    [
      "a known name",
      "import d\ndef f(a):\n    pass\n",
      "import d\ndef f(a: d.D | None, b=1):\n    pass\n".replace(", b=1", ""),
      "inert",
    ],
    [
      "a class above",
      "class B:\n    x = 1\ndef f(a):\n    pass\n",
      "class B:\n    x = 1\ndef f(a: list[B]):\n    pass\n",
      "inert",
    ],
    [
      "names that nobody works out",
      "from __future__ import annotations\ndef f(a):\n    pass\n",
      "from __future__ import annotations\ndef f(a: Decimal):\n    pass\n",
      "inert",
    ],
  ])("an annotation with %s", async (_, before, after, relation) => {
    expect(await relations("a.py", before, after)).toContain(`${relation} f`);
  });

  test("an annotation counts where the project asks for arguments", async () => {
    const asks = { "b.py": "import inspect\ninspect.getfullargspec(f)\n" };
    const found = await meaningOf(
      { ...asks, "a.py": "def f(a: int):\n    pass\n" },
      { ...asks, "a.py": "def f(a: str):\n    pass\n" },
    );
    expect(found.changes.map(({ relation }) => relation)).toEqual(["changed"]);
  });

  test.each([
    ["its own function", 'def f(db):\n    """TEXT"""\n    return db(f.__doc__)\n', "statement"],
    ["a decorator of the file", 'def q(fn):\n    return run(fn.__doc__)\n@q\ndef f():\n    """TEXT"""\n', "statement"],
    ["getdoc", 'def f(db):\n    """TEXT"""\n    return getdoc(f)\n', "statement"],
    ["a wrapper that copies it", 'def q(fn):\n    w.__doc__ = fn.__doc__\n@q\ndef f():\n    """TEXT"""\n', "docs"],
    ["a name that is made", 'def g(n):\n    return run(globals()[n].__doc__)\ndef f():\n    """TEXT"""\n', "statement"],
    ["another function", 'def g():\n    return g.__doc__\ndef f():\n    """TEXT"""\n', "docs"],
  ])("a docstring that is read by %s", async (_, text, kind) => {
    const found = await meaningOf({ "a.py": text.replace("TEXT", "one") }, { "a.py": text.replace("TEXT", "two") });
    expect(found.changes.map((one) => `${one.kind} ${one.name}`)).toContain(`${kind} f.docstring`);
  });

  test.each([
    [
      "a value above a call that asks for it by a function",
      "L = 1\ndef make():\n    return L\nD = make()\nL = 2\n",
      "L = 1\ndef make():\n    return L\nL = 2\nD = make()\n",
      "reordered D",
    ],
    [
      "a second function of a name above a call",
      "def r():\n    return 1\ndef t():\n    return r()\nT = t()\ndef r():\n    return 2\n",
      "def r():\n    return 1\ndef t():\n    return r()\ndef r():\n    return 2\nT = t()\n",
      "reordered T",
    ],
    [
      "a value below a call that needs it",
      "L = 1\ndef m():\n    return L\nD = m()\n",
      "def m():\n    return L\nD = m()\nL = 1\n",
      "reordered D",
    ],
  ])("%s counts", async (_, before, after, expected) => {
    expect(await relations("a.py", before, after)).toContain(expected);
  });

  test("a function that a call cannot reach may stand on either side of it", async () => {
    const [app, help] = ["app = Flask()\n", "def help():\n    return 1\n"];
    expect(await relations("a.py", `import Flask\n${app}${help}`, `import Flask\n${help}${app}`)).toEqual([]);
  });

  test.each([
    [
      "comments and layout between units",
      "x = 1\ndef f(a):\n    return a\n",
      "# x\nx = 1\n\n\ndef f(a):\n    return a\n",
    ],
    ["a bare text", "x = 1\n", 'x = 1\n"""what x is"""\n'],
    ["imports in another order", "import a\nimport b\nx = 1\n", "import b\nimport a\nx = 1\n"],
    [
      "functions in another order",
      "def f():\n    g()\ndef g():\n    pass\n",
      "def g():\n    pass\ndef f():\n    g()\n",
    ],
    [
      "methods in another order",
      "class A(B):\n    def f(self): return 1\n    def g(self): return 2\n",
      "class A(B):\n    def g(self): return 2\n    def f(self): return 1\n",
    ],
    ["names of a plain class in another order", "class A:\n    x = 1\n    y = 2\n", "class A:\n    y = 2\n    x = 1\n"],
    [
      "a field behind a method",
      "@dataclass\nclass A:\n    x: int\n    def f(self): return 1\n",
      "@dataclass\nclass A:\n    def f(self): return 1\n    x: int\n",
    ],
    ["constants in another order", "A = 1\nB = (2, 3)\n", "B = (2, 3)\nA = 1\n"],
  ])("%s are no change", async (_, before, after) => {
    expect(await relations("a.py", before, after)).toEqual([]);
  });

  test.each([
    [
      "layout",
      "def f(a):\n    return a + 1\n",
      "def f(a):\n    # one more\n    return (\n        a\n        + 1\n    )\n",
    ],
    [
      "quotes, digits and folded constants",
      "def f():\n    return 'a', 1000, 60 * 60\n",
      'def f():\n    return "a", 1_000, 3600\n',
    ],
    ["annotations of local names", "def f(a):\n    b = a\n    return b\n", "def f(a):\n    b: int = a\n    return b\n"],
  ])("%s: the same to the compiler", async (_, before, after) => {
    expect(await relations("a.py", before, after)).toEqual(["same f"]);
  });

  test.each([
    ["docstrings", "def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n', "inert f.docstring"],
    ["the text of a module", "X = 1\n", '"""About X."""\nX = 1\n', "inert docstring"],
    [
      "annotations",
      "def f(a, b=1):\n    return a\n",
      "def f(a: list[int], b: int = 1) -> int | None:\n    return a\n",
      "inert f",
    ],
    [
      "annotations of a property",
      "class A:\n    @property\n    def f(self):\n        return 1\n",
      "class A:\n    @property\n    def f(self) -> int:\n        return 1\n",
      "inert A.f",
    ],
    [
      "annotations of a method whose name another function has for a variable",
      "class A:\n    def count(self):\n        return 1\n    def add(self, count):\n        return count\n",
      "class A:\n    def count(self) -> int:\n        return 1\n    def add(self, count):\n        return count\n",
      "inert A.count",
    ],
    ["the annotation of a constant", "from t import Final\nX = 1\n", "from t import Final\nX: Final = 1\n", "inert X"],
  ])("%s are inert", async (_, before, after, said) => {
    expect((await relations("a.py", before, after)).filter((one) => one !== "same f")).toEqual([said]);
  });

  test.each([
    [
      "an annotation of a function that is handed on",
      "def f(a: int):\n    return a\nregister(f)\n",
      "def f(a: bool):\n    return a\nregister(f)\n",
      ["changed f"],
    ],
    [
      "an annotation of a method that its class hands on",
      "class A:\n    def f(self, a: int):\n        return a\n    g = route(f)\n",
      "class A:\n    def f(self, a: bool):\n        return a\n    g = route(f)\n",
      ["changed A.f"],
    ],
    [
      "an annotation of a class that is handed on",
      "class A:\n    x: int = 0\nA = dataclass(A)\n",
      "class A:\n    x: ClassVar[int] = 0\nA = dataclass(A)\n",
      ["changed A.x"],
    ],
    [
      "a guard that only -O leaves out",
      "def f(a):\n    check(a)\n    return a\n",
      "def f(a):\n    if __debug__:\n        check(a)\n    return a\n",
      ["changed f"],
    ],
    ["a default", "def f(a=1):\n    return a\n", "def f(a=2):\n    return a\n", ["changed f"]],
    ["a decorator", "def f(a):\n    return a\n", "@cache\ndef f(a):\n    return a\n", ["changed f"]],
    [
      "an annotation that does something",
      "def f(a):\n    return a\n",
      "def f(a: LIMITS.update(max=9)):\n    return a\n",
      ["changed f"],
    ],
    [
      "an annotation of what is decorated",
      "@app.get\ndef f(a):\n    return a\n",
      "@app.get\ndef f(a: int):\n    return a\n",
      ["changed f"],
    ],
    [
      "a field of a dataclass",
      "@dataclass\nclass A:\n    x: int = 1\n",
      "@dataclass\nclass A:\n    x: str = 1\n",
      ["changed A.x"],
    ],
    [
      "an f-string that binds a name",
      "def f(a):\n    return a\n",
      'def f(a):\n    f"{(a := 0)}"\n    return a\n',
      ["changed f"],
    ],
    [
      "a name that is bound anew",
      "def f():\n    return 1\n",
      "def f():\n    return 1\n\n\nfrom b import f  # noqa\n",
      ["added f"],
    ],
    ["from where a name comes", "from a import f\n", "from b import f\n", ["changed f"]],
    ["one name more of an import", "from a import f\nx = 1\n", "from a import f, g\nx = 1\n", ["added g"]],
    [
      "a base class",
      "class A(B):\n    def f(self):\n        return 1\n",
      "class A(C):\n    def f(self):\n        return 1\n",
      ["changed A"],
    ],
    ["a statement of a class", "class A:\n    x = 1\n", "class A:\n    x = 2\n", ["changed A.x"]],
    [
      "a private name",
      "class A:\n    def f(self):\n        return self.__x\n",
      "class A:\n    def f(self):\n        return self._A__y\n",
      ["changed A.f"],
    ],
    ["a bare statement", "print(1)\n", "print(2)\n", ["changed print(2)"]],
    ["a function that is gone", "def f():\n    pass\ndef g():\n    pass\n", "def g():\n    pass\n", ["removed f"]],
    [
      "two functions with one name",
      "def f():\n    return 1\ndef f():\n    return 2\n",
      "def f():\n    return 2\ndef f():\n    return 1\n",
      ["reordered f"],
    ],
    ["statements that act", "a()\nb()\n", "b()\na()\n", ["reordered a()"]],
    [
      "fields of a class that a decorator makes something of",
      "@dataclass\nclass A:\n    x: int\n    y: int\n",
      "@dataclass\nclass A:\n    y: int\n    x: int\n",
      ["reordered A.x"],
    ],
    [
      "members of a class that its base makes something of",
      "class A(Enum):\n    X = 1\n    Y = 2\n",
      "class A(Enum):\n    Y = 2\n    X = 1\n",
      ["reordered A.X"],
    ],
    [
      "a field before another one",
      "@dataclass\nclass A:\n    x: int = 1\n    y: int = 2\n",
      "@dataclass\nclass A:\n    x: int = 1\n    z: int = 3\n    y: int = 2\n",
      ["added A.z", "reordered A.y"],
    ],
    [
      "methods whose order somebody reads",
      "class A:\n    def f(self): return 1\n    def g(self): return 2\nfor x in vars(A): pass\n",
      "class A:\n    def g(self): return 2\n    def f(self): return 1\nfor x in vars(A): pass\n",
      ["reordered A.f"],
    ],
    ["an import and a statement that acts", "p()\nimport a\n", "import a\np()\n", ["reordered p()"]],
    [
      "a wrapped function",
      "def f():\n    pass\nf = w(f)\n",
      "f = w(f)\ndef f():\n    pass\n",
      ["reordered f", "reordered f"],
    ],
    [
      "how annotations are read",
      "import a\nclass A(B):\n    x: int = 1\n",
      "from __future__ import annotations\nimport a\nclass A(B):\n    x: int = 1\n",
      ["inert annotations", "changed A.x"],
    ],
  ])("%s: another meaning", async (_, before, after, said) => {
    expect(await relations("a.py", before, after)).toEqual(said);
  });

  test("docstrings and annotations count where code of the project asks for them", async () => {
    const after = 'def f(a: int):\n    """One."""\n    return a\n';
    const asks = { "b.py": "import a\nprint(a.f.__doc__, a.f.__annotations__)\n" };
    const { changes } = await meaningOf({ ...asks, "a.py": "def f(a):\n    return a\n" }, { ...asks, "a.py": after });
    expect(changes.map(({ relation, kind }) => `${relation} ${kind}`)).toEqual(["added docs", "changed function"]);
  });

  test.each([
    ["is a type", "from typing import overload", "overload", "None = None", "inert"],
    ["is a type by another name", "import typing as t", "t.overload", "None = None", "inert"],
    ["may call something", "from typing import overload", "overload", "None = g()", "changed"],
    ["is whatever another module says", "from own import overload", "overload", "None = None", "changed"],
  ])("a signature beside a function %s", async (_, load, mark, given, relation) => {
    const text = (type: string, body = "1") =>
      `${load}\n\n@${mark}\ndef f(a: ${type}) -> int: ...\n\ndef f(a):\n    return ${body}\n`;
    expect(await relations("a.py", text("int = 0"), text(given))).toContain(`${relation} f`);
    // Without a function that follows, it is the one that is called.
    const alone = (type: string) => text(type).split("\n\ndef")[0] ?? "";
    expect(await relations("a.py", alone("int = 0"), alone(given))).toContain("changed f");
  });

  test("a unit has the lines that differ, of both sides", async () => {
    const before = "X = 1\n\n\ndef f(a):\n    b = a\n    return b\n";
    const after = "X = 1\n\n\n@d\ndef f(a):\n    b = a + 1\n    return b\n";
    const { changes } = await meaningOf({ "a.py": before }, { "a.py": after });
    expect(changes).toEqual([
      {
        path: "a.py",
        oldPath: "a.py",
        name: "f",
        kind: "function",
        relation: "changed",
        before: { from: 4, to: 6 },
        after: { from: 4, to: 7 },
        lines: [
          { from: 4, to: 4 },
          { from: 6, to: 6 },
        ],
        oldLines: [{ from: 4, to: 5 }],
        uses: [],
        oldUses: [],
        binds: ["f"],
        acts: true,
        span: { start: 8, end: after.length - 1 },
      },
    ]);
  });

  test("an import has the lines that say its name, and not those that import others", async () => {
    const before = "from a import f\nx = f(1)\ny = o.f\nz = ff\n";
    const { changes } = await meaningOf({ "a.py": before }, { "a.py": before.replace("from a", "from b") });
    expect(changes.map(({ name, uses, oldUses }) => ({ name, uses, oldUses }))).toEqual([
      { name: "f", uses: [{ from: 2, to: 2 }], oldUses: [{ from: 2, to: 2 }] },
    ]);
  });

  test("places are counted in characters, whatever stands before them", async () => {
    const after = '\ufeffx = "é🙂"; y = 2\n';
    const { changes } = await meaningOf({ "a.py": "" }, { "a.py": after });
    expect(changes.map(({ span }) => span && after.slice(span.start, span.end))).toEqual(['x = "é🙂"', "y = 2"]);
  });
});

test("an import is one of the language's own when it brings a name that nobody else asks for", async () => {
  const standard = async (line: string, files: Files = {}) => {
    const { changes } = await meaningOf({ ...files, "a.py": "X = 1\n" }, { ...files, "a.py": `${line}\nX = 1\n` });
    return changes.find(({ kind }) => kind === "import")?.standard ?? false;
  };
  expect(await standard("import os")).toBe(true);
  expect(await standard("from os import path")).toBe(true);
  for (const line of [
    "from os import system as __getattr__",
    "import os as cart",
    "import antigravity",
    "import numpy",
  ])
    expect([line, await standard(line)]).toEqual([line, false]);
  expect(await standard("class A:\n    from builtins import object as is_admin")).toBe(false);
  expect(await standard("import code", { "code.py": "print(1)\n" })).toBe(false);
});

test("a file that is new, gone or has another name is all its units", async () => {
  const text = "X = f(1)\ndef g():\n    return 1\n";
  const said = async (before: Files, after: Files) =>
    (await meaningOf(before, after)).changes.map(({ relation, name, path, oldPath }) => [
      relation,
      name,
      oldPath,
      path,
    ]);
  expect(await said({}, { "a.py": text })).toEqual([
    ["added", "X", null, "a.py"],
    ["added", "g", null, "a.py"],
  ]);
  expect((await said({ "a.py": text }, {})).map(([relation]) => relation)).toEqual(["removed", "removed"]);
  expect(await said({ "a.py": text }, { "b/a.py": text.replace("1\n", "2\n") })).toEqual([
    ["same", "X", "a.py", "b/a.py"],
    ["changed", "g", "a.py", "b/a.py"],
  ]);
});

test("what cannot be read, or is read differently by two readers, is said with the reason", async () => {
  const why = async (path: string, after: string | Buffer) =>
    (await meaningOf({ [path]: "x = 1\n" }, { [path]: after })).unreadable.map((one) => one.why)[0] ?? "";
  expect(await why("a.py", "x = 1\n# end\rimport os\n")).toContain("carriage return");
  expect(await why("a.py", Buffer.from([0x78, 0x3d, 0xff, 0x0a]))).toContain("not UTF-8");
  expect(await why("a.py", "def f(:\n")).toContain("our grammar");
  expect(await why("a.py", "return 1\n")).toContain("'return' outside function");
  expect(await why("a.js", "let a = 1; let a = 2;")).toContain("already been declared");
  expect(await why("a.js", "x = a <!--b;\nc();\n")).toContain("a script and another as a module");
  expect(await why("a.rb", "x = 2\n")).toContain("language");
});

describe("JavaScript", () => {
  test.each([
    ["comments and layout", "a.js", "f(1);\n", "// x\n\nf(1);\n"],
    [
      "functions in another order",
      "a.js",
      "f();\nfunction f() {}\nfunction g() {}\n",
      "function g() {}\nfunction f() {}\nf();\n",
    ],
    [
      "imports in another order",
      "a.js",
      'import a from "a";\nimport b from "b";\n',
      'import b from "b";\nimport a from "a";\n',
    ],
  ])("%s are no change", async (_, path, before, after) => {
    expect(await relations(path, before, after)).toEqual([]);
  });

  test.each([
    [
      "quotes, semicolons and parentheses",
      "a.js",
      "const f = () => { return 'a' + 1000 }\n",
      'const f = () => {\n  return ("a" + 1_000);\n};\n',
      ["same f"],
    ],
    [
      "the other way to export a class by default",
      "a.js",
      "class A { m() {} }\nexport default A;\nexport class B {}\n",
      "export class B {}\nexport default class A { m() {} }\n",
      ["same export default"],
    ],
    [
      "types",
      "a.ts",
      "export function f(a) { return a; }\n",
      "export function f(a: number): number { return a as number; }\n",
      ["inert f"],
    ],
    [
      "an interface",
      "a.ts",
      "export const x = 1;\n",
      "interface A { a: 1 }\nexport const x = 1;\n",
      ["inert interface A { a: 1 }"],
    ],
    [
      "a type that is imported",
      "a.ts",
      "export const x = 1;\n",
      'import type { A } from "b";\nexport const x = 1;\n',
      ['inert import type { A } from "b";'],
    ],
  ])("%s: the same, or inert", async (_, path, before, after, said) => {
    expect(await relations(path, before, after)).toEqual(said);
  });

  test.each([
    [
      "a default export that is gone",
      "a.js",
      "export default class A { m() {} }\nexport class B {}\n",
      "class A { m() {} }\nexport class B {}\n",
      ["removed export default"],
    ],
    [
      "another default export",
      "a.js",
      "export default class A {}\nclass B {}\n",
      "class A {}\nexport default class B {}\n",
      ["changed export default"],
    ],
    [
      "a directive",
      "a.js",
      '"use strict";\nfunction f() {}\nf();\n',
      "function f() {}\nf();\n",
      ["changed f", "changed f();", 'removed "use strict";'],
    ],
    [
      "an import for its effect",
      "a.js",
      "export const x = 1;\n",
      'import "./w.js";\nexport const x = 1;\n',
      ['added import "./w.js"'],
    ],
    [
      "another source of a name",
      "a.js",
      'import { a } from "b";\na();\n',
      'import { a } from "c";\na();\n',
      ["changed a"],
    ],
    [
      "what is exported from elsewhere",
      "a.js",
      'export { a } from "b";\n',
      'export { a } from "c";\n',
      ["changed export a"],
    ],
    [
      "a function beside a statement on its line",
      "a.js",
      "export const R = 1;\n",
      "export const R = 1; export const w = (b) => { b.x = 0; };\n",
      ["added w"],
    ],
    [
      "a field, a method, a base",
      "a.js",
      "class A { x = 1; m() { return 1; } }\n",
      "class A extends B { x = 2; m() { return 2; } }\n",
      ["changed A", "changed A.x", "changed A.m"],
    ],
    ["a regular expression", "a.js", "const r = /a+/;\n", "const r = /a*/;\n", ["changed r"]],
    ["parentheses that end a chain", "a.js", "const x = a?.b.c;\n", "const x = (a?.b).c;\n", ["changed x"]],
    [
      "an export",
      "a.js",
      "export const f = () => 1;\nexport const g = 1;\n",
      "const f = () => 1;\nexport const g = 1;\n",
      ["changed f"],
    ],
    [
      "the value of an enum",
      "a.ts",
      "export enum E { A = 1 }\nexport const x = 1;\n",
      "export enum E { A = 2 }\nexport const x = 1;\n",
      ["changed E"],
    ],
    [
      "an assigned function",
      "a.js",
      "exports.f = function () { return 1; };\n",
      "exports.f = function () { return 2; };\n",
      ["changed exports.f"],
    ],
    ["statements in another order", "a.js", "a();\nb();\n", "b();\na();\n", ["reordered a();"]],
    ["JSX, by our grammar", "a.jsx", "const A = () => <a>{1}</a>;\n", "const A = () => <a>{2}</a>;\n", ["changed A"]],
    ["a text between tags", "a.tsx", "const A = () => <a>x</a>;\n", "const A = () => <a>y</a>;\n", ["changed A"]],
  ])("%s: another meaning", async (_, path, before, after, said) => {
    expect((await relations(path, before, after)).toSorted()).toEqual(said.toSorted());
  });
});

test("Go is read by our grammar, with what its tools read in comments", async () => {
  const before = "package a\n\nfunc (b *Box) Size() int { return 1 }\n";
  expect(await relations("a.go", before, before.replace("1", "2"))).toEqual(["changed Box.Size"]);
  expect(await relations("a.go", before, `// about a\n${before}`)).toEqual([]);
  const imports = (packages: string) =>
    `package a\n\nimport (\n${packages})\n\nfunc F() error { return errors.New("a") }\n`;
  const { changes } = await meaningOf(
    { "b.go": imports('\t"errors"\n') },
    { "b.go": imports('\t"errors"\n\tm "math/v2"\n\t_ "effect"\n') },
  );
  expect(changes.map(({ name, kind, relation }) => `${relation} ${kind} ${name}`)).toEqual([
    'added import import m "math/v2"',
    'added statement import _ "effect"',
  ]);
  const types = "type Parts []int\n\nconst (\n\tA, B = 1, 2\n\tC = 3\n)\n";
  const declared = await meaningOf({ "c.go": "package a\n" }, { "c.go": `package a\n\n${types}` });
  expect(declared.changes.map(({ binds }) => binds)).toEqual([["Parts"], ["A", "B", "C"]]);
  expect(await relations("a.go", before, `//go:build linux\n\n${before}`)).toEqual(["added //go:build linux"]);
});

test.each([
  ["a.py", "import os\nfrom json import loads\nfrom .os import path\nimport attr\n", [true, true, false, false]],
  // Not here, not there any more, not alone.
  [
    "a.py",
    "import winreg\nfrom collections import Mapping\nimport readline\nimport this\n",
    [false, false, false, false],
  ],
  ["a.py", "import os.path\nfrom xml import dom\nfrom typing import Any\n", [true, true, true]],
  ["a.js", 'import fs from "node:fs";\nimport { join } from "path";\nimport x from "./fs.js";\n', [true, true, false]],
  ["a.js", 'import { readAll } from "node:fs";\nimport * as url from "url";\n', [false, true]],
])("imports of %s from the standard library are known", async (path, text, standard) => {
  const { changes } = await meaningOf({ "b.txt": "" }, { "b.txt": "", [path]: text });
  expect(changes.map((change) => change.standard ?? false)).toEqual(standard);
});

test("an import that does something when it is reached is known", async () => {
  const { changes } = await meaningOf({ "a.py": "import readline\nimport os\nx = 1\n" }, { "a.py": "x = 1\n" });
  expect(changes.map(({ name, loads }) => [name, loads ?? false])).toEqual([
    ["readline", true],
    ["os", false],
  ]);
});

test("where an imported name is said is told of names that would be patterns, too", async () => {
  const code = "export const f = () => $(1);\nexport const g = 1;\n";
  const { changes } = await meaningOf({ "a.js": code }, { "a.js": `import $ from "q";\n${code}` });
  expect(changes.find(({ name }) => name === "$")?.uses).toEqual([{ from: 2, to: 2 }]);
});

test("types count where a decorator may hand them on, and not within functions", async () => {
  const service = (type: string, inner = "number") =>
    `@injectable\nexport class C {\n  constructor(readonly pay: ${type}) {}\n  run() {\n    const a: ${inner} = 1;\n    return a;\n  }\n}\n`;
  expect(await relations("a.ts", service("Real"), service("Fake"))).toEqual(["changed C.constructor"]);
  expect(await relations("a.ts", service("Real"), service("Real", "any"))).toEqual(["inert C.run"]);
});
