import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { saidIn } from "./gone-words.ts";
import { mutate } from "./make-mutants.ts";
import { changedSpans, putBack } from "./put-back.ts";

const parsers = new SyntaxParsers();

/** What becomes of the new text, piece by piece. */
async function pieces(path: string, old: string, now: string, before = whole(old), after = whole(now)) {
  const sides = { old: { path, content: old }, now: { path, content: now } };
  const made = await putBack(sides, { before, after }, parsers);
  return made.map((mutant) => mutate(now, mutant));
}

const whole = (text: string) => ({ from: 1, to: text.trimEnd().split("\n").length });

const python = (body: string) => `def cost(price):\n    ${body.replaceAll("\n", "\n    ")}\n`;

test("each piece of an expression that was edited is put back by itself", async () => {
  expect(await pieces("a.py", python("return price * 0.9"), python("return min(price, LIMIT) * 0.8"))).toEqual([
    python("return price * 0.8"),
    python("return min(price, LIMIT) * 0.9"),
  ]);
  expect(await pieces("a.js", "const f = (a) => half(a, 1);\n", "const f = (a) => half(Math.min(a, 9), 2);\n")).toEqual(
    ["const f = (a) => half(a, 2);\n", "const f = (a) => half(Math.min(a, 9), 1);\n"],
  );
});

test("what is called goes together with what it is given, its object does not", async () => {
  const js = (chain: string) => `const f = (a) => ${chain};\n`;
  expect(await pieces("a.js", js('a.trim().replaceAll(" ", "-")'), js('a.trim().replace(/ +/g, "-")'))).toEqual([
    js('a.trim().replaceAll(" ", "-")'),
  ]);
  expect(await pieces("a.js", js("max(a, 1)"), js("min(a, 2)"))).toEqual([js("max(a, 1)")]);
  expect(await pieces("a.py", python("return a.b(1).c(2)"), python("return a.b(9).d(3)"))).toEqual([
    python("return a.b(9).c(2)"),
    python("return a.b(1).d(3)"),
  ]);
});

test("a statement that came goes, one that went comes back, and a block loses what was put around it", async () => {
  expect(await pieces("a.py", python("a()\nreturn 1"), python("a()\nsend(price)\nreturn 1"))).toEqual([
    python("a()\npass\nreturn 1"),
  ]);
  expect(await pieces("a.py", python("a()\ncheck(price)\nreturn 1"), python("a()\nreturn 1"))).toEqual([
    python("a()\ncheck(price)\nreturn 1"),
  ]);
  expect(
    await pieces("a.py", python("if a:\n    b()\nreturn 1"), python("with c:\n    if a:\n        b()\nreturn 1")),
  ).toEqual([python("if a:\n    b()\nreturn 1")]);
  expect(await pieces("a.js", "function f() {\n  a();\n  b();\n}\n", "function f() {\n  b();\n}\n")).toEqual([
    "function f() {\n  a();\n  b();\n}\n",
  ]);
});

test("decorators, parameters and defaults are pieces, too", async () => {
  const body = "    return a\n";
  expect(await pieces("a.py", `def f(a, b=1):\n${body}`, `@cache\ndef f(a, b=2):\n${body}`)).toEqual([
    `\ndef f(a, b=2):\n${body}`,
    `@cache\ndef f(a, b=1):\n${body}`,
  ]);
  expect(await pieces("a.py", `@x\ndef f(a, b=1):\n${body}`, `@x\n@cache\ndef f(a, b=2):\n${body}`)).toEqual([
    `@x\n\ndef f(a, b=2):\n${body}`,
    `@x\n@cache\ndef f(a, b=1):\n${body}`,
  ]);
});

test("what people and type checkers read, another layout, and what stands outside of the part are no pieces", async () => {
  expect(
    await pieces("a.py", "def f(a):\n    return a\n", "def f(a: int):\n    # why\n    return (\n        a\n    )\n"),
  ).toEqual(["def f(a: int):\n    # why\n    return a\n"]);
  const cast = (one: string) => `function f(a: T) {\n  return g(${one})[key];\n}\n`;
  expect(await pieces("a.ts", cast("a"), cast("(a as Record<string, number>)"))).toEqual([]);
  const two = (first: string, second: string) => `def f():\n    return ${first}\n\n\ndef g():\n    return ${second}\n`;
  const f = { from: 1, to: 2 };
  expect(await pieces("a.py", two("1", "1"), two("2", "2"), f, f)).toEqual([two("1", "2")]);
});

test("words for people are no pieces, what is worked out for them is", async () => {
  const log = (words: string) => python(`log.info("${words}", price)\nraise ValueError("${words}")`);
  expect(await pieces("a.py", log("old words"), log("new words"))).toEqual([]);
  const code = (word: string) => python(`raise ApiError("${word}")`);
  expect(await pieces("a.py", code("E_OLD"), code("E_NEW"))).toEqual([code("E_OLD")]);
  const thrown = (words: string, of: string) => `function f(a) {\n  throw new ${of}("${words}");\n}\n`;
  expect(await pieces("a.js", thrown("an old", "Error"), thrown("a new", "TypeError"))).toEqual([
    thrown("an old", "Error"),
  ]);
});

test("what went beside something that was mended comes back beside it", async () => {
  const guard = "if price > 9:\n    raise ValueError(price)\n";
  expect(await pieces("a.py", python(`${guard}return price + fee`), python("return price + max(fee, 0)"))).toEqual([
    python(`${guard}return price + max(fee, 0)`),
    python("return price + fee"),
  ]);
  const may = (words: string) => python(`return ${words}`);
  expect(await pieces("a.py", may('a != "x" and b > 18 and c'), may("b >= 16 and c"))).toEqual([
    may('a != "x" and b >= 16 and c'),
    may("b > 16 and c"),
    may("b >= 18 and c"),
  ]);
  expect(await pieces("a.py", may("dumps(a, sort=True)"), may("dumps(b)"))).toEqual([
    may("dumps(b, sort=True)"),
    may("dumps(a)"),
  ]);
});

test("a call that stood around something comes back around what stands there now, with what it needs", async () => {
  const py = (lead: string, text: string) => `${lead}${python(`return ${text}`)}`;
  const after = { from: 1, to: 2 };
  const back = await pieces(
    "a.py",
    py("import html\n", "html.escape(price)"),
    py("", "price"),
    { from: 2, to: 3 },
    after,
  );
  expect(back).toEqual([py("", "__import__('html').escape(price)")]);
  const made = await pieces("a.js", "const f = (a) => safe(a.b + 1);\n", "const f = (a) => a.b + 2;\n");
  expect(made).toEqual(["const f = (a) => safe(a.b + 2);\n", "const f = (a) => a.b + 1;\n"]);
});

test("texts and patterns are put back word by word, and what stands in them by itself", async () => {
  const py = (text: string) => python(`return ${text}`);
  expect(await pieces("a.py", py('match("(?!admin)[a-z]+", a)'), py('match("[a-z0-9]+", a)'))).toEqual([
    py('match("(?!admin)[a-z0-9]+", a)'),
    py('match("[a-z]+", a)'),
  ]);
  expect(await pieces("a.py", py('f"{a}: {b:,.2f}"'), py('f"{a.strip()}: {b:.2f}"'))).toEqual([
    py('f"{a.strip()}: {b:,.2f}"'),
    py('f"{a}: {b:.2f}"'),
  ]);
  const js = (text: string) => `const f = (a) => ${text};\n`;
  expect(await pieces("a.js", js("`<b>${safe(a.b)}</b>`"), js("`<i>${a.b}</i>`"))).toContain(
    js("`<i>${safe(a.b)}</i>`"),
  );
});

test("what went speaks of parameters by their new names, and a name that it lacks is said", async () => {
  const guard = "if price > 9:\n    raise ValueError(price)\n";
  const old = python(`${guard}return price + 1`);
  const now = python("return price + 2");
  const renamed = (text: string) => text.replaceAll("price", "amount");
  expect(await pieces("a.py", old, renamed(now))).toContain(renamed(python(`${guard}return price + 2`)));
  const js = (lead: string, body: string) => `${lead}export function f(a) {\n${body}  return a + 1;\n}\n`;
  const sides = {
    old: { path: "a.js", content: js('import { check } from "./b.js";\n', "  check(a);\n") },
    now: { path: "a.js", content: js("", "") },
  };
  const made = await putBack(sides, { before: { from: 2, to: 5 }, after: { from: 1, to: 3 } }, parsers);
  expect(made.map(({ lacks }) => lacks)).toEqual([["check"]]);
});

test("nothing is put back into a docstring, or before it", async () => {
  const old = python("return [price]");
  const now = python('"""Each price."""\nfor one in price:\n    yield one');
  expect(await pieces("a.py", old, now)).toEqual([python('"""Each price."""\nreturn [price]')]);
});

test("of a chain the link that came goes, and the one that went comes back, at either end", async () => {
  const js = (condition: string) => `const f = (a) => ${condition};\n`;
  expect(await pieces("a.js", js("x(a) && y(a)"), js("x(a) && y(a) && z(a)"))).toEqual([js("x(a) && y(a)")]);
  expect(await pieces("a.js", js("x(a) && y(a) && z(a)"), js("x(a) && y(a)"))).toEqual([js("x(a) && y(a) && z(a)")]);
  expect(await pieces("a.py", python("return a or b"), python("return a or b or c or d"))).toEqual([
    python("return a or b"),
  ]);
  expect(await pieces("a.py", python("return a"), python("return first and a"))).toEqual([python("return a")]);
  expect(await pieces("a.py", python("return first and a"), python("return a"))).toEqual([
    python("return first and a"),
  ]);
});

test("what stands as it stood is in no changed span", async () => {
  const old = python("if price > 3 and price < 9:\n    return 1\nreturn price * 2");
  const now = python("if price > 3 and price < 9 and price != 5:\n    return 1\nreturn price * 3");
  const sides = { old: { path: "a.py", content: old }, now: { path: "a.py", content: now } };
  const spans = await changedSpans(sides, { before: whole(old), after: whole(now) }, parsers);
  expect(spans?.changed.map(({ from, to }) => now.slice(from, to))).toEqual([" and price != 5", "3"]);
  const same = { before: whole(old), after: whole(old) };
  expect(await changedSpans({ old: sides.old, now: sides.old }, same, parsers)).toBeNull();
});

test("an expression that moved is known again, and one of a word or two is not", async () => {
  const old = python("return fail(text, error.format(data) if error else None, a.b)");
  const now = python(
    "said = [error.format(data) if error else None, a.b, other.format(data) if error else None]\nreturn fail(text, said)",
  );
  const sides = { old: { path: "a.py", content: old }, now: { path: "a.py", content: now } };
  const spans = await changedSpans(sides, { before: whole(old), after: whole(now) }, parsers);
  expect(spans?.moved.map(({ from, to }) => now.slice(from, to))).toEqual(["error.format(data) if error else None"]);
});

test("a name of the function's own that went comes back as nothing, and what was done to it is not missed", async () => {
  const loop = (first: string, within: string) => python(`${first}\nfor one in price:\n    ${within}\nreturn found`);
  const now = python("return other(price)");
  const missed = async (old: string, after = now, path = "a.py") => {
    const sides = { old: { path, content: old }, now: { path, content: after } };
    const said = await saidIn([{ path, old, now: after }], parsers);
    const made = await putBack(sides, { before: whole(old), after: whole(after) }, parsers, said);
    return made.flatMap(({ gone = [] }) => gone);
  };
  expect(await missed(loop("found = 0", "found = found + one"))).toEqual([]);
  expect(await missed(loop("found = []", "found.append(one)"))).toEqual([]);
  expect(await missed(loop("found = price.list", "found.append(one)"))).toEqual(["append"]);
  expect(await missed(loop("found = []\nfound = given()", "found.append(one)"))).toContain("append");
  expect(await missed(loop("found = []", "one.append(found)"))).toEqual(["append"]);
  expect(await missed(loop("global found\nfound = []", "found.append(one)"))).toContain("append");
  expect(await missed(loop("found = []", "found.append(one)"), python("found = price\nreturn other(found)"))).toContain(
    "append",
  );
});

test("where a refactored text said values that are gone is known, and not where it did something", async () => {
  const went = async (old: string, now: string, path = "a.py") => {
    const sides = { old: { path, content: old }, now: { path, content: now } };
    const said = await saidIn([{ path, old, now }], parsers);
    const made = await putBack(sides, { before: whole(old), after: whole(now) }, parsers, said);
    return made.flatMap(({ gone, went }) => (gone ? [went?.map(({ from, to }) => old.slice(from, to)) ?? null] : []));
  };
  const now = python("return other(price)");
  expect(await went(python("if price.size > 7:\n    return 1\nreturn other(price)"), now)).toEqual([
    ["price.size", "7", "1"],
  ]);
  expect(await went(python("price.check(7)\nreturn other(price)"), now)).toEqual([null]);
  expect(await went(python("with price:\n    return other(price)"), now)).toEqual([null]);
  const js = (body: string) => `function f(list) {\n  ${body}\n}\n`;
  const loop = js("let sum = 0;\n  for (let i = 0; i < list.length; i++) {\n    sum += list[i];\n  }\n  return sum;");
  expect(await went(loop, js("return list.reduce((sum, one) => sum + one, 0);"), "a.js")).toEqual([["list.length"]]);
});

test("only a plain value of a function's own name comes back as nothing", async () => {
  const js = (body: string) => `function f(a) {\n  ${body}\n}\n`;
  expect(await pieces("a.js", js("const b = [1];\n  return g(a);"), js("return g(a);"))).toEqual([]);
  expect(await pieces("a.js", js("b = [1];\n  return g(a);"), js("return g(a);"))).toHaveLength(1);
  expect(await pieces("a.js", js("const b = a.b;\n  return g(a);"), js("return g(a);"))).toHaveLength(1);
  // In a class a name is there for others.
  const members = (more: string) => `class A:\n${more}    y = 2\n`;
  expect(await pieces("a.py", members("    x = 1\n"), members(""))).toHaveLength(1);
});

test("a piece belongs to the lines of the statement that holds it, and one between statements to its own", async () => {
  const lines = async (path: string, old: string, now: string) => {
    const sides = { old: { path, content: old }, now: { path, content: now } };
    const made = await putBack(sides, { before: whole(old), after: whole(now) }, parsers);
    return made.map(({ statement }) => statement);
  };
  const table = (row: string) => `UNITS = {\n    "m": 1,\n${row}    "km": 1000,\n}\n`;
  expect(await lines("a.py", table(""), table('    "cm": 0.01,\n'))).toEqual([{ from: 1, to: 3 }]);
  const call = (last: string) => `function f(a) {\n  log(a);\n  return sum(\n    a,\n    ${last},\n  );\n}\n`;
  expect(await lines("a.js", call("1"), call("2"))).toEqual([{ from: 3, to: 5 }]);
  expect(await lines("a.py", python("a()\nreturn 1"), python("a()\nsend(price)\nreturn 1"))).toEqual([
    { from: 3, to: 3 },
  ]);
});

test("whether a name may be given a value again is no piece", async () => {
  expect(await pieces("a.js", "function f() {\n  let a = 1;\n}\n", "function f() {\n  const a = 2;\n}\n")).toEqual([
    "function f() {\n  const a = 1;\n}\n",
  ]);
  expect(await pieces("a.js", "function f() {\n  let a = 1;\n}\n", "function f() {\n  var a = 1;\n}\n")).toHaveLength(
    1,
  );
});

test("a piece that came from nothing, or goes to nothing, is told so", async () => {
  const told = async (old: string, now: string) => {
    const sides = { old: { path: "a.py", content: old }, now: { path: "a.py", content: now } };
    return (await putBack(sides, { before: whole(old), after: whole(now) }, parsers)).map((one) => one.description);
  };
  const texts = ['def f(n):\n    return f"{n:02d}"\n', 'def f(n):\n    return f"{n}"\n'] as const;
  const descriptions = [...(await told(...texts)), ...(await told(texts[1], texts[0]))];
  expect(descriptions.filter((one) => /(^| )nothing( |,)/.test(one))).not.toEqual([]);
  expect(descriptions.join("\n")).not.toContain("``");
});
