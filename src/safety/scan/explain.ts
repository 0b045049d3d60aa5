import type { Finding } from "../../domain/finding.ts";
import type { Places } from "./places.ts";
import type { ExplainedRule } from "./rule.ts";

/** A rule and a place make a finding; in a test some count less, or not at all. */
export function explain(
  rule: ExplainedRule,
  { path, places, isTest }: { path: string; places: Places; isTest: boolean },
  { from, to }: { from: number; to: number },
): Finding | null {
  const { tests } = rule;
  if (isTest && tests === "ignore") return null;
  const milder = isTest && typeof tests === "object" ? tests : {};
  return {
    rule: rule.id,
    kind: "code",
    severity: milder.severity ?? rule.severity,
    path,
    ...places.of(from),
    excerpt: places.excerpt(from, to),
    message: rule.message,
    instead: rule.instead,
    blocking: milder.blocking ?? rule.blocking,
    ...(rule.cwe !== undefined && { cwe: rule.cwe }),
  };
}
