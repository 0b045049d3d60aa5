import { expect, test } from "vitest";
import type { Outcome } from "./call-lines.ts";
import { type ComparedCall, isSilent, isSteady, judgeCalls } from "./judge-calls.ts";

const outcome = (sum: string, more: Partial<Outcome> = {}): Outcome => ({
  id: "",
  kind: "value",
  sum,
  parts: { value: { sum, shown: sum } },
  call: "f()",
  raised: "",
  shape: "",
  codes: "",
  blind: false,
  quiet: false,
  ...more,
});

type Pair = [Outcome | undefined, Outcome | undefined];
const twice = (one: Outcome): Pair => [one, one];

const call = (before: Pair | null, after: Pair, more: Partial<ComparedCall> = {}): ComparedCall => ({
  id: "0",
  from: "tests",
  tests: ["t::a"],
  gave: true,
  of: null,
  place: "",
  before,
  after,
  ...more,
});

const judge = (...calls: ComparedCall[]) => {
  const { compared, unstable, unseen, differing } = judgeCalls(calls, (name) => name === "SHARED");
  return { compared, unstable, unseen, differing: differing.tests + differing.varied };
};
const NOTHING = { compared: 0, unstable: 0, unseen: 0, differing: 0 };

test("the same outcome is compared, and another one is a difference", () => {
  expect(judge(call(twice(outcome("1")), twice(outcome("1"))))).toEqual({ ...NOTHING, compared: 1 });
  expect(judge(call(twice(outcome("1")), twice(outcome("2"))))).toEqual({ ...NOTHING, compared: 1, differing: 1 });
});

test("a call that gives something else after other calls, as no call did before, is a difference", () => {
  const same = [twice(outcome("1")), twice(outcome("1"))] as const;
  const { differences, differing } = judgeCalls([call(...same, { swayed: true, from: "varied" })], () => false);
  expect(differences[0]).toMatchObject({ before: "1", after: "1, and something else after other calls" });
  // It is no other answer to other inputs.
  expect(differing.varied).toBe(0);
});

test("of long values the place where they differ is shown", () => {
  const long = (end: string) => outcome(end, { parts: { value: { sum: end, shown: `${"a".repeat(300)} ${end}` } } });
  const { differences } = judgeCalls([call(twice(long("left")), twice(long("right")))], () => false);
  expect(differences[0]).toMatchObject({ before: `…${"a".repeat(59)} left`, after: `…${"a".repeat(59)} right` });
});

test("what was not measured on one side is neither", () => {
  expect(judge(call([outcome("1"), undefined], twice(outcome("2"))))).toEqual(NOTHING);
  expect(judge(call(null, twice(outcome("2"))))).toEqual(NOTHING);
});

test("what differs from itself on either side is unstable", () => {
  expect(judge(call(twice(outcome("1")), [outcome("1"), outcome("2")]))).toEqual({ ...NOTHING, unstable: 1 });
  expect(judge(call([outcome("1"), outcome("2")], twice(outcome("1"))))).toEqual({ ...NOTHING, unstable: 1 });
});

test("a call that raises here and gave a value in its test says nothing, and neither do variations of it", () => {
  const raises = twice(outcome("x", { kind: "raise" }));
  const strange = call(raises, raises);
  const varied = call(twice(outcome("1")), twice(outcome("2")), { id: "1", from: "varied", of: "0", gave: false });
  expect(judge(strange, varied)).toEqual({ ...NOTHING, unstable: 2 });
  expect(judge(call(raises, raises, { gave: false }))).toEqual({ ...NOTHING, compared: 1 });
  expect(isSteady(strange)).toBe(false);
});

test("a hang in one tree alone is a difference, in both it is nothing", () => {
  const hang = twice(outcome("h", { kind: "hang", parts: {} }));
  expect(judge(call(twice(outcome("1")), hang, { gave: false }))).toEqual({ ...NOTHING, compared: 1, differing: 1 });
  expect(judge(call(hang, hang, { gave: false }))).toEqual({ ...NOTHING, unstable: 1 });
});

test("what cannot be seen in the result is not the same, but a difference in the rest is one", () => {
  const blind = (sum: string) => twice(outcome(sum, { blind: true }));
  expect(judge(call(blind("1"), blind("1")))).toEqual({ ...NOTHING, unseen: 1 });
  expect(judge(call(blind("1"), blind("2")))).toEqual({ ...NOTHING, compared: 1, differing: 1 });
  expect(judge(call(twice(outcome("1", { codes: "a" })), twice(outcome("1", { codes: "b" }))))).toMatchObject({
    unseen: 1,
  });
  expect(judge(call(twice(outcome("1", { shape: "a" })), twice(outcome("2", { shape: "b" }))))).toMatchObject({
    unseen: 1,
  });
});

test("a name of the module counts where both trees have it", () => {
  const named = (name: string) =>
    twice(outcome("2", { parts: { value: { sum: "1", shown: "1" }, [name]: { sum: "x", shown: "makes it x" } } }));
  const plain = twice(outcome("1"));
  expect(judge(call(plain, named("name SHARED")))).toMatchObject({ differing: 1 });
  expect(judge(call(plain, named("name CACHE")))).toMatchObject({ compared: 1, differing: 0 });
});

test("an argument is narrow when every variation of it alone makes the difference vanish", () => {
  const differs = call(twice(outcome("1")), twice(outcome("2")));
  const varied = (id: string, place: string, after: string) =>
    call(twice(outcome("1")), twice(outcome(after)), { id, from: "varied", of: "0", place, gave: false });
  const vanishes = ["a", "b", "c"].map((id) => varied(id, "argument 1", "1"));
  const stays = ["d", "e", "f"].map((id, index) => varied(id, "argument 2", index === 0 ? "2" : "1"));
  expect(judgeCalls([differs, ...vanishes, ...stays], () => false).narrow).toEqual(["argument 1"]);
  expect(judgeCalls([differs, ...vanishes.slice(1)], () => false).narrow).toEqual([]);
  const both = call(twice(outcome("1")), twice(outcome("2")), { id: "both", from: "varied", of: "0", place: "both" });
  expect(judgeCalls([differs, ...vanishes, ...stays, both], () => false).narrow).toEqual([]);
});

test("at most twelve differences are shown, of variations as well, and all are counted", () => {
  const of = (from: "tests" | "varied") => (_: unknown, index: number) =>
    call(twice(outcome("1")), twice(outcome("2")), { id: `${from}${index}`, from, gave: false, place: `${index % 2}` });
  const calls = [...Array.from({ length: 30 }, of("tests")), ...Array.from({ length: 30 }, of("varied"))];
  const { differences, differing } = judgeCalls(calls, () => false);
  expect(differing).toEqual({ tests: 30, varied: 30 });
  expect(Map.groupBy(differences, ({ from }) => from).get("tests")).toHaveLength(6);
  expect(differences).toHaveLength(12);
});

test("a function of which nothing is ever seen is silent", () => {
  const quiet = twice(outcome("1", { quiet: true }));
  expect(isSilent([call(quiet, quiet)])).toBe(true);
  expect(isSilent([call(quiet, quiet), call(quiet, twice(outcome("2")))])).toBe(false);
  expect(isSilent([call([undefined, undefined], [undefined, undefined])])).toBe(false);
});

test("the same error in other words is a difference for an input of a test, and for others only beside such a one", () => {
  const raising = (words: string, raised = "ValueError") => twice(outcome(words, { kind: "raise", raised }));
  const varied = { id: "1", from: "varied", of: "0", gave: false } as const;
  const steady = call(twice(outcome("1")), twice(outcome("1")));
  const other = call(raising("a"), raising("b"), varied);
  expect(judge(steady, other)).toEqual({ ...NOTHING, compared: 2 });
  const read = call(raising("a"), raising("b"), { gave: false });
  expect(judge(read, other)).toEqual({ ...NOTHING, compared: 2, differing: 2 });
  const another = call(raising("a"), raising("b", "TypeError"), varied);
  expect(judge(steady, another)).toEqual({ ...NOTHING, compared: 2, differing: 1 });
});
