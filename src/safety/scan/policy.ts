import type { Finding } from "../../domain/finding.ts";
import type { SafetySettings } from "../../domain/settings/safety-settings.ts";
import { matchesAny } from "../../workspace/glob.ts";

/** What a person says about our rules: `python.subprocess` by its id, `python.*` for all of a kind. */
export type ScanPolicy = NonNullable<SafetySettings["code"]>;

export const NO_POLICY: ScanPolicy = { rules: {}, allow: [] };

/** A later policy wins over an earlier one; what is allowed adds up. */
export function mergePolicies(base: ScanPolicy, over: ScanPolicy): ScanPolicy {
  const rules = { ...base.rules };
  for (const [id, weight] of Object.entries(over.rules)) rules[id] = { ...rules[id], ...weight };
  const strict = base.strict === true || over.strict === true;
  return { rules, allow: [...base.allow, ...over.allow], ...(strict && { strict }) };
}

/** The finding as the policy sees it, or null where it is allowed. */
export function weigh(finding: Finding, policy: ScanPolicy): Finding | null {
  if (!policy.strict && ONLY_STRICT.test(finding.rule)) return null;
  if (policy.allow.some(({ rule, paths }) => covers(rule, finding.rule) && matchesAny(paths, finding.path))) {
    return null;
  }
  let weighed = finding;
  // What names a whole kind goes first, so that what names the rule wins.
  const said = Object.entries(policy.rules).filter(([id]) => covers(id, finding.rule));
  for (const [, weight] of said.sort(([a], [b]) => a.length - b.length)) {
    weighed = {
      ...weighed,
      ...(weight.severity !== undefined && { severity: weight.severity }),
      ...(weight.blocking !== undefined && { blocking: weight.blocking }),
    };
  }
  return weighed;
}

/** Rules that count under `safety.code: strict` alone. */
const ONLY_STRICT = /^[a-z]+\.strict\./;

const covers = (pattern: string, rule: string): boolean =>
  pattern === rule || (pattern.endsWith("*") && rule.startsWith(pattern.slice(0, -1)));
