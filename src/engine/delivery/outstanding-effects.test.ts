import fc from "fast-check";
import { expect, test } from "vitest";
import { type EffectStep, outstandingEffects } from "./outstanding-effects.ts";

type Kind = EffectStep["kind"];
type Part = EffectStep["part"];

const steps = (...parts: [Kind, Part, string, boolean?][]): EffectStep[] =>
  parts.map(([kind, part, id, ok = true], sequence) => ({ kind, part, id, ok, sequence, strand: "task" }));

const ids = (given: EffectStep[]) => outstandingEffects(given).map(({ kind, id }) => `${kind}${id}`);

test("an intent is outstanding, whether it was carried out or not", () => {
  expect(ids(steps(["branch", "intent", "a"]))).toEqual(["brancha"]);
  expect(ids(steps(["branch", "intent", "a"], ["branch", "done", "a"]))).toEqual(["brancha"]);
  expect(ids(steps(["apply", "intent", ""], ["apply", "done", "", false]))).toEqual(["apply"]);
});

test("what failed to be taken back is still outstanding", () => {
  const given: [Kind, Part, string, boolean?][] = [
    ["branch", "intent", "a"],
    ["branch", "undone", "a", false],
  ];
  expect(ids(steps(...given))).toEqual(["brancha"]);
  expect(ids(steps(...given, ["branch", "undone", "a"]))).toEqual([]);
});

test("taking one back leaves the others, also newer ones", () => {
  expect(ids(steps(["branch", "intent", "a"], ["branch", "intent", "b"], ["branch", "undone", "a"]))).toEqual([
    "branchb",
  ]);
  expect(ids(steps(["apply", "intent", ""], ["branch", "intent", "b"], ["apply", "undone", ""]))).toEqual(["branchb"]);
});

const effect = fc.constantFrom<[Kind, string]>(["apply", ""], ["branch", "a"], ["branch", "b"]);
const history = fc.array(
  fc.tuple(effect, fc.constantFrom<Part>("intent", "done", "undone"), fc.boolean()).map(([[kind, id], part, ok]) => ({
    kind,
    id,
    part,
    ok,
  })),
  { maxLength: 30 },
);

test("after any history, taking back what is outstanding, cut off anywhere and begun again, leaves nothing and takes back nothing twice", () => {
  fc.assert(
    fc.property(history, fc.array(fc.boolean(), { maxLength: 10 }), (past, kills) => {
      const journal: EffectStep[] = past.map((step, sequence) => ({ ...step, sequence, strand: "task" }));
      const expected = new Map<string, boolean>();
      for (const { kind, id, part, ok } of past) if (ok && part !== "done") expected.set(kind + id, part === "intent");
      const undone: string[] = [];
      for (let next = outstandingEffects(journal)[0]; next; next = outstandingEffects(journal)[0]) {
        // Killed before its undo was recorded: the effect is run again, the record is made once.
        if (kills.pop()) continue;
        undone.push(next.kind + next.id);
        journal.push({ ...next, part: "undone", sequence: journal.length, strand: "undo" });
      }
      expect(new Set(undone).size).toBe(undone.length);
      expect(undone.toSorted()).toEqual(
        [...expected]
          .filter(([, open]) => open)
          .map(([name]) => name)
          .toSorted(),
      );
    }),
  );
});
