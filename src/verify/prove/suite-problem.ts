import { executed, isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";

/**
 * Why the tests do not run here at all, whatever the change does; null where some of them do, or where the base has none.
 * The first thing to be said: everything else would speak of lines that no test runs.
 */
export function suiteProblem(before: TestReport | null, after: TestReport | null): string | null {
  if (!before || !after || runsAnything(before) || runsAnything(after)) return null;
  const why = reasonOf(before) ?? reasonOf(after);
  return why === null ? null : `the tests do not run here: ${why}`;
}

/** Whether any test came to an outcome of its own: one that fails by its assertion did run. */
function runsAnything(report: TestReport): boolean {
  return report.tests.some((test) => test.outcome === "passed" || test.outcome === "xfailed" || ranAndFailed(test));
}

const ranAndFailed = (test: TestCase): boolean =>
  isRed(test) && test.outcome === "failed" && !isWholeFile(test) && !ABSENT.some(({ says }) => says.test(test.message));

/** A script is judged by its exit code: why it fails is not known. */
const isWholeFile = ({ name, file }: TestCase): boolean =>
  /^(file|collection|run)$/.test(name) || name.endsWith("::collection") || file === "package.json";

/** Something that is not there, and what a person can do about it. */
const ABSENT: { says: RegExp; remedy: (name: string) => string }[] = [
  {
    says: /ModuleNotFoundError: No module named ['"]([\w.]+)['"]/,
    remedy: (name) => `pip install ${name.split(".")[0]}`,
  },
  { says: /ImportError: [^\n]*/, remedy: () => "" },
  { says: /Cannot find (?:module|package) ['"]((?:@[\w.-]+\/)?\w[\w.-]*)['"/]/, remedy: () => "npm install" },
  { says: /Cannot find module ['"]([^'"]+)['"]/, remedy: () => "it may have to be built first" },
  { says: /(?:sh|bash): (?:line \d+: )?([\w.-]+): (?:command )?not found/, remedy: () => "npm install" },
  {
    says: /fixture ['"](\w+)['"] not found/,
    remedy: (name) => `a plugin of pytest that has \`${name}\` is not installed`,
  },
];

/** Tests that are red on both sides because something is not there: they say nothing of the change. Null: there are none. */
export function absentBefore(before: TestReport | null, after: TestReport | null): string | null {
  const red = new Set(after?.tests.filter(isRed).map(({ id }) => id));
  const reasons = (before?.tests ?? []).flatMap((test) =>
    isRed(test) && red.has(test.id) ? (absentIn(test.message) ?? []) : [],
  );
  const [first] = reasons;
  if (first === undefined) return null;
  const others = reasons.every((reason) => reason === first) ? "" : ", and others like it";
  return `${reasons.length} red, as before, because something is not there: ${first}${others}`;
}

/** What is not there, with what a person can do about it. */
function absentIn(text: string): string | null {
  for (const { says, remedy } of ABSENT) {
    const found = says.exec(text);
    if (!found) continue;
    const advice = remedy(found[1] ?? "");
    return `${found[0].trim()}${advice === "" ? "" : ` (${advice})`}`;
  }
  return null;
}

function reasonOf(report: TestReport): string | null {
  if (report.ending === "timeout") return "they do not come to their end in the time they have";
  const texts = [...report.tests.filter(isRed).map(({ message }) => message), report.output];
  for (const text of texts) {
    const absent = absentIn(text);
    if (absent !== null) return absent;
  }
  if (report.ending !== "completed" && executed(report) === 0)
    return lastLine(report.output) ?? "their runner breaks off";
  return report.tests.some(isRed) ? lastLine(texts[0] ?? "") : null;
}

function lastLine(text: string): string | null {
  const lines = text.split("\n").map((line) => line.replace(/^E\s+/, "").trim());
  return (
    lines.findLast((line) => /\b\w*(Error|Exception)\b/.test(line)) ?? lines.findLast((line) => line !== "") ?? null
  );
}
