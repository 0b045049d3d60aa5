import { expect, test } from "vitest";
import { Severity } from "../finding.ts";
import { MOST_REJECTIONS, type ReviewFinding, ruleOnReview } from "./review.ts";

const finding = (severity: Severity): ReviewFinding => ({ severity, path: "a.py", line: 1, message: "m", instead: "" });

test("only what makes the result wrong or harmful sends it back, and only so often", () => {
  const rulings = Severity.options.map((severity) =>
    [0, MOST_REJECTIONS - 1, MOST_REJECTIONS].map((rejections) => ruleOnReview([finding(severity)], rejections)),
  );
  expect(rulings).toEqual([
    ["approved", "approved", "approved"],
    ["approved", "approved", "approved"],
    ["rejected", "rejected", "overruled"],
    ["rejected", "rejected", "overruled"],
  ]);
  expect(ruleOnReview([], 0)).toBe("approved");
});
