import { expect, test } from "vitest";
import { Spec } from "../../domain/plan/spec.ts";
import { isQuotedFrom, owedText, specText } from "./quote.ts";
import { strikeOut } from "./strike-out.ts";

const spec = Spec.parse({
  title: "fees",
  kind: "feature",
  language: "python",
  requirements: [
    { id: "R1", text: "fee(days) is 2 for each day that is late", example: { input: "fee(3)", output: "6" } },
  ],
});
const text = specText("Compute the fee for late books", spec);

test("literals that only the unseen test has are struck out, those of the spec stay", () => {
  const note = 'fee(17) should be 34 (2 each), not 6; the title "Dune Messiah" counts, and Dune alone too';
  expect(strikeOut(note, ["17", "34", "2", "6", "Dune Messiah"], [text])).toBe(
    'fee(…) should be … (2 each), not 6; the title "…" counts, and … alone too',
  );
});

test("a number is not struck out of another number or a word", () => {
  expect(strikeOut("317 and x17 and 1.17 and 17.5 and 17", ["17"], [text])).toBe("317 and x17 and 1.17 and 17.5 and …");
});

test("a quote must stand in the spec word for word", () => {
  expect(isQuotedFrom(text, '"2 for each\n day that is late"')).toBe(true);
  expect(isQuotedFrom(text, "3 for each day that is late")).toBe(false);
  expect(isQuotedFrom(text, "fee(3) → 6")).toBe(true);
  expect(isQuotedFrom(text, "fee")).toBe(false);
  const narrow = { ...spec, outOfScope: ["fees of reserved books"] };
  expect(isQuotedFrom(specText("", narrow), "fees of reserved books")).toBe(true);
  expect(isQuotedFrom(owedText("", narrow), "fees of reserved books")).toBe(false);
  expect(isQuotedFrom(text, "")).toBe(false);
});
