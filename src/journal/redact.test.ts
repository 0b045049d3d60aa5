import { expect, test } from "vitest";
import { redactor } from "./redact.ts";

const secret = "sk-very-secret-value";
const redact = redactor([secret]);

test("replaces a secret in texts, lists, fields and names of fields", () => {
  const value = { list: [1, `a ${secret}`], deep: { [secret]: null, text: `${secret}${secret}` } };
  expect(redact(value)).toEqual({
    list: [1, "a [redacted]"],
    deep: { "[redacted]": null, text: "[redacted][redacted]" },
  });
});

test("returns a value without a secret as it is", () => {
  const value = { list: [1, "a", { b: null }], text: "x" };
  expect(redact(value)).toBe(value);
});

test("a name of a field is never kept because its replacement stands beside it", () => {
  expect(JSON.stringify(redact({ [secret]: 1, "[redacted]": 1 }))).not.toContain(secret);
});
