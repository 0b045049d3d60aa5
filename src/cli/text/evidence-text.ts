import { describeNoticed } from "../../domain/evidence/describe-noticed.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { type MutantReport, survivors } from "../../domain/evidence/mutant-report.ts";
import { describeSpeed } from "../../domain/evidence/speed.ts";
import type { Finding } from "../../domain/finding.ts";
import { describeAmendment } from "../../domain/plan/amendment.ts";
import { count } from "./amounts.ts";
import { fit } from "./printable.ts";

const NAMED_TESTS = 3;

/**
 * Each requirement with what shows it, then what else was run: the part of a result a person should read. In brief the
 * tests of what is shown are not named, and of a requirement, which the plan told in full, as much as fits one line.
 */
export function evidenceLines(
  evidence: GatheredEvidence,
  { brief = false, columns = 92 }: { brief?: boolean; columns?: number } = {},
): string[] {
  const { requirements, suite, accept, mutants, sharpened, speed = [], amended = [] } = evidence;
  const known = new Map(evidence.tests.map((test) => [test.id, test]));
  const lines = requirements.flatMap(({ id, text, assumption, support, doubt, unmeasured, tests: ids }) => {
    const tests = ids.flatMap((test) => known.get(test) ?? []);
    const mark = support === "none" ? "✗" : "✓";
    const red = tests.filter((test) => test.after !== "passed");
    const how = {
      "red-to-green": "red before, green now",
      held: "held before and holds now",
      none:
        doubt === "unnoticed"
          ? "its tests notice no small change of the changed lines"
          : doubt === "seen-only"
            ? "green, but only in tests that the coder saw"
            : doubt === "unseen-unusable"
              ? `green, but no test that the coder did not see can show it: ${unmeasured ?? ""}`
              : unmeasured !== undefined
                ? `nobody can tell whether its tests can fail: ${unmeasured}`
                : red.length > 0
                  ? "not green"
                  : "nothing shows it",
    };
    const untried = support === "none" || unmeasured === undefined ? "" : `; without mutants: ${unmeasured}`;
    const turned = tests.filter((test) => test.onOldCode === "failed");
    const telling = { "red-to-green": turned.length > 0 ? turned : tests, held: tests, none: red };
    const named = nameTests(telling[support].map((test) => test.id));
    const marked = `${mark} ${id}${brief && assumption ? " (assumption)" : ""} `;
    if (brief && support !== "none" && untried === "") return [fit(`${marked}${text}`, columns)];
    return [
      brief ? `${marked}${text}` : `${marked}${text}${assumption ? " (assumption)" : ""}`,
      `    ${how[support]}${named === "" ? "" : `: ${named}`}${untried}`,
    ];
  });
  for (const amendment of amended) lines.push(`amended on the way by ${describeAmendment(amendment)}`);
  for (const report of speed) {
    const mark = report.verdict === "faster" ? "✓" : "✗";
    const known = report.verdict === "not-measured" ? "only checked, not measured: " : "";
    lines.push(`${mark} ${report.requirement} speed: ${known}${describeSpeed(report)}`);
  }
  if (suite?.before && suite.after) {
    lines.push(`suite: ${suite.before.passed} passed before, ${suite.after.passed} passed now, ${suite.after.red} red`);
  } else if (suite?.after) {
    lines.push(`suite: ${count(suite.after.passed, "test")} passed, ${suite.after.red} red`);
  }
  if (suite?.after && suite.after.red > 0 && evidence.superseded)
    lines.push(
      `may be red, as the goal makes them obsolete: ${evidence.superseded.map(({ test }) => test).join(", ")}`,
    );
  if (mutants) lines.push(...mutantLine(mutants));
  if (sharpened) lines.push(`sharper tests: ${sharperTests(sharpened)}`);
  for (const { test, why } of evidence.replaced ?? []) lines.push(`written anew: ${test}: ${why}`);
  const uncovered = uncoveredLines(evidence);
  if (uncovered.length > 0) lines.push(`run by no test: ${uncovered.join(", ")}`);
  if (evidence.scans) lines.push(...scanLines(evidence.scans));
  for (const {
    command,
    after: { passed, ending },
  } of accept)
    lines.push(`${passed ? "✓" : "✗"} $ ${command}${passed ? "" : ` (${ending})`}`);
  return lines;
}

function mutantLine(report: MutantReport): string[] {
  const { killed, timedOut, compared, survived, notRun } = report.counts;
  if (killed + timedOut + compared + survived + notRun === 0) return [];
  const left = survivors(report)
    .slice(0, NAMED_TESTS)
    .map(({ path, line, description }) => `${path}:${line} ${description}`)
    .join("; ");
  const unknown = notRun > 0 ? `, ${notRun} not run for lack of time` : "";
  return [`mutants: ${describeNoticed(report)}${unknown}${left === "" ? "" : `; not noticed: ${left}`}`];
}

/** `calc.py:3-5`. */
const uncoveredLines = ({ coverage }: GatheredEvidence): string[] =>
  (coverage?.files ?? []).flatMap((file) =>
    file.available ? file.uncovered.map(({ from, to }) => `${file.path}:${from === to ? from : `${from}-${to}`}`) : [],
  );

function sharperTests({ tests, why }: NonNullable<GatheredEvidence["sharpened"]>): string {
  if (tests.length === 0) return `none, ${why}`;
  const of = (end: (typeof tests)[number]["end"]) => tests.filter((test) => test.end === end);
  const noticed = new Set(of("kept").flatMap((test) => test.noticed)).size;
  const kept = of("kept").length;
  return [
    ...(noticed > 0 ? [`${kept} kept, which ${kept === 1 ? "notices" : "notice"} ${noticed} more`] : []),
    ...(of("idle").length === tests.length ? ["none kept, as none notices more"] : []),
    ...(of("mended").length > 0 ? [`${of("mended").length} found a fault that was mended`] : []),
    ...of("upheld").map(({ id }) => `red, as the spec says it must not be: ${id}`),
    ...of("void").map(({ id, reason }) => `red, and void: ${id} (${reason})`),
  ].join("; ");
}

/** Each file once, each test once, however many cases it has: `test_fees.py: test_late (3 cases), test_in_time`. */
function nameTests(ids: string[]): string {
  const files = new Map<string, Map<string, number>>();
  for (const id of ids) {
    const [file = "", ...rest] = id.split("::");
    const name = rest.join("::").replace(/\[.*\]$/s, "");
    const cases = files.get(file) ?? new Map<string, number>();
    files.set(file, cases.set(name, (cases.get(name) ?? 0) + 1));
  }
  return [...files]
    .map(([file, cases]) => {
      const names = [...cases].map(([name, number]) => (number > 1 ? `${name} (${number} cases)` : name));
      const more = names.length - NAMED_TESTS;
      return `${file}: ${names.slice(0, NAMED_TESTS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    })
    .join("; ");
}

function scanLines(findings: Finding[]): string[] {
  if (findings.length === 0) return ["scan: nothing new found"];
  const named = findings
    .slice(0, NAMED_TESTS)
    .map(({ severity, path, line, message }) => `scan: ${severity} ${path}:${line} ${message}`);
  const more = findings.length - named.length;
  return [...named, ...(more > 0 ? [`scan: ${more} more`] : [])];
}

/** What became of tests that the goal makes obsolete and that were red on the result. */
export const obsoleteLines = ({ removed, red }: { removed: string[]; red: string[] }): string[] => [
  ...(removed.length > 0 ? [`obsolete tests, taken out of the result: ${removed.join(", ")}`] : []),
  ...(red.length > 0 ? [`obsolete tests that are red in the result, for you to change: ${red.join(", ")}`] : []),
];
