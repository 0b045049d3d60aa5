import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecords } from "../../../evals/retrieval/records.ts";
import { signatureOf } from "./signature.ts";

const same = (a: string, b: string, language = "") =>
  expect(signatureOf(a, language).text).toBe(signatureOf(b, language).text);

describe("a signature", () => {
  test("is the same for one error in two projects", () => {
    same(
      `Traceback (most recent call last):\n  File "/home/a/shop/cart.py", line 12, in total\nKeyError: 'price'`,
      `Traceback (most recent call last):\n  File "C:\\work\\crm\\lead.py", line 907, in owner\nKeyError: 'account_owner'`,
    );
    same(
      "src/a.ts(1,2): error TS2532: Object is possibly 'undefined'.",
      "lib/b/c.ts:88:14 - error TS2532: Object is possibly 'undefined'.",
    );
    same("./main.go:3:5: undefined: total", "internal/x/y.go:41:12: undefined: NewServer");
    same(
      "Error: listen EADDRINUSE: address already in use 127.0.0.1:3000\n    at start (/a/server.js:3:1)",
      "Error: listen EADDRINUSE: address already in use 10.0.0.7:8080\n    at run (/b/c/main.js:30:11)",
    );
    same("Test timed out in 5000ms.", "Test timed out in 12s.");
    same(
      "row 3f2504e0-4f89-11d3-9a0c-0305e82c3301 is gone at 2024-01-02T03:04:05Z",
      "row 99999999-4f89-11d3-9a0c-0305e82c3399 is gone at 2025-11-12T13:14:15.123Z",
    );
  });

  test("keeps error classes, known types, codes and names of libraries", () => {
    const { text, errorType } = signatureOf(
      `  File "/venv/lib/python3.11/site-packages/requests/adapters.py", line 500, in send\nAttributeError: 'NoneType' object has no attribute 'split'`,
    );
    expect(text).toContain("in requests send");
    expect(text).toContain("NoneType");
    expect(errorType).toBe("AttributeError");
    expect(signatureOf("src/a.ts(1,2): error TS2345: Argument of type 'string' is not assignable").errorType).toBe(
      "TS2345",
    );
    expect(signatureOf("process exited with code 137").text).toContain("code_137");
    expect(signatureOf("process exited with code 137").text).not.toBe(signatureOf("process exited with code 1").text);
  });

  test("keeps the chain of exceptions in its order", () => {
    const { text } = signatureOf(
      "psycopg2.errors.UniqueViolation: duplicate key\n\nThe above exception was the direct cause of the following exception:\n\nsqlalchemy.exc.IntegrityError: failed",
      "python",
    );
    expect(text.indexOf("UniqueViolation")).toBeLessThan(text.indexOf("direct cause"));
    expect(text.indexOf("direct cause")).toBeLessThan(text.indexOf("IntegrityError"));
  });

  test("holds no path, address or number of any benchmark record", () => {
    for (const { error, language, id } of readRecords()) {
      const { text } = signatureOf(error, language);
      expect(text, id).not.toMatch(/\/home\/|\/srv\/|\/app\/|0x[0-9a-f]|:\d+:\d+|\b127\.0/);
      expect(text, id).not.toBe("");
    }
  });

  test("of a signature is itself", () => {
    for (const { error, language, id } of readRecords()) {
      const { text } = signatureOf(error, language);
      expect(signatureOf(text, language).text, id).toBe(text);
    }
  });

  test("never throws and is bounded, whatever the text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        'File "',
        "', ",
        "at ",
        "(",
        "/",
        "\\",
        ":12:3",
        "<n>",
        "'",
        '"',
        "`",
        "0x1f",
        "E   ",
        "\n",
        "\t",
        "\x1b[31m",
        "goroutine 1 [",
        "node_modules/",
        "123",
        "a".repeat(300),
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { text } = signatureOf(pieces.join(""));
        expect(text.length).toBeLessThanOrEqual(40 * 1000);
      }),
      { numRuns: 300 },
    );
  });

  test("takes time in proportion to the text, also for a hostile one", () => {
    const steps = ["a/", "(", "'", "a.b", "<n>, ", "1,", "[<n>", "at x (", 'File "', "0", "aA1", "\\", "x=("];
    for (const step of steps) {
      // Past the bound nothing is read; below it a quadratic pattern would take minutes.
      for (const line of [step.repeat(200_000 / step.length), `${step.repeat(380 / step.length)}\n`.repeat(400)]) {
        expect(signatureOf(line).text.length).toBeLessThan(40 * 1000);
      }
    }
  });
});
