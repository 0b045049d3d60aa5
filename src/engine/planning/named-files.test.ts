import { expect, test } from "vitest";
import { definingIn, namedIn } from "./named-files.ts";

const paths = ["README.md", "src/cart.js", "src/cart.test.js", "src/view/cart.js", "web/slug.py"];

test("a goal names a file by its path, also at the end of a sentence or with ./ before it", () => {
  expect(namedIn("Mend web/slug.py.", paths)).toEqual(["web/slug.py"]);
  expect(namedIn("see ./web/slug.py, please", paths)).toEqual(["web/slug.py"]);
});

test("or by its name alone, which may be that of several", () => {
  expect(namedIn("total() in cart.js forgets the quantity", paths)).toEqual(["src/cart.js", "src/view/cart.js"]);
});

test("a word without an ending names no file", () => {
  expect(namedIn("the cart forgets the README", paths)).toEqual([]);
});

test("a name that many files have names none of them", () => {
  const many = Array.from({ length: 9 }, (_, at) => `packages/p${at}/index.js`);
  expect(namedIn("index.js is wrong", many)).toEqual([]);
  expect(namedIn("packages/p3/index.js is wrong, as each index.js", many)).toEqual(["packages/p3/index.js"]);
});

test("a function or class that the goal names is found where it is defined, not where it is used or tested", () => {
  const files: Record<string, string> = {
    "src/size.py": "def naturalsize(value):\n    return value\n",
    "src/use.py": "from size import naturalsize\n\nnaturalsize(1)\n",
    "src/cart.js": "export class Cart {\n  addItem(item) {\n  }\n}\n",
    "tests/test_size.py": "def naturalsize():\n    pass\n",
  };
  const find = (goal: string) => definingIn(goal, Object.keys(files), (path) => files[path] ?? "");
  expect(find("naturalsize(1000) gives 1000 Bytes")).toEqual(["src/size.py"]);
  expect(find("`addItem` forgets the count")).toEqual(["src/cart.js"]);
  expect(find("what addItem does is wrong")).toEqual(["src/cart.js"]);
  expect(find("the value of a naturalsize is wrong")).toEqual([]);
});
