import { z } from "zod";
import { IntegrityFinding, NotChecked } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { type AlteredTests, alterTests, greenIn, pleased, pleasedFindings } from "./altered-tests.ts";
import { type Canary, canaryState, FORGED, makeCanary } from "./canary.ts";
import type { ProveParts } from "./prove-parts.ts";
import { Names } from "./recorded-names.ts";
import type { SuiteRunner } from "./suite-runner.ts";

interface TryRequest {
  parts: Pick<ProveParts, "artifacts" | "task" | "parsers">;
  suite: SuiteRunner;
  taken: { base: string; result: string };
  files: ChangedFile[];
  after: TestReport;
  /** Tests that run changed lines; null when nobody knows. The others meet nothing that could please them. */
  looking: ReadonlySet<string> | null;
}

export const TriedReports = z.lazy(() =>
  z.object({
    findings: z.array(IntegrityFinding),
    /** Tests that pass whatever they expect. */
    insensitive: Names,
    undone: z.array(NotChecked),
  }),
);
export type TriedReports = z.infer<typeof TriedReports>;

/** For starting: a suite of a second need not end within two. */
const GRACE_MS = 10_000;

/**
 * Whether what tests report can be believed: tests that must fail, and tests that expect other values than they did.
 * They may do anything, such as running for ever, so that they get twice the time of the suite itself.
 */
export async function tryReports(request: TryRequest): Promise<TriedReports> {
  const { parts, taken, files, after, looking } = request;
  const isCode = files.some(({ part }) => part === "source");
  const green = new Set([...greenIn(after)].filter((id) => !looking || looking.has(id)));
  const altered = isCode ? await alterTests(parts, taken.result, green) : { files: [], names: new Set<string>() };
  const canary = newCanary(request, taken.result);
  const own = [...(canary ? [canary.file] : []), ...altered.files];
  if (own.length === 0) return { ...NOTHING, undone: [withoutCanary(request)] };
  const report = await run(request, "tests that must fail, beside the changed modules", taken.result, own);
  const isTrue = canary !== null && canaryState(report, canary) === "true";
  const believed = isTrue ? NOTHING : await askCanaries(request);
  const pleasing = altered.files.length > 0 ? await judgeAltered(request, altered, report, green) : NOTHING;
  return {
    findings: [...believed.findings, ...pleasing.findings],
    insensitive: pleasing.insensitive,
    undone: [...believed.undone, ...pleasing.undone],
  };
}

const NOTHING: TriedReports = { findings: [], insensitive: new Set(), undone: [] };

async function judgeAltered(
  request: TryRequest,
  altered: AlteredTests,
  report: TestReport,
  green: ReadonlySet<string>,
): Promise<TriedReports> {
  const why = `they did not come to their end (${report.ending} after ${Math.round(report.durationMs / 1_000)} s)`;
  const undone = report.ending === "completed" ? [] : [{ check: ALTERED, why }];
  const suspects = pleased(report, altered, green);
  if (suspects.length === 0) return { ...NOTHING, undone };
  const doubted = new Set(suspects.map((id) => id.split("::")[0]));
  const own = altered.files.filter(({ path }) => doubted.has(path));
  const onOldCode = await run(request, "these on the old code", request.taken.base, own);
  return { findings: pleasedFindings(suspects, onOldCode), insensitive: new Set(suspects), undone };
}

/** Wrong twice, under different names and in different processes, and right on the base: then the change forges it. */
async function askCanaries(request: TryRequest): Promise<TriedReports> {
  const { result, base } = request.taken;
  const ask = async (tree: string) => {
    const canary = newCanary(request, tree);
    return canary && canaryState(await run(request, "a test that must fail, alone", tree, [canary.file]), canary);
  };
  const first = await ask(result);
  if (first === "true") return NOTHING;
  if (first === null) return { ...NOTHING, undone: [withoutCanary(request)] };
  const isForged = first === "forged" && (await ask(result)) === "forged" && (await ask(base)) === "true";
  if (isForged) return { ...NOTHING, findings: [FORGED] };
  const why = first === "unknown" ? "it is not reported" : "it was reported as passed, and other runs do not agree";
  return { ...NOTHING, undone: [{ check: CANARY, why }] };
}

function newCanary({ parts, suite, files, after }: TryRequest, tree: string): Canary | null {
  const read = (path: string) => parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null;
  return makeCanary(suite.toolchainFor(tree).runner, files, read, after.tests[0]?.file ?? "");
}

const withoutCanary = ({ suite, taken }: TryRequest) => ({
  check: CANARY,
  why: `no such test can be made for ${suite.toolchainFor(taken.result).runner}`,
});

const CANARY = "a test that must fail is reported as failed";
const ALTERED = "tests that expect other values are red";

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
