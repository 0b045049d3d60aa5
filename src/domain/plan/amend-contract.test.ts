import { expect, test } from "vitest";
import { amendedContract, amendmentDiff } from "./amend-contract.ts";
import { Contract } from "./contract.ts";

const old = Contract.parse({
  title: "calc",
  language: "python",
  functions: [
    { file: "calc.py", name: "add", returns: "str" },
    { file: "calc.py", name: "sub", returns: "int" },
  ],
});

test("an edit changes one place, and only that", () => {
  const amended = amendedContract(old, [{ oldText: '"returns": "str"', newText: '"returns": "int"' }]);
  expect(amended).toMatchObject({ contract: { functions: [{ returns: "int" }, { returns: "int" }] } });
});

test.each([
  ["a text that is not there", '"returns": "bytes"', '"returns": "int"', /not in the contract/],
  ["a text that is there twice", '"file": "calc.py"', '"file": "a.py"', /more than once/],
  ["what is no JSON any more", '"returns": "str",', '"returns": ', /no JSON/],
  ["what is no contract any more", '"returns": "str"', '"returns": 1', /returns/],
  ["two functions of one name", '"name": "sub"', '"name": "add"', /is in functions already/],
  ["another language", '"language": "python"', '"language": "go"', /stays python/],
  ["nothing", '"returns": "str"', '"returns": "str"', /nothing is changed/],
])("%s is refused", (_, oldText, newText, problem) => {
  expect(amendedContract(old, [{ oldText, newText }])).toEqual({ problem: expect.stringMatching(problem) });
});

test("people read it as a diff", () => {
  expect(amendmentDiff([{ oldText: "a\nb", newText: "c" }])).toBe("@@\n-a\n-b\n+c\n");
});
