import type { AccountLine } from "../../domain/evidence/account.ts";
import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import { describeLines } from "../../domain/evidence/line-range.ts";
import { isKilled, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { UnitFacts } from "./unit-facts.ts";

/** What a person asks of the tests. */
export interface Bar {
  /** The share of mutants that must be noticed; null: every one. */
  mutationScore: number | null;
  /** Why no result of a mutant counts; null when they do. */
  problem: string | null;
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
  if (gone) return removed(facts, place);
  const unseen = unnoticed(facts, bar);
  if (unseen !== null) return open(unseen);
  return facts.turned.size > 0 && facts.mutants.some((result) => isNoticedBy(result, facts.turned))
    ? effect(facts, place)
    : kept(facts, place);
}

type Place = Pick<AccountLine, "path" | "unit" | "lines">;

/** Why not every small change of it would be noticed; null when it would. */
function unnoticed({ change, uncovered, mutants, compared }: UnitFacts, bar: Bar): string | null {
  if (uncovered && uncovered.length > 0) {
    const one = uncovered.length === 1 && uncovered[0]?.from === uncovered[0]?.to;
    return `no test runs ${one ? "line" : "lines"} ${describeLines(uncovered)}`;
  }
  if (bar.problem !== null) return bar.problem;
  const counting = mutants.filter(({ fate }) => fate !== "skipped");
  if (counting.length === 0) return "nothing in it can be changed in a small way, so no test is known to notice it";
  const isNoticed = (result: MutantResult) => isKilled(result) || compared.has(result.mutant.id);
  const waiting = counting.filter((result) => result.fate === "not-run" && !isNoticed(result));
  if (waiting.length > 0) {
    return `no time was left for ${waiting.length} of ${counting.length} small changes of it (--budget)`;
  }
  const left = counting.filter((result) => !isNoticed(result));
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
  isKilled(result) && result.killedBy.some((test) => tests.has(test));

/** Tests turned green for it. What it does must be more than an answer to these very tests. */
function effect({ change, turned, behaviour }: UnitFacts, place: Place): AccountLine {
  const tests =
    turned.size === 1 ? "1 test that turned green notices" : `${turned.size} tests that turned green notice`;
  const shown: AccountLine = { ...place, standing: "shown", why: `${tests} small changes of it` };
  if (change.kind !== "function") return shown;
  const doubt = onlyForTests(behaviour);
  return doubt === null ? shown : { ...place, standing: "not-judged", why: doubt };
}

/** Why a function may answer only the inputs of its tests; null when it is known to do more. */
function onlyForTests(behaviour: FunctionBehaviour | null): string | null {
  if (behaviour === null) return "it was not called with other inputs than those of its tests";
  if (behaviour.problem !== null)
    return `it could not be called with other inputs than its tests': ${behaviour.problem}`;
  if (behaviour.outcomes) {
    const { recorded, varied, variedRaise } = behaviour.outcomes;
    const isTable = recorded > 1 && behaviour.varied >= FEWEST_VARIED && varied <= 1 && variedRaise + varied > 0;
    return isTable ? "it gives different results only for the inputs of its tests" : null;
  }
  const differences = behaviour.differences;
  if (differences.some(({ from }) => from === "varied")) return null;
  if (differences.length === 0) return "it behaves as before with the inputs of its tests and with others";
  if (behaviour.varied < FEWEST_VARIED) return "it could not be called with enough other inputs than its tests'";
  const [first] = differences;
  return `it behaves otherwise only for the inputs of its tests: ${first?.call}`;
}

/** No test turned green for it: then it may do nothing that it did not do before. */
function kept({ change, oldMutants, behaviour }: UnitFacts, place: Place): AccountLine {
  const open = (why: string): AccountLine => ({ ...place, standing: "not-judged", why });
  const [difference] = behaviour?.differences ?? [];
  if (difference) {
    return open(`no test turned for what it does now: ${difference.call}: ${difference.before} → ${difference.after}`);
  }
  if (change.relation !== "added" && behaviour && behaviour.problem === null && behaviour.compared > 0) {
    const calls = `${behaviour.compared} ${behaviour.compared === 1 ? "call" : "calls"}`;
    return { ...place, standing: "same", why: `old and new version agree on ${calls}` };
  }
  if (change.relation === "added" || oldMutants === null) {
    return change.relation === "added"
      ? { ...place, standing: "same", why: "tests that are green before and after notice every small change of it" }
      : open("nothing shows that it does what it did before");
  }
  const left = oldMutants.filter(({ fate }) => fate === "survived" || fate === "not-run");
  if (oldMutants.some(isKilled) && left.length === 0) {
    return {
      ...place,
      standing: "same",
      why: "tests that are green before and after notice small changes of both versions",
    };
  }
  return open(
    left.length > 0
      ? `tests that were green before do not notice ${described(left)} in what it was`
      : "nothing shows that it does what it did before",
  );
}

/** Code that is gone. Tests that passed with and without it, and noticed when it did something else, miss nothing. */
function removed({ change, oldMutants }: UnitFacts, place: Place): AccountLine {
  const tried = (oldMutants ?? []).filter(({ fate }) => fate !== "skipped");
  if (tried.length > 0 && tried.every(isKilled)) {
    return { ...place, standing: "same", why: "it is gone, and tests that noticed every small change of it are green" };
  }
  const what = change.kind === "import" ? "an import is gone" : "it is gone";
  return { ...place, standing: "not-judged", why: `${what}, and nothing shows that nobody needs it` };
}
