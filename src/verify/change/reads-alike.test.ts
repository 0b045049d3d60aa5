import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { firstDifference, firstLeftOut } from "./reads-alike.ts";

const parsers = new SyntaxParsers();

test("code where our grammar sees a comment is found, at any depth", async () => {
  const text = "x = 1\n# end\rimport os\n";
  const { root } = await parsers.parse("python", text);
  expect(firstDifference(root, [0, text.indexOf("import")])).toBe(text.indexOf("import"));
  const inside = "function f() {\n  // a g();\n  h();\n}\n";
  const tree = await parsers.parse("javascript", inside);
  const places = [0, inside.indexOf("g()"), inside.indexOf("h()")];
  expect(firstDifference(tree.root, places)).toBe(inside.indexOf("g()"));
});

test("where both begin the same statements there is no difference", async () => {
  const { root } = await parsers.parse("python", "if a:\n    b()\nelif c:\n    d()\n");
  expect(firstDifference(root, [0, 10, 14, 26])).toBeNull();
});

test("a name or a value that no unit holds is found; comments and the module of an import need none", async () => {
  const text = "# note\nfrom a.b import \\\n    c\n\nx = 1\n\n\ndef f():\n    return 2\n";
  const { root } = await parsers.parse("python", text);
  const unit = (said: string) => ({ start: text.indexOf(said), end: text.indexOf(said) + said.length });
  const units = [unit("c\n"), unit("x = 1"), unit("def f():\n    return 2")];
  expect(firstLeftOut(root, units)).toBeNull();
  expect(firstLeftOut(root, units.slice(1))).toBe(text.indexOf("c\n"));
  expect(firstLeftOut(root, units.slice(0, 2))).toBe(text.indexOf("f()"));
  expect(firstLeftOut((await parsers.parse("python", "\n# nothing\n")).root, [])).toBeNull();
});
