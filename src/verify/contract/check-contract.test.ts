import { describe, expect, test } from "vitest";
import { Contract } from "../../domain/plan/contract.ts";
import { renderContract } from "../../domain/plan/render-contract.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { findBreaches, type UnfinishedPart } from "./check-contract.ts";
import { exampleTests } from "./example-tests.ts";

const parsers = new SyntaxParsers();
const take = {
  name: "take",
  parameters: [
    { name: "stock", type: "dict" },
    { name: "amount", type: "int", default: "1" },
  ],
  returns: "int",
  raises: ["Out"],
  examples: [
    { call: "take({'a': 3}, 2)", returns: "1" },
    { call: "take({}, 1)", raises: "Out" },
    { call: "take(open_stock(), 1)", returns: "0" },
  ],
};
const contract = (file: string, language: string) =>
  Contract.parse({
    title: "stock",
    language,
    functions: [{ ...take, file }],
    classes: [{ file, name: "Shelf", methods: [{ name: "put", parameters: [{ name: "item", type: "str" }] }] }],
    errors: [{ name: "Out", when: "there is not enough" }],
  });

const breachesOf = async (file: string, language: string, text: string | null, part?: UnfinishedPart) =>
  (await findBreaches(parsers, contract(file, language), (path) => (path === file ? text : null), part)).map(
    ({ message }) => message,
  );

describe("a contract is kept", () => {
  test.each([
    [
      "a.py",
      "python",
      "def take(stock, amount=1, *, dry=False):\n    pass\nclass Shelf:\n    def put(self, item): ...\n",
    ],
    ["a.py", "python", "@cache\nasync def take(stock: dict, amount: int = 1) -> int: ...\nfrom b import Shelf\n"],
    ["a.js", "javascript", "export const take = (stock, amount = 1) => 0;\nexport class Shelf { put(item) {} }\n"],
    [
      "a.ts",
      "typescript",
      "export function take(stock: object, amount?: number): number { return 0 }\nexport class Shelf { put(item: string) {} }\n",
    ],
    ["a.py", "python", "def take(*parts): ...\nclass Shelf:\n    put = other\n    def put(self, item): ...\n"],
  ])("%s %#", async (file, language, text) => {
    expect(await breachesOf(file, language, text)).toEqual([]);
  });
});

test("a missing name, another parameter or a missing file is named; before the end a file may be missing", async () => {
  expect(await breachesOf("a.py", "python", "def take(amount, stock): ...\n")).toEqual([
    "a.py: take(amount, stock) is take(stock, amount) in the contract",
    "a.py defines no Shelf, which the contract promises",
    "a.py defines no Shelf.put, which the contract promises",
  ]);
  expect((await breachesOf("a.py", "python", null)).length).toBe(3);
  expect(await breachesOf("a.py", "python", null, { read: () => null, words: "" })).toEqual([]);
});

test("what a part neither names nor touches is left to those that follow", async () => {
  const old = "def take(stock):\n    pass\n";
  const part = (words: string) => ({ read: () => old, words });
  const wrong = "a.py: take(stock) is take(stock, amount) in the contract";
  expect(await breachesOf("a.py", "python", old, part("`put` has a shelf"))).toEqual([
    "a.py defines no Shelf.put, which the contract promises",
  ]);
  expect(await breachesOf("a.py", "python", old, part("a take of its own, in take.py"))).toEqual([]);
  expect(await breachesOf("a.py", "python", old, part("take() has an amount"))).toEqual([wrong]);
  const changed = "def take(shelf):\n    pass\n";
  expect(await breachesOf("a.py", "python", changed, part(""))).toEqual([wrong.replace("stock)", "shelf)")]);
});

test("examples become tests, as far as they stand alone", async () => {
  const python = await exampleTests(parsers, "python", contract("shop/a.py", "python"), "tests/test_contract.py");
  expect(python?.tests).toEqual(["test_take_example_1", "test_take_example_2"]);
  expect(python?.content).toContain("from shop.a import take");
  expect(python?.content).toContain("assert (take({'a': 3}, 2)) == (1)");
  const script = await exampleTests(
    parsers,
    "javascript",
    contract("shop/a.js", "javascript"),
    "test/contract.test.js",
  );
  expect(script?.content).toContain('import * as part0 from "../shop/a.js";');
  expect(script?.tests.length).toBe(2);
  expect(script?.content).not.toContain("@ts-");
  const typed = await exampleTests(parsers, "typescript", contract("a.ts", "typescript"), "test/contract.test.ts");
  expect(typed?.content).toMatch(/^\/\/ @ts-nocheck\n/);
  const broken = {
    ...contract("a.py", "python"),
    functions: [{ ...contract("a.py", "python").functions[0], examples: [{ call: "take((", returns: "1" }] }],
  };
  expect(await exampleTests(parsers, "python", Contract.parse(broken), "tests/test_contract.py")).toBeNull();
});

test("a contract is told in few words", () => {
  expect(renderContract(contract("a.py", "python")).split("\n").slice(0, 3)).toEqual([
    "a.py: take(stock: dict, amount: int = 1) -> int raises Out",
    "    take({'a': 3}, 2) == 1",
    "    take({}, 1) raises Out",
  ]);
});
