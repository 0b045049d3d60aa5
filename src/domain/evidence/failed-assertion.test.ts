import { expect, test } from "vitest";
import { failedAssertion } from "./failed-assertion.ts";

const STACK = "\n\n    at TestContext.<anonymous> (file:///workspace/slug.test.js:6:10)";
const NODE = "AssertionError [ERR_ASSERTION]: ";

test.each<[string, string, string[]]>([
  [
    "node:assert of two values",
    `${NODE}Expected values to be strictly equal:\n\n500 !== 499${STACK}`,
    [`${NODE}Expected values to be strictly equal:`, "500 !== 499"],
  ],
  [
    "node:assert of two texts",
    `${NODE}Expected values to be strictly equal:\n+ actual - expected\n\n+ 'a\\nc'\n- 'a\\nd'\n      ^${STACK}`,
    [`${NODE}Expected values to be strictly equal:`, "+ 'a\\nc'", "- 'a\\nd'"],
  ],
  [
    "node:assert of two objects",
    `${NODE}Expected values to be strictly deep-equal:\n+ actual - expected\n\n  {\n    b: [\n+     2\n-     3\n    ]\n  }${STACK}`,
    [`${NODE}Expected values to be strictly deep-equal:`, "+     2", "-     3"],
  ],
  [
    "node:assert of a condition",
    `${NODE}The expression evaluated to a falsy value:\n\n  assert.ok(slug("a") === "b")${STACK}`,
    [`${NODE}The expression evaluated to a falsy value:`, 'assert.ok(slug("a") === "b")'],
  ],
  [
    "an exception that did not come",
    `${NODE}Missing expected exception.${STACK}`,
    [`${NODE}Missing expected exception.`],
  ],
  [
    "Jest",
    "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 499\nReceived: 500\n    at Object.<anonymous> (a.test.js:3:1)",
    ["Error: expect(received).toBe(expected) // Object.is equality", "Expected: 499", "Received: 500"],
  ],
  [
    "Vitest",
    "AssertionError: expected 500 to be 499 // Object.is equality",
    ["AssertionError: expected 500 to be 499 // Object.is equality"],
  ],
  [
    "pytest",
    "    def test_a():\n>       assert f() == 3\nE       assert 2 == 3\nE        +  where 2 = f()",
    ["assert 2 == 3", "+  where 2 = f()"],
  ],
  ["an error", `TypeError: x is not a function${STACK}`, ["TypeError: x is not a function"]],
  ["nothing", "", []],
])("the values of a failure of %s are told", (_, message, told) => {
  expect(failedAssertion(message)).toEqual(told);
});
