import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { readUses } from "./read-uses.ts";
import { Sources, unfounded, unfoundedModules } from "./unfounded.ts";

const parsers = new SyntaxParsers();
const sources = new Sources([
  "calc.add(a, b) returns the sum; calc.Stack has push and pop; an empty pop raises StackEmpty: 'nothing on the stack'",
  "wc.py --lines counts lines; GET /users lists them; src/numbers.js exports halve",
]);

async function complaints(path: string, content: string): Promise<string[]> {
  const uses = await readUses(parsers, { path, content }, new Set(["pytest", "subprocess", "sys", "math"]));
  if (!uses) throw new Error("no uses");
  return [...unfoundedModules(uses, sources), ...uses.tests.flatMap((one) => unfounded(one, sources))];
}

const python = (body: string, imports = "from calc import add, Stack, StackEmpty") =>
  complaints(
    "tests/test_x.py",
    `import math\nimport pytest\nimport subprocess\n${imports}\n\n\ndef test_x():\n${body.replace(/^/gm, "    ")}\n`,
  );

test("new values, common methods and builtin errors are free", async () => {
  expect(
    await python(
      'assert add("ab", "cd").upper() == "ABCD"\ns = Stack()\ns.push(41)\nassert s.pop() == 41\nassert math.floor(2.5) == 2',
    ),
  ).toEqual([]);
  expect(
    await python(
      "with pytest.raises(ValueError):\n    add(None, 1)\nwith pytest.raises(StackEmpty, match='nothing on the .*stack'):\n    Stack().pop()",
    ),
  ).toEqual([]);
});

test.each([
  ["assert Stack().peek() is None", ["attribute peek"]],
  ["s = Stack()\nassert s.depth == 0", ["attribute depth"]],
  ["assert add(1, 2, strict=True) == 3", ["argument strict"]],
  ["with pytest.raises(StackError):\n    Stack().pop()", ["error StackError"]],
  ["with pytest.raises(StackEmpty, match='no elements'):\n    Stack().pop()", ["message no elements"]],
  ["with pytest.raises(ValueError, match='-7'):\n    add(-7, None)", []],
  ["with pytest.raises(ValueError, match='-8'):\n    add(-7, None)", ["message -8"]],
  ['out = subprocess.run(["python3", "wc.py", "--words"])\nassert out.returncode == 0', ["flag --words"]],
  ['subprocess.run([sys.executable, "-m", "wc", "--words"])', ["flag --words"]],
  ['subprocess.run([sys.executable, TOOL, "--words"])', ["flag --words"]],
  ['subprocess.run([sys.executable, "-c", "import calc"])\nsubprocess.run(["python3", "-u", "wc.py", "--lines"])', []],
  ["value = 3\nassert add(-value, value) == 0\nassert [-value, -add(1, 2)] == [-3, -3]", []],
  ['assert add("-n", "--all") == "-n--all"\nassert add(["-x"], []) == ["-x"]', []],
  ['command = [sys.executable, "wc.py", "--words"]', ["flag --words"]],
  ['assert client.get("/accounts").status_code == 200', ["route /accounts"]],
])("names what no source says in %j", async (body, expected) => {
  expect(await python(body)).toEqual(expected);
});

test("an alias is the test's own, what it stands for is not", async () => {
  expect(await python("assert plus(1, 2) == 3", "from calc import add as plus")).toEqual([]);
  expect(await python("assert plus(1, 2) == 3", "from calc import plus")).toEqual(["name plus"]);
  expect(await python("assert add(1, 2) == 3", "from calculator import add")).toEqual(["module calculator"]);
  expect(await python("assert calc.sub(1, 2) == 3", "import calc")).toEqual(["attribute sub"]);
});

test("reads JavaScript in the same way", async () => {
  const javascript = (body: string, names = "halve") =>
    complaints(
      "test/x.test.js",
      `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${names} } from "../src/numbers.js";\ntest("x", () => {\n${body}\n});\n`,
    );
  expect(await javascript("assert.equal(halve(10), 5); assert.throws(() => halve('x'), TypeError);")).toEqual([]);
  expect(await javascript("assert.equal(third(9), 3);", "third")).toEqual(["name third"]);
  expect(await javascript("assert.throws(() => halve('x'), { message: 'not a number' });")).toEqual([
    "message not a number",
  ]);
  expect(await javascript("assert.throws(() => halve('x'), NumberError);")).toEqual(["error NumberError"]);
  expect(await javascript("spawnSync(process.execPath, ['--test', 'x.js', '--words']);")).toEqual(["flag --words"]);
  expect(await javascript("spawnSync('wc', ['--words']);")).toEqual(["flag --words"]);
  expect(await javascript("const n = 4; assert.deepEqual([-n, halve(-n)], [-4, -2]);")).toEqual([]);
  expect(await javascript("assert.equal(halve(['-v'])[0], '-v');")).toEqual([]);
  expect(await javascript("const h = halve(2); assert.equal(h.remainder, 0);")).toEqual(["attribute remainder"]);
});

test("reads Go in the same way, in the package and from outside", async () => {
  const go = (body: string, name = "calc", imports = "") =>
    complaints(
      "x_test.go",
      `package ${name}\n\nimport (\n\t"errors"\n\t"strings"\n\t"testing"\n${imports})\n\nfunc TestX(t *testing.T) {\n${body}\n}\n`,
    );
  expect(
    await go(
      's := Stack{}\ns.push(7)\nif got, err := s.pop(); err != nil || got != 7 {\nt.Errorf("so: %s", err.Error())\n}',
    ),
  ).toEqual([]);
  expect(await go("if peek() != 1 {\nt.Fatal()\n}")).toEqual(["name peek"]);
  expect(await go("s := Stack{}\nif s.depth() != 0 {\nt.Fatal()\n}")).toEqual(["attribute depth"]);
  expect(await go("if !errors.Is(add(1, 2), ErrFull) {\nt.Fatal()\n}")).toEqual(["error ErrFull", "name ErrFull"]);
  expect(await go('err := add(1, 2)\nif !strings.Contains(err.Error(), "too many") {\nt.Fatal()\n}')).toEqual([
    "message too many",
  ]);
  expect(await go("if calc.Sub(1, 2) != 3 {\nt.Fatal()\n}", "calc_test", '\t"example.com/calc"\n')).toEqual([
    "module example.com/calc",
    "name Sub",
  ]);
});
