import { isPartly } from "../../domain/evidence/account.ts";
import { describeNoticed } from "../../domain/evidence/describe-noticed.ts";
import {
  describeLastCommit,
  type EvidenceDocument,
  type EvidenceTest,
} from "../../domain/evidence/evidence-document.ts";
import { describeLines } from "../../domain/evidence/line-range.ts";
import { survivors } from "../../domain/evidence/mutant-report.ts";
import { describeSpeed } from "../../domain/evidence/speed.ts";
import { howAnswered } from "../../domain/how-answered.ts";
import { describeFinding } from "../../domain/loop/review.ts";
import { describeAmendment } from "../../domain/plan/amendment.ts";
import { code, indent, text } from "./markdown.ts";

const MOST_TESTS = 60;
const MOST_ITEMS = 40;

/** The document for people: Markdown that reads well as it is, in a terminal too. The verdict first. */
export function renderPage(document: EvidenceDocument): string {
  const sections = [
    heading(document),
    account(document),
    behaviour(document),
    requirements(document),
    tests(document),
    accept(document),
    speed(document),
    integrity(document),
    coverage(document),
    mutants(document),
    sharpened(document),
    flakes(document),
    checks(document),
    scans(document),
    reviews(document),
    people(document),
    change(document),
    environment(document),
    list(
      "Not checked",
      document.notChecked.map(({ check, why }) => text(`${check}: ${why}`)),
    ),
    list("To know", document.notes.map(text)),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function heading({ verdict, goal, change, kind, at }: EvidenceDocument): string {
  const facts = [
    ...(goal === undefined ? [] : [`Goal: ${text(goal)}`]),
    ...(change.lastCommit === undefined ? [] : [text(describeLastCommit(change.lastCommit))]),
    ...(change.since === undefined ? [] : [`Change since ${text(change.since)}`]),
    ...(kind === undefined ? [] : [`Kind: ${kind}`]),
    ...(verdict.carriedBy.length > 0
      ? [`Carried by: ${verdict.carriedBy.map((oracle) => ORACLES[oracle]).join(", ")}`]
      : []),
    `Made ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`,
  ];
  const reasons =
    verdict.reasons.length > 1 ? `\n\n${verdict.reasons.map((reason) => `- ${text(reason)}`).join("\n")}` : "";
  return `# ${MARKS[verdict.status]} ${text(verdict.summary)}${reasons}\n\n${facts.join("  \n")}`;
}

const MARKS = { proven: "✓", "proven-in-part": "◐", checked: "✓", "not-proven": "✗", refused: "⛔" } as const;
const ORACLES = {
  accept: "commands the person accepts as proof",
  "own-suite": "the project's own tests",
  "confirmed-examples": "examples a person confirmed",
  "model-tests": "tests a model wrote",
  "change-tests": "tests that came with the change",
} as const;

function account({ account: all = [] }: EvidenceDocument): string {
  return list(
    "Every place of the change",
    all.map((line) => {
      const { path, unit, lines = [], standing, why, left } = line;
      const where = `${path}${lines.length > 0 ? `:${describeLines(lines)}` : ""}`;
      const name = unit === undefined ? "" : ` ${text(unit)}`;
      const word = left ? "left" : isPartly(line) ? "has a gap" : standing.replace("-", " ");
      return `**${word}** ${code(where)}${name}: ${text(why)}`;
    }),
  );
}

function behaviour({ behaviour: all = [] }: EvidenceDocument): string {
  return list(
    "What behaves otherwise than before",
    all.flatMap(({ path, name, differences, compared, problem }) => [
      ...differences
        .slice(0, MOST_ITEMS)
        .map(({ call, before, after }) => `${code(call)}: ${code(before)} → ${code(after)}`),
      `${code(path)} ${text(name)}: ${counted(compared, "call")} compared${problem === null ? "" : `; ${text(problem)}`}`,
    ]),
  );
}

function requirements({ requirements: all }: EvidenceDocument): string {
  return list(
    "Requirements",
    all.map(({ id, text: what, assumption, support, unmeasured, tests: ids }) => {
      const mark = support === "none" ? "✗" : "✓";
      const by = ids.length === 0 ? "no test" : ids.map(code).join(", ");
      const untried = unmeasured === undefined ? "" : `; no mutant tells whether they can fail: ${text(unmeasured)}`;
      return `${mark} ${id} ${text(what)}${assumption ? " (assumption)" : ""}: ${by}${untried}`;
    }),
  );
}

function tests({ tests: all, suite }: EvidenceDocument): string {
  if (!suite) return "";
  const counts = (run: NonNullable<typeof suite>["before"]) =>
    run ? `${run.passed} passed, ${run.red} red, ${run.skipped} skipped (${run.ending})` : "nothing to run";
  const head = `Command: ${code(suite.command)}\n\n- before: ${counts(suite.before)}\n- after: ${counts(suite.after)}`;
  const telling = all.filter(({ role }) => role !== "held" && role !== "still-red");
  const held = all.filter(({ role }) => role === "held").length;
  const shown = telling.slice(0, MOST_TESTS).map(testLine);
  const more = telling.length > MOST_TESTS ? [`- and ${telling.length - MOST_TESTS} more`] : [];
  const rest = held > 0 ? [`- ${held} held: green before and now`] : [];
  return section("Tests", [head, [...shown, ...more, ...rest].join("\n")].filter((part) => part !== "").join("\n\n"));
}

function testLine({ id, role, before, after, onOldCode, oldOnNewCode, origin, spent, message }: EvidenceTest): string {
  const more = [
    `${before} → ${after}`,
    ...(onOldCode === undefined ? [] : [`on the old code: ${onOldCode}`]),
    ...(oldOnNewCode === undefined ? [] : [`its old version now: ${oldOnNewCode}`]),
    ...(origin === "held-out" || origin === "visible" ? [origin] : []),
    ...(spent ? ["spent"] : []),
  ];
  const why = message === undefined ? "" : `\n\n${indent(message)}\n`;
  return `- ${code(id)} **${role}** (${more.join("; ")})${why}`;
}

function accept({ accept: all }: EvidenceDocument): string {
  return list(
    "Accepted commands",
    all.map(({ command, before, after, asBefore, edited = [] }) => {
      const old = asBefore
        ? `, with ${edited.map(code).join(", ")} as before: ${asBefore.passed ? "passed" : asBefore.ending}`
        : "";
      const was = before ? `before: ${before.passed ? "passed" : before.ending}, ` : "";
      return `${after.passed ? "✓" : "✗"} ${code(`$ ${command}`)} (${was}now: ${after.passed ? "passed" : after.ending}${old})`;
    }),
  );
}

function speed({ speed: reports = [] }: EvidenceDocument): string {
  return list(
    "Speed, before and after the change in turn",
    reports.flatMap((report) => {
      const { requirement, verdict, asked, benchmark, pairs } = report;
      const wanted = asked === null ? "" : `, asked for: ${asked} ×`;
      const by = benchmark === null ? "" : ` (${code(benchmark)}${wanted})`;
      const runs = pairs.map(({ beforeMs, afterMs, size }) => `${beforeMs}/${afterMs} (${size})`).join(", ");
      return [
        `${verdict === "faster" ? "✓" : "✗"} ${requirement} ${text(describeSpeed(report))}${by}`,
        ...(pairs.length > 0 ? [`${requirement}, milliseconds before/after (size): ${runs}`] : []),
      ];
    }),
  );
}

function integrity({ integrity: all }: EvidenceDocument): string {
  return list(
    "Integrity of the tests",
    all.map(({ weight, code: what, path, test, message }) => {
      const where = test ?? path;
      const loud = weight === "tampering" ? "**tampering** " : "";
      return `${loud}${what}: ${where === undefined ? "" : `${code(where)} `}${text(message)}`;
    }),
  );
}

function coverage({ coverage: report }: EvidenceDocument): string {
  if (!report) return "";
  const share =
    report.share === null ? [] : [`${Math.floor(report.share * 100)} % of the changed lines are run by a test`];
  const files = report.files.flatMap((file) => {
    if (!file.available) return [`${code(file.path)}: not known (${text(file.reason)})`];
    return file.uncovered.length > 0 ? [`${code(file.path)}: no test runs ${describeLines(file.uncovered)}`] : [];
  });
  return list("Coverage of the changed lines", [...share, ...files]);
}

function mutants({ mutants: report }: EvidenceDocument): string {
  if (!report) return "";
  const { notRun, skipped } = report.counts;
  const score = report.score === null ? "too few for a score" : `score ${report.score.toFixed(2)}`;
  const head = `${describeNoticed(report)}; ${notRun} not tried, ${skipped} skipped; ${score}; took ${report.ratio.toFixed(1)} × one run of the tests`;
  const left = survivors(report).slice(0, MOST_ITEMS);
  const problem = report.problem === null ? [] : [`no kill counts: ${text(report.problem)}`];
  return list("Mutants of the changed lines", [
    head,
    ...problem,
    ...left.map(({ path, line, description }) => `not noticed: ${code(`${path}:${line}`)} ${text(description)}`),
  ]);
}

function sharpened({ sharpened: report }: EvidenceDocument): string {
  if (!report) return "";
  return list("Sharper tests, which support no requirement", [
    ...(report.why === "" ? [] : [text(`none: ${report.why}`)]),
    ...report.tests.map(({ id, requirement, end, noticed, reason }) => {
      const more = noticed.length > 0 ? `notices ${noticed.join("; ")}` : reason;
      return `${code(id)} **${end}** (${requirement})${more === "" ? "" : `: ${text(more)}`}`;
    }),
  ]);
}

function flakes({ flakes: report }: EvidenceDocument): string {
  if (!report) return "";
  return list("Flakes", [
    ...report.quarantined.map((id) => `${code(id)} flips without the change: it counts for nothing`),
    ...report.flipped.map(({ id, outcomes }) => `${code(id)} flips since the change: ${outcomes.join(", ")}`),
    ...(report.repeats.length > 0
      ? [
          `${counted(report.repeated.length, "test")} repeated ${times(report.repeats.length)}, with another order, seed and hour`,
        ]
      : []),
    ...report.notVaried.map(text),
  ]);
}

function checks({ checks: all = [] }: EvidenceDocument): string {
  const lines = all.flatMap(({ command, passed, fresh }) => [
    `${passed ? "✓" : "✗"} ${code(command)}`,
    ...fresh.slice(0, MOST_ITEMS).map((line) => text(`new: ${line}`)),
  ]);
  return list("Lint and type check of the project", lines);
}

function scans({ scans: findings }: EvidenceDocument): string {
  return list(
    "Findings of the scan that are new",
    findings?.length === 0
      ? ["none: code, known weaknesses and secrets were looked for"]
      : (findings ?? [])
          .slice(0, MOST_ITEMS)
          .map(
            ({ path, line, rule, severity, message }) =>
              `${severity} ${code(`${path}:${line}`)} ${rule}: ${text(message)}`,
          ),
  );
}

function people({ approvals, disputes, replaced = [], amended = [] }: EvidenceDocument): string {
  const said = amended.map((amendment) => text(describeAmendment(amendment)));
  const asked = approvals.map(({ request, answer }) => {
    const said = answer
      ? `${howAnswered(request.subject, answer)} by ${answer.by}${answer.reason === "" ? "" : `: ${answer.reason}`}`
      : "not answered";
    return `${text(request.question)}: ${text(said)}`;
  });
  const ruled = disputes.map(({ test, ruling, reason, quote }) => {
    const words = quote === undefined ? "" : ` (“${quote}”)`;
    return `${code(test)} ${ruling}: ${text(reason + words)}`;
  });
  const anew = replaced.map(({ test, requirements, cause, why, quote, by }) => {
    const words = quote === undefined ? "" : ` (“${quote}”)`;
    const instead = by.map(code).join(", ");
    return `${code(test)} of ${requirements.join(", ")}, ${cause.replace("_", " ")}: ${text(why + words)}; now ${instead}`;
  });
  return [
    list("Amended on the way", said),
    list("Approvals", asked),
    list("Disputes", ruled),
    list("Tests that were replaced", anew),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function reviews({ reviews: all = [] }: EvidenceDocument): string {
  const lines = all.flatMap(({ role, todo, ruling, findings }) => [
    text(`${role}${todo === undefined ? "" : ` of ${todo}`}: ${ruling}`),
    ...findings.map((finding) => text(describeFinding(finding))),
  ]);
  return list("Read by another model", lines);
}

function change({ change: { files } }: EvidenceDocument): string {
  const shown = files
    .slice(0, MOST_ITEMS)
    .map(({ path, change: how, part }) => `${how} ${code(path)}${part === undefined ? "" : ` (${part})`}`);
  const more = files.length - shown.length;
  return list("Changed files", [...shown, ...(more > 0 ? [`and ${more} more`] : [])]);
}

function environment({ versions, sandbox, hashes, models, sameModel, cost }: EvidenceDocument): string {
  const tools = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const roles = Object.entries(models).map(([role, names]) => `${role}: ${names.join(", ")}`);
  return list("Environment and hashes", [
    ...tools.map(text),
    text(`sandbox ${sandbox}`),
    ...roles.map(text),
    ...(sameModel === true
      ? ["tester and coder were the same model: both may have misread the goal in the same way"]
      : []),
    ...(cost ? [`${counted(cost.calls, "model call")}, ${cost.tokens} tokens, ${priceText(cost.micros)}`] : []),
    ...(hashes.baseTree ? [`base tree ${hashes.baseTree}`] : []),
    ...(hashes.resultTree ? [`result tree ${hashes.resultTree}`] : []),
    ...hashes.journal.map(({ strand, head }) => `journal ${strand} ${head}`),
    `${counted(hashes.tests.length, "test file")} by hash in evidence.json`,
  ]);
}

const counted = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
const times = (number: number): string => (number === 1 ? "once" : number === 2 ? "twice" : `${number} times`);
const priceText = (micros: number | null): string =>
  micros === null ? "no price" : micros === 0 ? "free" : `$${(micros / 1e6).toFixed(4)}`;

const section = (title: string, body: string): string => `## ${title}\n\n${body}`;

const list = (title: string, items: string[]): string =>
  items.length === 0 ? "" : section(title, items.map((item) => `- ${item}`).join("\n"));
