import type { EvidenceDocument, EvidenceOutcome } from "../../domain/evidence/evidence-document.ts";
import { fileOf, nameOf } from "./junit.ts";

const STATUS: Partial<Record<EvidenceOutcome, "passed" | "failed" | "skipped">> = {
  passed: "passed",
  failed: "failed",
  error: "failed",
  skipped: "skipped",
  xfailed: "skipped",
};

/** The same in the Common Test Report Format (ctrf.io), for programs that summarise tests. */
export function renderCtrf({ tests, suite, at, versions }: EvidenceDocument): string {
  const cases = tests.flatMap(({ id, after, role, durationMs = 0, message }) => {
    const status = STATUS[after];
    if (status === undefined) return [];
    const flaky = role === "flaky" ? { flaky: true } : {};
    const why = message === undefined ? {} : { message };
    return [{ name: nameOf(id), suite: [fileOf(id)], status, duration: durationMs, ...flaky, ...why, extra: { role } }];
  });
  const count = (status: string) => cases.filter((one) => one.status === status).length;
  const summary = {
    tests: cases.length,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    pending: 0,
    other: 0,
    start: at - (suite?.after?.durationMs ?? 0),
    stop: at,
  };
  const tool = { name: suite?.command ?? "none", version: versions.miracle ?? "" };
  const report = { reportFormat: "CTRF", specVersion: "0.0.0", results: { tool, summary, tests: cases } };
  return `${JSON.stringify(report, null, 2)}\n`;
}
