import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { firstDifference } from "./reads-alike.ts";

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
