import type { TestReport } from "../domain/evidence/test-report.ts";
import type { SandboxLimits } from "../domain/settings/settings.ts";

/** A change may make a suite slower, but not by more than this factor. Beyond it something hangs. */
const SLOWER = 3;

/** Before any change nobody knows how long the suite takes. It may take longer than a command. */
const UNKNOWN = 6;

/**
 * How long a suite may run: three times what it took before the change, and at least as long as any command. A pure function of
 * what is recorded, so a replay comes to the same.
 */
export function suiteLimits(limits: SandboxLimits, baseline: TestReport | null): SandboxLimits {
  const slower = Math.ceil(SLOWER * (baseline?.durationMs ?? 0));
  return { ...limits, timeoutMs: Math.max(limits.timeoutMs, slower) };
}

/** The limits of the baseline itself. */
export function baselineLimits(limits: SandboxLimits): SandboxLimits {
  return { ...limits, timeoutMs: UNKNOWN * limits.timeoutMs };
}
