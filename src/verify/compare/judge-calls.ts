import type { BehaviourDifference, FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { Outcome } from "./call-lines.ts";
import { inTurn } from "./in-turn.ts";

/** A call that was made again: twice in the new tree, and twice in the old one. */
export interface ComparedCall {
  id: string;
  from: "tests" | "varied";
  tests: string[];
  /** It gave a value in the test. */
  gave: boolean;
  /** Of a variation: the call that was varied, and where. */
  of: string | null;
  place: string;
  after: [Outcome | undefined, Outcome | undefined];
  before: [Outcome | undefined, Outcome | undefined] | null;
  /** Alone it gives this; after other calls something else, and no call of the old version does so. */
  swayed?: boolean;
}

type Judged = Omit<FunctionBehaviour, "path" | "name" | "kind" | "calls" | "noticed" | "unnoticed" | "problem">;

/** Why one call says nothing of whether the behaviour is the same, or what it says. */
type CallVerdict = "same" | "different" | "unstable" | "unseen" | "missing";

const MOST_SHOWN = 12;
const MOST_TEXT = 200;
/** What stands before the difference, of a text that is cut. */
const MOST_BEFORE = 60;
/** Fewer variations of a place say nothing about it. */
const FEWEST_OF_PLACE = 3;

/** Compares the outcomes of all calls of one function. `shared`: names of the module that both trees have. */
export function judgeCalls(calls: ComparedCall[], shared: (name: string) => boolean): Judged {
  const strange = new Set(calls.filter(isUnfaithful).map(({ id }) => id));
  const plain = (call: ComparedCall) => verdictOf(call, strange, shared);
  const areRead = calls.some((call) => isRecorded(call) && plain(call) === "different" && isMessage(call, shared));
  const verdicts = calls.map((call): [ComparedCall, CallVerdict] => {
    const verdict = plain(call);
    const isLeft = verdict === "different" && !areRead && !isRecorded(call) && isMessage(call, shared);
    return [call, isLeft ? "same" : verdict];
  });
  const those = (wanted: CallVerdict) => verdicts.filter(([, verdict]) => verdict === wanted).map(([call]) => call);
  const differing = those("different");
  const ids = new Set(differing.map(({ id }) => id));
  // A derived kind of the same value tells something where the value itself does not.
  const different = differing.filter(({ of, place }) => !OF_KIND.test(place) || of === null || !ids.has(of));
  const differences = [...different.filter(isRecorded), ...alternating(different.filter((call) => !isRecorded(call)))];
  const narrow = narrowPlaces(verdicts);
  const of = (from: ComparedCall["from"]) => calls.filter((call) => call.from === from);
  return {
    recorded: of("tests").length,
    varied: of("varied").length,
    compared: those("same").length + different.length,
    unstable: those("unstable").length,
    unseen: those("unseen").length,
    differing: {
      tests: different.filter(isRecorded).length,
      varied: different.filter((one) => !isRecorded(one) && !one.swayed && !isOfNarrow(one, narrow)).length,
    },
    differences: shownOf(differences).map((call) => toDifference(call, calls, shared)),
    narrow: narrow.places,
    outcomes: {
      recorded: new Set(of("tests").map(({ after: [first] }) => first?.sum)).size,
      varied: new Set(of("varied").map(({ after: [first] }) => first?.sum)).size,
      variedRaise: of("varied").filter(({ after: [first] }) => first?.kind === "raise").length,
    },
  };
}

/** Nothing came of any call: whatever the function does, it is not seen from here. */
export function isSilent(calls: ComparedCall[]): boolean {
  const outcomes = calls.flatMap(({ after, before }) => [...after, ...(before ?? [])].flatMap((one) => one ?? []));
  return outcomes.length > 0 && outcomes.every(({ quiet }) => quiet);
}

/** Whether the call can be relied on in the new tree: the same twice, and as it was in the test. */
export function isSteady(call: ComparedCall): boolean {
  const [first, second] = call.after;
  return first !== undefined && first.sum === second?.sum && COMPLETE.has(first.kind) && !isUnfaithful(call);
}

const COMPLETE = new Set(["value", "raise"]);

/** An input of the tests, if only as a value of a derived kind. */
const isRecorded = ({ from, place }: ComparedCall) => from === "tests" || OF_KIND.test(place);

const OF_KIND = /^kind of /;

/** In the test it gave a value; here, without what the test set up, it does not. */
const isUnfaithful = ({ gave, after: [first] }: ComparedCall) => gave && first !== undefined && first.kind !== "value";

function verdictOf(call: ComparedCall, strange: Set<string>, shared: (name: string) => boolean): CallVerdict {
  const [after, again] = call.after;
  const [before, beforeAgain] = call.before ?? [];
  if (!after || !again || !before || !beforeAgain) return "missing";
  if (after.sum !== again.sum || before.sum !== beforeAgain.sum) return "unstable";
  if (strange.has(call.id) || (call.of !== null && strange.has(call.of))) return "unstable";
  if (after.kind === "unmade" || before.kind === "unmade") return "unseen";
  if (!COMPLETE.has(after.kind) && !COMPLETE.has(before.kind)) return "unstable";
  if (after.shape !== before.shape && COMPLETE.has(after.kind) && COMPLETE.has(before.kind)) return "unseen";
  if (call.swayed || after.kind !== before.kind || differingParts(before, after, shared).length > 0) return "different";
  return after.blind || before.blind || after.codes !== before.codes ? "unseen" : "same";
}

/**
 * Both raise the same, in other words. With an input of a test that is a difference; with another one it is, once a test
 * shows that words are what the change is about.
 */
function isMessage({ after: [after], before }: ComparedCall, shared: (name: string) => boolean): boolean {
  const old = before?.[0];
  if (!after || !old || after.kind !== "raise" || old.kind !== "raise") return false;
  const parts = differingParts(old, after, shared);
  return after.raised !== "" && after.raised === old.raised && parts.length === 1 && parts[0] === "value";
}

/** A name of the module that only one tree has is no behaviour: nobody could look at it in both. */
function differingParts(before: Outcome, after: Outcome, shared: (name: string) => boolean): string[] {
  const names = [...new Set([...Object.keys(before.parts), ...Object.keys(after.parts)])];
  return names.filter((name) => {
    if (name.startsWith("name ") && !shared(name.slice("name ".length))) return false;
    return before.parts[name]?.sum !== after.parts[name]?.sum;
  });
}

function toDifference(
  call: ComparedCall,
  calls: ComparedCall[],
  shared: (name: string) => boolean,
): BehaviourDifference {
  const [after, before] = [call.after[0], call.before?.[0]];
  const parts = before && after ? differingParts(before, after, shared) : [];
  const parent = calls.find(({ id }) => id === call.of);
  const swayed = call.swayed ? ", and something else after other calls" : "";
  const texts = aroundDifference(textOf(before, parts), `${textOf(after, parts)}${swayed}`);
  return {
    call: clip(after?.call || before?.call || ""),
    ...texts,
    from: call.from,
    tests: (parent ?? call).tests.slice(0, 5),
  };
}

const ENDINGS: Partial<Record<Outcome["kind"], string>> = {
  hang: "does not come to an end",
  died: "ends the process",
  unmade: "has no such arguments",
};

function textOf(outcome: Outcome | undefined, parts: string[]): string {
  if (!outcome) return "";
  const ending = ENDINGS[outcome.kind];
  if (ending !== undefined) return ending;
  const shown = parts.flatMap((name) => outcome.parts[name]?.shown ?? []);
  return shown.length > 0 ? shown.join("; ") : (outcome.parts.value?.shown ?? "does nothing more");
}

/** Of long texts the place where they begin to differ. */
function aroundDifference(before: string, after: string): { before: string; after: string } {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const isFar = Math.max(before.length, after.length) > MOST_TEXT && same > MOST_BEFORE;
  const cut = (text: string) => clip(isFar ? `…${text.slice(same - MOST_BEFORE).toWellFormed()}` : text);
  return { before: cut(before), after: cut(after) };
}

const clip = (text: string) => (text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1).toWellFormed()}…`);

/** Those of tests first, but never so many that no variation is shown. */
function shownOf(differences: ComparedCall[]): ComparedCall[] {
  const recorded = differences.filter(isRecorded);
  const varied = differences.filter((call) => !isRecorded(call));
  const fromTests = recorded.slice(0, Math.max(MOST_SHOWN / 2, MOST_SHOWN - varied.length));
  return [...fromTests, ...varied.slice(0, MOST_SHOWN - fromTests.length)];
}

/** One of each place before the second of any. */
const alternating = (calls: ComparedCall[]) => inTurn([...Map.groupBy(calls, ({ place }) => place).values()]);

interface Narrow {
  places: string[];
  /** Every argument is: only the object that it was called on may be another. */
  everywhere: boolean;
}

function narrowPlaces(verdicts: [ComparedCall, CallVerdict][]): Narrow {
  const differing = new Set(verdicts.filter(([, verdict]) => verdict === "different").map(([{ id }]) => id));
  const ofDiffering = verdicts.filter(
    ([{ of, place }, verdict]) =>
      of !== null &&
      place !== BOTH &&
      !OF_KIND.test(place) &&
      differing.has(of) &&
      (verdict === "same" || verdict === "different"),
  );
  const places = [...Map.groupBy(ofDiffering, ([{ place }]) => place)];
  // Where both are others and it still differs, neither had to be the one value: they are compared with each other.
  const isCrossed = verdicts.some(([{ place }, verdict]) => place === BOTH && verdict === "different");
  const narrow = (isCrossed ? [] : places).filter(
    ([, own]) => own.length >= FEWEST_OF_PLACE && own.every(([, verdict]) => verdict === "same"),
  );
  const ofArguments = places.filter(([place]) => !OWN_STATE.test(place));
  return {
    places: narrow.map(([place]) => place).slice(0, MOST_SHOWN),
    everywhere: ofArguments.length > 0 && ofArguments.every((one) => narrow.includes(one)),
  };
}

/** Where two arguments were varied together, nothing is told of one of them. */
const BOTH = "both";

const OWN_STATE = /^(self|this)\b/;

/** The same arguments on an object in another state are an input of the tests still. */
const isOfNarrow = ({ place }: ComparedCall, { everywhere }: Narrow): boolean => everywhere && OWN_STATE.test(place);
