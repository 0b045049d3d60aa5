import { expect, test } from "vitest";
import { failedExpectation } from "./failed-expectation.ts";

/** The assertions of the file are in its first line and its last. */
const failed = (message: string) =>
  failedExpectation(
    { id: "a::b", file: "test/price.test.js", name: "b", outcome: "failed", durationMs: 1, message },
    async (_, line) => line === 1 || line === 12,
  );

test.each([
  ["pytest", "    assert total([1]) == 2\nE       assert 1 == 2"],
  ["pytest.raises", "E           Failed: DID NOT RAISE ValueError"],
  ["unittest", "E       AssertionError: 1 != 2"],
  ["node:test", "Expected values to be strictly equal:\n1 !== 2 { code: 'ERR_ASSERTION' }"],
  ["vitest", "AssertionError: expected 1 to be 2 // Object.is equality"],
  ["jest", "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 2\nReceived: 1"],
  [
    "a library",
    'Error: expected 200 "OK", got 500\n    at Test._assertStatus (/workspace/node_modules/supertest/lib/test.js:252:14)\n    at Object.<anonymous> (/workspace/test/price.test.js:12:8)',
  ],
  [
    "the test itself",
    "Error: should have thrown\n    at TestContext.<anonymous> (file:///workspace/test/price.test.js:3:7)",
  ],
  [
    "what the code gave, in the middle of an assertion",
    "TypeError: Cannot read properties of undefined (reading 'net')\n    at Object.net (/workspace/test/price.test.js:12:31)",
  ],
  ["go", "    price_test.go:9: total = 1, want 2"],
])("an assertion of %s that does not hold is told from what broke", async (_, message) => {
  expect(await failed(message)).toBe(true);
});

test.each([
  ["TypeError: total is not a function\n    at Object.<anonymous> (test/price.test.js:3:7)"],
  ["E   NameError: name 'total' is not defined"],
  ["TypeError: x is undefined\n    at Object.<anonymous> (/workspace/test/price.test.js:3:7)"],
  ["Error: ENOENT: no such file\n    at Object.<anonymous> (/workspace/test/price.test.js:3:7)"],
  [
    "Error: no price\n    at total (/workspace/src/price.js:3:7)\n    at Object.<anonymous> (/workspace/test/price.test.js:3:7)",
  ],
  [
    "Error: bad schema\n    at ajv (/workspace/node_modules/ajv/x.js:1:1)\n    at load (/workspace/src/price.js:3:7)\n    at /workspace/test/price.test.js:3:7",
  ],
  [
    "TypeError: null has no price\n    at total (/workspace/src/price.js:3:7)\n    at Object.<anonymous> (/workspace/test/price.test.js:12:7)",
  ],
  ["ReferenceError: expect is not defined"],
  ["panic: runtime error: index out of range"],
])("%s is no expectation", async (message) => {
  expect(await failed(message)).toBe(false);
});
