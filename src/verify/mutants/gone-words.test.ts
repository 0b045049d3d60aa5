import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { saidIn } from "./gone-words.ts";
import { putBack } from "./put-back.ts";

const parsers = new SyntaxParsers();

/** What each piece that went said and the new code says less often. */
async function goneOf(path: string, old: string, now: string, elsewhere = "") {
  const whole = (text: string) => {
    const lines = text.trimEnd().split("\n");
    return { from: lines.findIndex((line) => /^(def|export) /.test(line)) + 1, to: lines.length };
  };
  const said = await saidIn(
    [
      { path, old, now },
      { path: `b-${path}`, old: "", now: elsewhere },
    ],
    parsers,
  );
  const sides = { old: { path, content: old }, now: { path, content: now } };
  const made = await putBack(sides, { before: whole(old), after: whole(now) }, parsers, said);
  return made.map(({ gone }) => gone ?? []);
}

const SAVE = `def save(path, user):
    if not user.is_admin:
        raise PermissionError(path)
    path.write_text("a")
    return path
`;
const GUARD = / {4}if not[\s\S]*?\(path\)\n/;

test("a guard that went without a successor says what is gone", async () => {
  expect(await goneOf("a.py", SAVE, SAVE.replace(GUARD, ""))).toEqual([["is_admin", "raise"]]);
});

test("a named argument, a call around a value and a wait are such words", async () => {
  const python = (body: string) => `import html\n\n\ndef f(a):\n    ${body}\n`;
  expect(await goneOf("a.py", python("return run(a, check=True)"), python("return run(a)"))).toEqual([["check"]]);
  expect(await goneOf("a.py", python("return html.escape(a)"), python("return a"))).toEqual([["html", "escape"]]);
  const js = (body: string) => `export async function f(a) {\n  ${body}\n  return a;\n}\n`;
  expect(await goneOf("a.js", js("await a.saved();"), js(""))).toEqual([["await", "saved"]]);
});

test("what moved to another place or file, or comes with the language, is not gone", async () => {
  const moved = "def check(user):\n    if not user.is_admin:\n        raise PermissionError(path)\n";
  expect(await goneOf("a.py", SAVE, SAVE.replace(GUARD, ""), moved)).toEqual([[]]);
  const python = (body: string) => `def f(a):\n    return ${body}\n`;
  expect(await goneOf("a.py", python("list(sorted(a))"), python("sorted(a)"))).toEqual([[]]);
});

test("a comment that says the word does not bring it back", async () => {
  const noted = SAVE.replace(GUARD, "    # if not user.is_admin: raise\n");
  expect(await goneOf("a.py", SAVE, noted)).toEqual([["is_admin", "raise"]]);
});

test("what waits by another word still waits", async () => {
  const chain = "export function f(a) {\n  return a.get().then((b) => {\n    return b.c;\n  });\n}\n";
  const waits = "export async function f(a) {\n  const b = await a.get();\n  return b.c;\n}\n";
  const plain = "export function f(a) {\n  const b = a.get();\n  return b.c;\n}\n";
  expect((await goneOf("a.js", chain, waits)).flat()).not.toContain("then");
  expect((await goneOf("a.js", chain, plain)).flat()).toContain("then");
});
