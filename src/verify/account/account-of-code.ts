import type { AccountLine } from "../../domain/evidence/account.ts";
import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import { describeLines, hasLine } from "../../domain/evidence/line-range.ts";
import { isKilled, isNoticed, type MutantResult, NOT_LOADED } from "../../domain/evidence/mutant-report.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { isEdge } from "./edges.ts";
import type { UnitFacts } from "./unit-facts.ts";

/** What a person asks of the tests. */
export interface Bar {
  /** The share of mutants that must be noticed; null: every one. */
  mutationScore: number | null;
  /** Why no result of a mutant counts; null when they do. */
  problem: string | null;
  /**
   * The tests say what was asked for, and some of them nobody saw who made the change. Then a part is shown when they
   * notice any small change of it: they are other inputs themselves, and hold every requirement against the whole.
   */
  asked?: boolean;
}

const NAMED = 3;
/** So many calls with other inputs must agree before it is said that only the inputs of the tests differ. */
const FEWEST_VARIED = 4;

/**
 * One changed part of the code with its standing. It is shown when a test that turned green runs it and notices small
 * changes of it, no small change goes unnoticed, and what it does differently is more than the inputs of its tests. It
 * is the same when it compiles to the same, or when nothing that could notice a difference noticed one.
 */
export function accountOfUnit(facts: UnitFacts, bar: Bar): AccountLine {
  const { change } = facts;
  const gone = change.relation === "removed";
  const lines = gone ? change.oldLines : change.lines;
  const place = { path: change.path, unit: change.name, ...(lines.length > 0 && { lines }) };
  const open = (why: string): AccountLine => ({ ...place, standing: "not-judged", why });
  if (change.relation === "same") return { ...place, standing: "same", why: "it compiles to the same code" };
  if (change.relation === "inert")
    return { ...place, standing: "inert", why: "only what people and type checkers read of it is another" };
  if (change.forTools) return open("tools read this comment, and nothing shows what they make of it");
  if (change.kind === "docs" && (gone || isUnread(facts)))
    return { ...place, standing: "inert", why: "it is documentation that no test misses" };
  if (gone) return removed(facts, place);
  if (change.debug)
    return open("it asks for `__debug__`, and nothing shows what it does when Python is started with -O");
  if (change.kind === "import" && change.standard && change.uses.length === 0 && !facts.listed)
    return { ...place, standing: "inert", why: "it loads what comes with the language, and nothing says its name" };
  if (typeof facts.takesOver === "number")
    return open(
      `line ${facts.takesOver} of the old text meant something else by \`${change.name}\`, and nothing shows that it may mean this`,
    );
  const telling = bar.asked ? smallOf(facts) : withoutLacking(facts);
  const isShown = facts.turned.size > 0 && telling.some((result) => isNoticedBy(result, facts.turned));
  if (bar.asked && isShown && bar.problem === null) return askedFor(facts, place);
  if (!isShown && change.displaced)
    return open("it has another place among the members of its class, and nothing shows that nobody goes by that");
  // Without the name these lines could not run: there is nothing to try.
  if (bar.asked && facts.used)
    return { ...place, standing: "shown", why: "tests of the requirements run lines that need it" };
  // What looks at nothing else is worth the same wherever it runs.
  if (leavesTheSame(facts) && !change.acts) return { ...place, standing: "same", why: SAME_VALUE };
  const asked = { ...facts, mutants: isShown ? ownOf(facts) : smallOf(facts) };
  const unseen = unnoticed(asked, bar) ?? (isShown ? null : unmet(facts));
  if (unseen !== null) return { ...open(unseen), ...(isShown && { partly: true }) };
  const { unguarded } = facts;
  if (unguarded)
    return open(
      `\`${unguarded.word}\` stood within \`with ${unguarded.guard}\` with the rest, and nothing shows that it need not`,
    );
  return isShown ? effect(facts, place) : kept(asked, place);
}

/** Without pieces that were put back: who notices these need not look closely, and a refactoring may do without them. */
const smallOf = ({ mutants }: UnitFacts): MutantResult[] =>
  mutants.filter(({ mutant }) => mutant.operator !== "put-back");

/** Those that a test can only miss for what the part does: that a name is gone, every test misses. */
const withoutLacking = ({ mutants }: UnitFacts): MutantResult[] =>
  mutants.filter(({ mutant }) => (mutant.lacks ?? []).length === 0);

/**
 * Without those of pieces that stand as they stood: that no test looks at them is as true of the old code, and says
 * nothing of the change. Where the change has none of its own, they are asked all the same.
 */
function ownOf({ mutants }: UnitFacts): readonly MutantResult[] {
  const own = mutants.filter(({ mutant }) => !mutant.stood);
  return own.length > 0 ? own : mutants;
}

/** What a refactoring went without, though neither a test nor a call ever met it; null when there is no such thing. */
function unmet({ mutants }: UnitFacts): string | null {
  const left = mutants.filter((one) => (one.mutant.gone ?? []).length > 0 && one.fate !== "skipped" && !isNoticed(one));
  return left.length === 0 ? null : `nothing shows that it can do without what went: ${described(left)}`;
}

/** It was taken away, and nobody noticed. */
const isUnread = ({ mutants }: UnitFacts): boolean => {
  const tried = mutants.filter(({ fate }) => fate !== "skipped");
  return tried.length > 0 && tried.every(({ fate }) => fate === "survived");
};

const SAME_VALUE = "its name stands for the same value as before";

/** A statement whose value both trees make, and of which all can be seen. */
const leavesTheSame = ({ change, behaviour }: Pick<UnitFacts, "change" | "behaviour">): boolean =>
  change.kind === "statement" &&
  behaviour?.kind === "value" &&
  behaviour.problem === null &&
  behaviour.compared > 0 &&
  behaviour.differences.length === 0;

type Place = Pick<AccountLine, "path" | "unit" | "lines">;

/** Why not every small change of it would be noticed; null when it would. */
function unnoticed({ change, uncovered, mutants }: UnitFacts, bar: Bar): string | null {
  if (uncovered && uncovered.length > 0) {
    const one = uncovered.length === 1 && uncovered[0]?.from === uncovered[0]?.to;
    return `no test runs ${one ? "line" : "lines"} ${describeLines(uncovered)}`;
  }
  if (bar.problem !== null) return bar.problem;
  const counting = mutants.filter(({ fate }) => fate !== "skipped");
  if (counting.length === 0) return "nothing in it can be changed in a small way, so no test is known to notice it";
  // That it fails without a name that is gone, too, shows nothing of what it was for.
  const lost = counting.find(({ mutant }) => (mutant.lacks ?? []).length > 0);
  if (lost) return `nothing shows that it can do without what went: ${described([lost])}`;
  const waiting = counting.filter((result) => result.fate === "not-run");
  if (waiting.length > 0) {
    return `no time was left for ${waiting.length} of ${counting.length} small changes of it (--budget)`;
  }
  const left = counting.filter((result) => !isNoticed(result));
  // Where nothing of the change itself can be changed, the code around it only shows whether anybody looks there at all.
  const isAround = change.before !== null && counting.every(({ mutant }) => !hasLine(change.lines, mutant.line));
  if (isAround && left.length < counting.length) return null;
  const needed = bar.mutationScore ?? 1;
  if (left.length === 0 || 1 - left.length / counting.length >= needed) return null;
  const what = change.kind === "import" ? "that it is gone" : described(left);
  return `no test notices ${what}`;
}

const described = (left: readonly MutantResult[]): string => {
  const shown = left.slice(0, NAMED).map(({ mutant }) => `line ${mutant.line} ${mutant.description}`);
  return `${shown.join(", ")}${left.length > NAMED ? ` and ${left.length - NAMED} more` : ""}`;
};

const isNoticedBy = (result: MutantResult, tests: ReadonlySet<string>): boolean =>
  isKilled(result) && result.killedBy.some((test) => tests.has(test) || stopsFileOf(test, tests));

/** With it the file of one of these tests cannot be loaded: then each of them is red. */
const stopsFileOf = (id: string, tests: ReadonlySet<string>): boolean => {
  const file = id.endsWith(NOT_LOADED) ? id.slice(0, -NOT_LOADED.length) : null;
  return file !== null && [...tests].some((test) => test.startsWith(`${file}::`));
};

/** Lines of it that no test runs are said, for a person to look at. */
function askedFor({ uncovered }: UnitFacts, place: Place): AccountLine {
  const rest = uncovered && uncovered.length > 0 ? `; none of them runs ${describeLines(uncovered)}` : "";
  return { ...place, standing: "shown", why: `tests of the requirements notice small changes of it${rest}` };
}

/** Tests turned green for it. What it does must be more than an answer to these very tests. */
function effect(facts: UnitFacts, place: Place): AccountLine {
  const { change, turned, behaviour, callable = false, bounds } = facts;
  const tests =
    turned.size === 1 ? "1 test that turned green notices" : `${turned.size} tests that turned green notice`;
  const shown: AccountLine = { ...place, standing: "shown", why: `${tests} small changes of it` };
  const other = change.kind === "function" ? null : unturned(facts);
  if (other !== null) return { ...place, standing: "not-judged", why: other, partly: true };
  if (change.kind !== "function" && !callable) return shown;
  const doubt = callable ? NOT_CALLED : onlyForTests(change, behaviour, bounds);
  return doubt === null ? shown : { ...place, standing: "not-judged", why: doubt, partly: true };
}

/** Who else needs its name: code that no test runs, or that does otherwise now though no test of it turned. Null: nobody. */
function unturned({ change, turned, untouched = [], unrunUses = [] }: UnitFacts): string | null {
  if (unrunUses.length > 0)
    return `\`${change.name}\` means something else in lines that no test runs: ${describeLines(unrunUses)}`;
  const isMeant = ({ differences }: FunctionBehaviour) =>
    differences.some(({ tests }) => tests.some((id) => turned.has(id)));
  const [other] = untouched.filter((one) => one.problem === null && !isMeant(one)).flatMap((one) => one.differences);
  return other ? `${UNTURNED}: ${other.call}: ${other.before} → ${other.after}` : null;
}

const UNTURNED = "no test turned for what others do now that need it";

const NOT_CALLED = "what it makes can be called, and was not called with other inputs than those of its tests";

/** Why a function may answer only the inputs of its tests; null when it is known to do more. */
function onlyForTests(
  { relation }: UnitChange,
  behaviour: FunctionBehaviour | null,
  bounds: readonly string[] = [],
): string | null {
  if (behaviour === null) return "it was not called with other inputs than those of its tests";
  if (behaviour.problem !== null)
    return `it could not be called with other inputs than its tests': ${behaviour.problem}`;
  const { differing, differences, narrow, outcomes, varied } = behaviour;
  if (relation === "added") {
    if (varied < FEWEST_VARIED) return null;
    if (outcomes.variedRaise === varied) return "it raises for every other input than those of its tests";
    return outcomes.varied <= 1 ? "it gives one and the same for every other input than those of its tests" : null;
  }
  if (differing.tests + differing.varied === 0)
    return "tests that turned green run it, but no call of it that could be made again gives anything else than before";
  const own = differences.filter(({ from }) => from === "tests");
  if (own.length > 0 && own.every(({ call }) => isEdge(call, behaviour, bounds))) return null;
  if (varied < FEWEST_VARIED) return "it could not be called with enough other inputs than its tests'";
  const call = differences.find(({ from }) => from === "tests")?.call ?? differences[0]?.call;
  if (differing.varied === 0) return `it behaves otherwise only for the inputs of its tests: ${call}`;
  const after = (wanted: "tests" | "varied") => differences.flatMap((one) => (one.from === wanted ? one.after : []));
  const known = new Set(after("tests"));
  // Another argument may vary while the one that was singled out stays: then the answer stays, too.
  if (narrow.length > 0 && after("varied").every((outcome) => known.has(outcome)))
    return `it behaves otherwise only for one value of ${narrow.join(", ")}: ${call}`;
  return null;
}

/**
 * No test turned green for it: then it may do nothing that it did not do before. Only calls of both versions tell that;
 * tests that are green on both sides may look at too little.
 */
function kept({ change, mutants, behaviour, around }: UnitFacts, place: Place): AccountLine {
  const open = (why: string): AccountLine => ({ ...place, standing: "not-judged", why });
  const called = change.kind === "function" && change.relation !== "added" ? [behaviour] : around;
  const value = behaviour?.kind === "value" ? behaviour : null;
  const [difference] = [value, ...called].flatMap((one) => one?.differences ?? []);
  if (difference) {
    return open(`no test turned for what it does now: ${difference.call}: ${difference.before} → ${difference.after}`);
  }
  if (leavesTheSame({ change, behaviour })) return { ...place, standing: "same", why: SAME_VALUE };
  const agreeing = called.flatMap((one) => (one && one.problem === null && one.compared > 0 ? [one] : []));
  if (agreeing.length === 0) {
    const why = called.find((one) => one && one.problem !== null)?.problem ?? "both versions were not called";
    return open(`nothing shows that it does what it did before: ${why}`);
  }
  // Functions around it speak for it only where their calls need it. A class may also be needed for what it inherits.
  const isCompared = ({ fate }: MutantResult) => fate === "compared";
  const isMet = change.kind === "class" ? mutants.every(isCompared) : mutants.some(isCompared);
  if (called === around && !isMet) return open("no test turned for it, and no call of both versions notices it");
  const calls = agreeing.reduce((sum, { compared }) => sum + compared, 0);
  return { ...place, standing: "same", why: `old and new version agree on ${calls} ${calls === 1 ? "call" : "calls"}` };
}

const MISSED = ", and nothing shows that nobody needs it";

/** Something that others may need was taken away. */
export const isMissedPlace = ({ standing, why }: AccountLine): boolean =>
  standing === "not-judged" && why.endsWith(MISSED);

function removed({ change, missed }: UnitFacts, place: Place): AccountLine {
  if (!missed) return { ...place, standing: "same", why: "it is gone, and nothing speaks of it any more" };
  const what = change.kind === "import" ? "an import is gone" : "it is gone";
  return { ...place, standing: "not-judged", why: `${what}${MISSED}` };
}
