import { expect, test } from "vitest";
import { amendedSpec, specProblem } from "./amend-spec.ts";
import { Spec } from "./spec.ts";

const spec = Spec.parse({
  title: "sums",
  kind: "feature",
  language: "python",
  requirements: [
    { id: "R1", text: "adds", quote: "adds numbers" },
    { id: "R2", text: "subtracts", quote: "and subtracts" },
  ],
});
const message = { id: "m1", text: "no negative numbers, and do not subtract", by: "ada", at: 7 };
const isQuoted = (text: string, quote: string | undefined) => quote !== undefined && text.includes(quote);
const r1 = { id: "R1", text: "adds", quote: "adds numbers" };
const r3 = { id: "R3", text: "refuses negative numbers", quote: "no negative numbers" };

test("requirements are added and dropped with the person's words, and the spec remembers them", () => {
  const given = { requirements: [r1, r3], outOfScope: ["R2: do not subtract"] };
  expect(specProblem(spec, message, given, isQuoted)).toBeUndefined();
  const { spec: next, amendment } = amendedSpec(spec, message, given, isQuoted);
  expect(amendment).toEqual({
    message: "m1",
    words: message.text,
    by: "ada",
    at: 7,
    added: ["R3"],
    changed: [],
    dropped: ["R2"],
  });
  expect(next.requirements.map(({ id, assumption }) => [id, assumption])).toEqual([
    ["R1", false],
    ["R3", false],
  ]);
  expect(next.amendments).toEqual([amendment]);
});

test("a requirement that quotes none of the new words stays what it was", () => {
  const given = { requirements: [{ ...r1, text: "adds two numbers" }, ...spec.requirements.slice(1)], outOfScope: [] };
  const { spec: next, amendment } = amendedSpec(spec, message, given, isQuoted);
  expect(next.requirements).toEqual(spec.requirements);
  expect(amendment).toMatchObject({ added: [], changed: [], dropped: [] });
});

test("with the person's words it is changed", () => {
  const changed = { id: "R1", text: "adds numbers from 0 on", quote: "no negative numbers" };
  const given = { requirements: [changed, ...spec.requirements.slice(1)], outOfScope: [] };
  expect(amendedSpec(spec, message, given, isQuoted).amendment.changed).toEqual(["R1"]);
});

test("a requirement is not lost by being left out", () => {
  expect(specProblem(spec, message, { requirements: [r1], outOfScope: [] }, isQuoted)).toMatch(
    /^R2 is missing: repeat it word for word/,
  );
});

test("a requirement is not dropped, and nothing put out of scope, without the person's words", () => {
  const given = { requirements: [r1], outOfScope: ["R2: too hard", "overflows"] };
  expect(specProblem(spec, message, given, isQuoted)).toMatch(/^R2 is missing/);
  expect(specProblem(spec, message, { ...given, outOfScope: ["R2"] }, (_, quote) => quote !== "")).toMatch(/^R2/);
  expect(amendedSpec(spec, message, given, isQuoted).spec.outOfScope).toEqual([]);
});

test("no id stands for two requirements", () => {
  const given = { requirements: [r1, r1, ...spec.requirements], outOfScope: [] };
  expect(specProblem(spec, message, given, isQuoted)).toBe("two requirements have the id R1");
});
