import { expect, test } from "vitest";
import { coverNames } from "./cover-names.ts";
import { generalRecord } from "./general-record.ts";

const own = ["acme", "billing"];

test("names, paths and code of a project are covered; what every project has stays", () => {
  const covered = (text: string) => coverNames(text, new Set([...own, "load"])).text;
  expect(covered("Use dict.get in load_price of shop/cart.py: a KeyError means a missing key")).toBe(
    "Use dict.get in … of …: a KeyError means a missing key",
  );
  expect(covered("The Invoice of Acme needs `total_of`, not 'None'")).toBe("The … of … needs …, not 'None'");
  expect(covered("Acmebank pays; load is read twice. Then retry.")).toBe("… pays; … is read twice. Then retry.");
  expect(covered("Decode the bytes as utf-8 before json, see TS2345 and ERR_MODULE_NOT_FOUND")).toBe(
    "Decode the bytes as utf-8 before json, see TS2345 and ERR_MODULE_NOT_FOUND",
  );
});

test("a mended failure leaves its kind and its reason for other projects, never its code", () => {
  const general = generalRecord(
    {
      kind: "lesson",
      language: "python",
      error: "  File \"/home/ann/acme/billing.py\", line 3, in load_price\nKeyError: 'acme_price'",
      goal: "Secret prices of Acme's partners as a table",
      context: "todo: tests/test_billing.py",
      failedCode: "+def load_price(rows):\n+    return rows['acme_price']",
      diff: "+    return rows.get('acme_price')",
      reason: "A key may be missing: ask load_price for it with get and a default",
    },
    own,
  );
  expect(general).toMatchObject({
    kind: "lesson",
    reason: "A key may be missing: ask … for it with get and a default",
  });
  expect(JSON.stringify(general)).toContain("KeyError");
  expect(JSON.stringify(general)).not.toMatch(/acme|billing|load_price|ann\b|rows/i);
});

test("what is about one project alone, or is not mended, is kept for nobody else", () => {
  const lesson = { kind: "lesson" as const, error: "KeyError: 'a'", language: "python" };
  expect(generalRecord({ ...lesson, reason: null }, own)).toBeNull();
  expect(generalRecord({ ...lesson, reason: "billing_core.load needs acme_config" }, own)).toBeNull();
});

test("a pattern leaves how a problem was divided, not its interfaces, code or tests", () => {
  const general = generalRecord(
    {
      kind: "pattern",
      problemType: "feature in python",
      description: "parse durations\nAdd a parser of durations to Acme",
      language: "python",
      plan: "R1: hours and minutes are read\nR2: nonsense is refused\nparse: write parse_duration in acme/time.py",
      interfaces: "def parse_duration(text)",
      codeTemplate: "+def parse_duration(text):",
      testTemplate: "tests/test_acme.py",
    },
    own,
  );
  expect(general).toMatchObject({ description: "parse durations\nAdd a parser of durations to …" });
  expect(general).toMatchObject({
    plan: "R1: hours and minutes are read\nR2: nonsense is refused\nparse: write … in …",
  });
  expect(JSON.stringify(general)).not.toMatch(/acme|parse_duration/i);
});
