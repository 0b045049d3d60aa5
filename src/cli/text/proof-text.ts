import { type AccountLine, openLines, placeOf } from "../../domain/evidence/account.ts";
import { describeNoticed } from "../../domain/evidence/describe-noticed.ts";
import {
  describeLastCommit,
  type EvidenceDocument,
  type EvidenceTest,
} from "../../domain/evidence/evidence-document.ts";
import { describeLines } from "../../domain/evidence/line-range.ts";
import { survivors } from "../../domain/evidence/mutant-report.ts";
import { unprovenLanguageOf } from "../../domain/plan/unproven-language.ts";
import { count } from "./amounts.ts";
import { type Line, line, type Tone } from "./line.ts";
import { printable } from "./printable.ts";
import { redTestLines } from "./red-test-lines.ts";

const NAMED = 8;
const NAMED_CALLS = 3;

/** What a proof came to, for a person: the verdict, and what it rests on, what is missing, what was not looked at. */
export function proofLines(
  evidence: EvidenceDocument,
  bundle: { directory: string; hash: string } | null,
): { verdict: Line; detail: Line[] } {
  const { verdict, change, notes } = evidence;
  const tones = {
    proven: "good",
    "proven-in-part": "warn",
    checked: "good",
    "not-proven": "bad",
    refused: "bad",
  } as const;
  const plain = (texts: string[]) => texts.map((text) => line(text));
  const dim = (texts: string[]) => texts.map((text) => line(text, "dim"));
  const { lastCommit } = change;
  const detail = [
    ...plain(lastCommit === undefined ? [] : [describeLastCommit(lastCommit)]),
    ...dim([`change since ${change.since ?? "an unknown place"}: ${count(change.files.length, "file")}`]),
    ...account(evidence),
    ...plain(behaviour(evidence)),
    ...tests(evidence),
    ...plain(
      evidence.accept.map(({ command, before, after }) => `$ ${command}: ${ended(before)} before, ${ended(after)} now`),
    ),
    ...integrity(evidence).map((text) => line(text, "warn")),
    ...plain(coverage(evidence)),
    ...plain(mutants(evidence)),
    ...plain(flakes(evidence)),
    ...scans(evidence).map((text) => line(text, "warn")),
    ...dim(notes.map((note) => `note: ${note}`)),
    ...dim(times(evidence)),
    ...dim(notChecked(evidence)),
    ...plain(bundle === null ? [] : [`evidence in ${bundle.directory}, root hash ${bundle.hash}`]),
    ...plain(reasons(evidence)),
  ].map(({ text, tone }) => line(`  ${printable(text)}`, tone));
  return { verdict: line(printable(verdict.summary), tones[verdict.status]), detail };
}

/** Checks with the same reason stand together. */
function notChecked({ notChecked: all }: EvidenceDocument): string[] {
  const reasons = Map.groupBy(all, ({ why }) => why);
  const told = [...reasons].map(([why, checks]) => `${checks.map(({ check }) => check).join(", ")} (${why})`);
  return told.length === 0 ? [] : [`not checked: ${told.join("; ")}`];
}

/** What is open stands here, with the flag that accepts it, unless something else speaks against the change. */
function reasons({ verdict, account = [] }: EvidenceDocument): string[] {
  const open = openLines(account);
  const said = verdict.reasons.length > 1 || verdict.status === "proven-in-part" ? verdict.reasons : [];
  const isReason = ({ path, why }: AccountLine) =>
    verdict.reasons.some((reason) => reason.startsWith(path) && reason.endsWith(`: ${why}`));
  return [
    ...said.map((reason) => `- ${reason}`),
    ...(open.some(isReason) ? [`accept without a proof what is open: ${leaveFlags(open)}`] : []),
  ];
}

/** The one place, or every file that has one. */
export function leaveFlags(open: readonly Pick<AccountLine, "path" | "unit">[]): string {
  const [first] = open;
  const places = open.length === 1 && first ? [placeOf(first)] : [...new Set(open.map(({ path }) => path))];
  return places.map((place) => `--leave ${quoted(place)}`).join(" ");
}

const quoted = (word: string): string => (/\s/.test(word) ? `'${word}'` : word);

/** The other places of the change, by their standing. */
function account({ account: all = [] }: EvidenceDocument): Line[] {
  const of = (what: string, lines: readonly AccountLine[], tone: Tone = "plain") =>
    lines.length === 0 ? [] : [line(`${what}: ${some(lines.map(placeOf))}`, tone)];
  const standing = (wanted: AccountLine["standing"]) => all.filter((line) => line.standing === wanted && !line.left);
  return [
    ...of("✓ shown", standing("shown")),
    ...of("the same as before", standing("same")),
    ...of("needs no proof", standing("inert"), "dim"),
    ...of(
      "left as you said",
      all.filter(({ left }) => left),
    ),
  ];
}

/** A few calls are enough to see what became of it; the evidence has them all. */
function behaviour({ behaviour: all = [] }: EvidenceDocument): string[] {
  const calls = all.flatMap(({ differences }) => differences);
  const named = calls.slice(0, NAMED_CALLS).map(({ call, before, after }) => `  ${call}: ${before} → ${after}`);
  const more = calls.length - named.length;
  if (calls.length === 0) return [];
  return ["behaves otherwise than before:", ...named, ...(more > 0 ? [`  and ${count(more, "more call")}`] : [])];
}

/** A language that we cannot run the tests of has tests all the same. */
function whyNone(account: EvidenceDocument["account"]): string {
  const unproven = unprovenLanguageOf((account ?? []).map(({ path }) => path));
  if (unproven === null) return "there are none";
  const { name, test } = unproven;
  return `those of ${name} cannot be run and read (Python, JavaScript, TypeScript and Go can); --accept "${test}" runs yours`;
}

function tests({ tests: all, suite, account }: EvidenceDocument): Line[] {
  if (!suite?.after) return [line(`tests: ${whyNone(account)}`)];
  const of = (role: EvidenceTest["role"]) => all.filter((test) => test.role === role).map(({ id }) => id);
  const named = (what: string, ids: string[]) => (ids.length === 0 ? [] : [line(`${what}: ${some(ids)}`)]);
  const red = all.filter(({ role }) => role === "broken" || role === "red");
  const { before, after } = suite;
  return [
    line(
      `tests: ${before ? `${before.passed} passed, ${before.red} red before; ` : ""}${after.passed} passed, ${after.red} red now`,
    ),
    ...redTestLines(red.map(({ id, message = "" }) => ({ id, message }))),
    ...named("turned from red to green", of("red-to-green")),
    ...named("new, but green on the old code too (they show nothing of the change)", of("guard")),
    ...named("moved", of("moved")),
  ];
}

const ended = (run: { passed: boolean; ending: string } | undefined): string =>
  run === undefined ? "not run" : run.passed ? "passed" : run.ending;

/** What is tampering stands among the reasons already. */
const integrity = ({ integrity: all, verdict }: EvidenceDocument): string[] =>
  all
    .filter(({ weight }) => weight === "named" || verdict.status !== "refused")
    .map(({ test, path, message }) => `look at: ${test ?? path ?? ""} ${message}`);

function coverage({ coverage: report }: EvidenceDocument): string[] {
  if (!report) return [];
  const open = report.files.flatMap((file) => {
    if (!file.available) return [`${file.path} (${file.reason})`];
    return file.uncovered.length > 0 ? [`${file.path} ${describeLines(file.uncovered)}`] : [];
  });
  if (report.share === null) {
    const why = open.length > 0 ? `nobody can tell which are run: ${some(open)}` : "none that does anything";
    return [`changed lines: ${why}`];
  }
  const share = `${Math.floor(report.share * 100)} % run by tests`;
  return [`changed lines: ${share}${open.length > 0 ? `; not: ${some(open)}` : ""}`];
}

function mutants({ mutants: report }: EvidenceDocument): string[] {
  if (!report) return [];
  const left = survivors(report).map(({ path, line, description }) => `${path}:${line} ${description}`);
  return [
    `mutants: ${describeNoticed(report)}${report.problem === null ? "" : `; ${report.problem}`}`,
    ...left.slice(0, NAMED).map((one) => `  not noticed: ${one}`),
    ...(left.length > NAMED ? [`  and ${left.length - NAMED} more`] : []),
  ];
}

/** The three that took longest. */
function times({ stages = [] }: EvidenceDocument): string[] {
  const all = stages.reduce((sum, { ms }) => sum + ms, 0);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const longest = stages.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  return all === 0
    ? []
    : [
        `${seconds(all)} of work, some at once: ${longest.map(({ stage, ms }) => `${stage} ${seconds(ms)}`).join(", ")}`,
      ];
}

function flakes({ flakes: report }: EvidenceDocument): string[] {
  if (!report || report.quarantined.length === 0) return [];
  return [`flaky before the change already, so not counted: ${some(report.quarantined)}`];
}

const scans = ({ scans: findings }: EvidenceDocument): string[] =>
  (findings ?? [])
    .slice(0, NAMED)
    .map(({ path, line, severity, message }) => `scan: ${severity} ${path}:${line} ${message}`);

function some(items: string[]): string {
  const more = items.length - NAMED;
  return `${items.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
