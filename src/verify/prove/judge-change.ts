import { type AccountLine, isPartly, openLines, placeOf } from "../../domain/evidence/account.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { failedAssertion } from "../../domain/evidence/failed-assertion.ts";
import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { Oracle } from "../../domain/evidence/oracle.ts";
import { executed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import type { Finding } from "../../domain/finding.ts";
import type { GoalKind } from "../../domain/plan/spec.ts";
import { OF_TESTS } from "../account/account-of-files.ts";
import { askTogether } from "./ask-together.ts";
import type { ComparedTests } from "./compare-change.ts";

/** Everything that was found out about a change. */
export interface ChangeFacts {
  /** Why the suite does not come to life here, in one line; null: it does. */
  problem: { nothingRuns: boolean; line: string } | null;
  /** Every place of the change with its standing. */
  account: readonly AccountLine[];
  compared: ComparedTests;
  before: TestReport | null;
  /** Null: there is nothing that could be run as tests. */
  after: TestReport | null;
  accept: EvidenceDocument["accept"];
  /** Null: not measured. */
  flakes: FlakeReport | null;
  scans: readonly Finding[] | null;
  /** Tests that turned green, run as code is used; null: none. */
  witness: WitnessReport | null;
}

type Verdict = EvidenceDocument["verdict"];

const NAMED = 5;

/**
 * The verdict over a change of which nobody knows the goal. Proven: every place of it is shown, the same or inert, and
 * nothing that was green broke. What is not judged keeps the word away until a person leaves it so.
 */
export function judgeChange(found: ChangeFacts): { kind: GoalKind; verdict: Verdict } {
  const kind = kindOf(found);
  const tampering = found.compared.integrity.filter(({ weight }) => weight === "tampering");
  if (tampering.length > 0) {
    const reasons = tampering.map(({ test, path, message }) => `${test ?? path ?? "the tests"} ${message}`);
    const what = tampering.length === 1 ? reasons[0] : `the tests say less than before, in ${tampering.length} places`;
    return { kind, verdict: { status: "refused", summary: `refused: ${what}`, carriedBy: [], reasons } };
  }
  const against = broken(found);
  if (against.length > 0) return { kind, verdict: notProven(against) };
  return { kind, verdict: verdictOf(found) };
}

function verdictOf(found: ChangeFacts): Verdict {
  const { account } = found;
  const { questions } = found.compared;
  const asked = askTogether(questions);
  // A test of a guard does what the guard forbids: that is for a person to look at.
  const odd = blocked(found, "code of tests").map((one) => `${one} (if that is meant: ${ALLOWS})`);
  if (account.length === 0)
    return { status: "checked", summary: "checked: nothing was changed", carriedBy: [], reasons: [] };
  if (asked.length + odd.length === 0 && account.every(({ standing }) => standing === "inert")) {
    const summary = "checked: nothing that does anything was changed, and nothing broke";
    return { status: "checked", summary, carriedBy: [], reasons: [] };
  }
  const open = openLines(account);
  const carriedBy = carriers(found);
  // What is wrong with the environment comes first wherever something is left open.
  const hardly = found.problem ? [found.problem.line] : [];
  if (open.length + asked.length + odd.length === 0)
    return { status: "proven", summary: `proven: ${[carried(found), ...hardly].join("; ")}`, carriedBy, reasons: [] };
  const reasons = [...hardly, ...asked.map(({ test, why }) => `${test} ${why}`), ...odd, ...toldTogether(open)];
  if (!account.some(isSettled)) return notProven([...noTests(found), ...reasons]);
  const left = [...withoutJudgement(account, open, asked, questions.length), ...odd.slice(0, 1)];
  const summary = `proven in part: ${[...hardly, carried(found), ...left].join("; ")}`;
  return { status: "proven-in-part", summary, carriedBy, reasons };
}

const ALLOWS = "safety.code.allow";

/** Places of one file that are open for the same reason are one line. */
function toldTogether(open: readonly AccountLine[]): string[] {
  const groups = Map.groupBy(open, ({ path, why }) => `${path}\0${why}`);
  return [...groups.values()].map(([first, ...more]) => {
    const units = [first, ...more].flatMap((line) => line?.unit ?? []);
    return first ? `${[first.path, named(units)].filter(Boolean).join(" ")}: ${first.why}` : "";
  });
}

/** Something is known of what it does, if not all. */
const isSettled = ({ standing, partly }: AccountLine): boolean =>
  standing === "shown" || standing === "same" || partly === true;

/** What keeps the word away, in the first line. */
function withoutJudgement(
  account: readonly AccountLine[],
  open: readonly AccountLine[],
  asked: { test: string; why: string }[],
  inQuestion: number,
): string[] {
  const judged = account.filter(({ standing }) => standing !== "inert");
  const rest = (lines: readonly AccountLine[], one: string, several: string) => {
    const said = `${lines.length} of ${plural(judged.length, "place")} ${lines.length === 1 ? one : several}`;
    return lines.length === 0 ? [] : [`${said}: ${named(lines.map(placeOf))}`];
  };
  const [first] = asked;
  const tests = first
    ? [asked.length === 1 ? `${first.test} ${first.why}` : `${inQuestion} old tests are in question`]
    : [];
  return [
    ...tests,
    ...rest(open.filter(isPartly), "has a gap", "have gaps"),
    ...rest(
      open.filter((line) => !isPartly(line)),
      "is not judged",
      "are not judged",
    ),
  ];
}

function notProven(reasons: string[]): Verdict {
  const [first, ...more] = reasons;
  const summary = `not proven: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ""}`;
  return { status: "not-proven", summary, carriedBy: [], reasons };
}

/** With no spec the change itself tells. */
function kindOf({ account, compared, accept }: ChangeFacts): GoalKind {
  const has = (...standings: AccountLine["standing"][]) => account.some(({ standing }) => standings.includes(standing));
  const isTurned = accept.some(turned) || compared.tests.some(({ role }) => role === "red-to-green");
  if (has("shown") || (isTurned && has("not-judged"))) return "fix";
  return has("same", "not-judged") ? "refactoring" : "documentation";
}

/** A person's command that failed before and passes now. */
export const turned = ({ before, after, asBefore, brought }: EvidenceDocument["accept"][number]): boolean =>
  after.passed && before?.passed === false && asBefore?.passed !== false && !brought;

/** Why nobody can tell what broke. Where no test runs at all, that is the reason, and nothing else about their runs. */
function untold({ problem, before, after }: ChangeFacts): string[] {
  if (problem?.nothingRuns) return [problem.line];
  const reasons: string[] = [];
  if (before && before.ending !== "completed") {
    reasons.push(`the tests of the base do not come to their end (${before.ending}): nobody can tell what broke`);
  }
  if (after && after.ending !== "completed") reasons.push(`the tests do not come to their end (${after.ending})`);
  else if (after && executed(after) === 0 && before && executed(before) > 0) reasons.push("no test runs any more");
  return reasons;
}

/** What the scan does not let pass: code of tests apart from all other findings. */
function blocked({ scans, account }: ChangeFacts, which: "code of tests" | "other"): string[] {
  const ofTests = new Set(account.filter(({ why }) => why === OF_TESTS).map(({ path }) => path));
  const isWanted = ({ kind, path }: Finding) => (kind === "code" && ofTests.has(path)) === (which === "code of tests");
  const found = (scans ?? []).filter((one) => one.blocking && isWanted(one));
  return found.map(({ path, line, message }) => `${path}:${line} ${message}`);
}

/** What speaks against the change. */
function broken(found: ChangeFacts): string[] {
  const { compared, accept, flakes, witness } = found;
  const reasons = untold(found);
  const role = (wanted: string) => compared.tests.filter((test) => test.role === wanted).map(({ id }) => id);
  reasons.push(...listed(role("broken"), "passed before and is red now", "passed before and are red now"));
  reasons.push(...listed(role("red"), "is new and red", "are new and red"));
  for (const { id, message } of (witness?.tests ?? []).filter(({ outcome }) => outcome === "failed").slice(0, NAMED)) {
    reasons.push(`${id} passes where it is tested, and fails where the code is used: ${inOneLine(message)}`);
  }
  for (const { command, after: run, asBefore, edited = [] } of accept) {
    if (!run.passed) reasons.push(`$ ${command}: ${run.ending}`);
    else if (asBefore?.passed === false)
      reasons.push(`$ ${command} passes only with ${edited.join(", ")} as the change left it (${asBefore.ending})`);
  }
  reasons.push(...blocked(found, "other").slice(0, NAMED));
  reasons.push(
    ...listed(
      (flakes?.flipped ?? []).map(({ id }) => id),
      "changes its outcome from run to run, and did not before the change",
      "change their outcome from run to run, and did not before the change",
    ),
  );
  return reasons;
}

const noTests = ({ after }: ChangeFacts): string[] =>
  !after || executed(after) === 0 ? ["there is no test that runs, and no --accept command that turned green"] : [];

function carriers({ compared, accept, account }: ChangeFacts): Oracle[] {
  const isShown = account.some(({ standing, partly }) => standing === "shown" || partly);
  const roles = isShown ? ["red-to-green"] : ["held", "moved", "guard"];
  const showing = compared.tests.filter(({ role }) => roles.includes(role));
  return [
    ...(accept.some(turned) ? ["accept" as const] : []),
    ...(showing.some(({ origin }) => origin === "own") ? ["own-suite" as const] : []),
    ...(showing.some(({ origin }) => origin === "change") ? ["change-tests" as const] : []),
  ];
}

function carried({ compared, accept, account }: ChangeFacts): string {
  const commands = accept.filter(turned).length;
  const of = (...roles: string[]) => compared.tests.filter(({ role }) => roles.includes(role)).length;
  const green = of("red-to-green");
  const count = (standing: AccountLine["standing"]) => account.filter((line) => line.standing === standing).length;
  const left = account.filter((line) => line.left).length;
  return [
    ...(commands > 0 ? [`${plural(commands, "accepted command")} turned from red to green`] : []),
    ...(green > 0 ? [`${plural(green, "test")} turned from red to green`] : []),
    ...(count("shown") === 0 && count("same") > 0
      ? [`${plural(count("same"), "place")} ${behaves(count("same"))}`]
      : []),
    ...(of("held", "moved") > 0 ? [`${plural(of("held", "moved"), "test")} held`] : []),
    ...(left > 0 ? [`${plural(left, "place")} left as you said`] : []),
  ].join(", ");
}

const behaves = (count: number): string => (count === 1 ? "behaves as before" : "behave as before");

function listed(ids: readonly string[], one: string, several: string): string[] {
  return ids.length === 0 ? [] : [`${named(ids)} ${ids.length === 1 ? one : several}`];
}

function named(ids: readonly string[]): string {
  const more = ids.length - NAMED;
  return `${ids.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const inOneLine = (message: string): string => failedAssertion(message).join(" ").slice(0, 200);

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
