import type { EvidenceDocument, EvidenceTest } from "../../domain/evidence/evidence-document.ts";

/** The tests after the change as the report that every CI server reads. */
export function renderJunit({ tests, verdict, accept }: EvidenceDocument): string {
  const ran = tests.filter(({ after }) => after !== "absent");
  const files = Map.groupBy(ran, ({ id }) => fileOf(id));
  const suites = [...files].map(([file, own]) => suite(file, own));
  if (accept.length > 0) suites.push(acceptSuite(accept));
  const open = `<testsuites name="miracle: ${xml(verdict.summary)}" tests="${ran.length + accept.length}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${open}\n${suites.join("")}</testsuites>\n`;
}

function suite(file: string, tests: EvidenceTest[]): string {
  const count = (...outcomes: string[]) => tests.filter(({ after }) => outcomes.includes(after)).length;
  const counts = `tests="${tests.length}" failures="${count("failed")}" errors="${count("error")}" skipped="${count("skipped", "xfailed")}"`;
  return `  <testsuite name="${xml(file)}" ${counts}>\n${tests.map(testcase).join("")}  </testsuite>\n`;
}

function testcase({ id, after, role, message = "", durationMs = 0 }: EvidenceTest): string {
  const open = `    <testcase classname="${xml(fileOf(id))}" name="${xml(nameOf(id))}" time="${durationMs / 1000}">`;
  const property = `<properties><property name="role" value="${role}"/></properties>`;
  const element = { failed: "failure", error: "error", skipped: "skipped", xfailed: "skipped" }[String(after)];
  const why = element === undefined ? "" : `<${element} message="${xml(message.slice(0, 300))}"/>`;
  return `${open}${property}${why}</testcase>\n`;
}

function acceptSuite(accept: EvidenceDocument["accept"]): string {
  const cases = accept.map(({ command, after }) => {
    const why = after.passed ? "" : `<failure message="${xml(after.ending)}"/>`;
    return `    <testcase classname="accept" name="${xml(`$ ${command}`)}">${why}</testcase>\n`;
  });
  const failures = accept.filter(({ after }) => !after.passed).length;
  return `  <testsuite name="accept" tests="${accept.length}" failures="${failures}">\n${cases.join("")}  </testsuite>\n`;
}

export const fileOf = (id: string): string => id.split("::")[0] ?? "";
export const nameOf = (id: string): string => id.split("::").slice(1).join("::");

/** XML knows no control characters at all. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
