import type { EvidenceDocument, IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { alterTests, greenIn, pleased, pleasedFindings } from "./altered-tests.ts";
import { canaryState, FORGED, makeCanary } from "./canary.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";

interface TryRequest {
  parts: Pick<ProveParts, "artifacts" | "task" | "parsers">;
  suite: SuiteRunner;
  taken: { base: string; result: string };
  files: ChangedFile[];
  after: TestReport;
}

interface TriedReports {
  findings: IntegrityFinding[];
  /** Tests that pass whatever they expect. */
  insensitive: ReadonlySet<string>;
  undone: EvidenceDocument["notChecked"];
}

/** For starting: a suite of a second need not end within two. */
const GRACE_MS = 10_000;

/**
 * Whether what tests report can be believed: tests that must fail, and tests that expect other values than they did.
 * They may do anything, such as running for ever, so that they get twice the time of the suite itself.
 */
export async function tryReports(request: TryRequest): Promise<TriedReports> {
  const altered = await tryAltered(request);
  const canary = await tryCanary(request);
  return {
    findings: [...canary.findings, ...altered.findings],
    insensitive: altered.insensitive,
    undone: [...canary.undone, ...altered.undone],
  };
}

async function tryAltered(request: TryRequest): Promise<TriedReports> {
  const { parts, taken, files, after } = request;
  const nothing: TriedReports = { findings: [], insensitive: new Set(), undone: [] };
  if (!files.some(({ part }) => part === "source")) return nothing;
  const green = greenIn(after);
  const altered = await alterTests(parts, taken.result, green);
  if (altered.files.length === 0) return nothing;
  const report = await run(request, "tests that expect other values", taken.result, altered.files);
  const late = report.ending === "completed" ? [] : [undone(ALTERED, report)];
  const suspects = pleased(report, altered, green);
  if (suspects.length === 0) return { ...nothing, undone: late };
  const doubted = new Set(suspects.map((id) => id.split("::")[0]));
  const own = altered.files.filter(({ path }) => doubted.has(path));
  const onOldCode = await run(request, "these on the old code", taken.base, own);
  return { findings: pleasedFindings(suspects, onOldCode), insensitive: new Set(suspects), undone: late };
}

/** Wrong twice, under different names and in different processes, and right on the base: then the change forges it. */
async function tryCanary(request: TryRequest): Promise<TriedReports> {
  const { parts, suite, taken, files, after } = request;
  const nothing = { findings: [], insensitive: new Set<string>() };
  const { runner } = suite.toolchainFor(taken.result);
  const read = (tree: string) => (path: string) => parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null;
  const ask = async (what: string, tree: string) => {
    const canary = makeCanary(runner, files, read(tree), after.tests[0]?.file ?? "");
    return canary && canaryState(await run(request, what, tree, [canary.file]), canary);
  };
  const first = await ask("a test that must fail, beside the changed modules", taken.result);
  if (first === "true") return { ...nothing, undone: [] };
  if (first === null) return { ...nothing, undone: [{ check: CANARY, why: `none can be made for ${runner}` }] };
  const second = await ask("another one", taken.result);
  if (second === "true" && first === "unknown") return { ...nothing, undone: [] };
  const base = first === "forged" && second === "forged" ? await ask("another one on the base", taken.base) : null;
  if (base === "true") return { ...nothing, findings: [FORGED], undone: [] };
  const why = first === "unknown" ? "it is not reported" : "it was reported as passed, and other runs do not agree";
  return { ...nothing, undone: [{ check: CANARY, why }] };
}

const CANARY = "a test that must fail is reported as failed";
const ALTERED = "tests that expect other values are red";

const undone = (check: string, { ending, durationMs }: TestReport) => ({
  check,
  why: `they did not come to their end (${ending} after ${Math.round(durationMs / 1_000)} s)`,
});

function run(
  { parts, suite, after }: TryRequest,
  what: string,
  tree: string,
  own: { path: string; content: string }[],
): Promise<TestReport> {
  const { artifacts, task } = parts;
  const paths = own.map(({ path }) => path);
  const timeoutMs = Math.ceil(2 * after.durationMs + GRACE_MS);
  return suite.runFiles(what, artifacts.overlay(task, tree, own), paths, { timeoutMs, meantToFail: true });
}
