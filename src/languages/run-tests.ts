import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestReport } from "../domain/evidence/test-report.ts";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { runWithServices } from "../sandbox/services/run-with-services.ts";
import { removeTree } from "../workspace/remove-tree.ts";
import type { Language, SourceFile, TestRunOptions, Toolchain } from "./language.ts";
import { normaliseOutput } from "./normalise.ts";
import { readReport } from "./read-report.ts";

export interface TestRequest {
  language: Language;
  sandbox: Sandbox;
  limits: SandboxLimits;
  workspace: string;
  toolchain: Toolchain;
  /** Empty: the whole suite. */
  files: string[];
  signal: AbortSignal;
  options?: TestRunOptions;
  /** Written into the workspace from inside before the tests begin, because code that ran there may have left links. */
  place?: SourceFile;
}

/** Runs tests in the sandbox and returns the outcome of each. Leaves no report file behind. */
export async function runTests(request: TestRequest): Promise<TestReport> {
  const { language, sandbox, limits, workspace, toolchain, files, signal, place } = request;
  const run = language.testRun(files, toolchain, request.options);
  const reportFile = join(workspace, run.reportFile);
  const removeReport = () => removeTree(reportFile);
  removeReport();
  try {
    const { mounts, path } = toolchain;
    const env = { ...toolchain.env, ...toolchain.needs?.env, ...run.env };
    const command = { argv: run.argv, workspace, mounts, path, env, ...(place && placing(place, run.argv)) };
    const result = await runWithServices(sandbox, command, toolchain.needs?.services ?? [], limits, signal);
    openUp(workspace);
    return normaliseReport(language.parseReport(readReport(reportFile), result, run), workspace);
  } finally {
    removeReport();
  }
}

/** Code that ran there may have removed our permissions on the directory. It is still ours. */
function openUp(workspace: string): void {
  const { mode } = statSync(workspace);
  if ((mode & 0o700) !== 0o700) chmodSync(workspace, (mode & 0o777) | 0o700);
}

const placing = ({ path, content }: SourceFile, argv: string[]) => ({
  argv: ["sh", "-c", 'cat > "$1" || exit 1; shift; exec "$@" < /dev/null', "sh", `./${path}`, ...argv],
  stdin: content,
});

function normaliseReport(report: TestReport, workspace: string): TestReport {
  const normalise = (text: string) => normaliseOutput(text, { workspace });
  const tests = report.tests.map((test) => ({ ...test, message: normalise(test.message) }));
  return { ...report, tests, output: normalise(report.output) };
}
