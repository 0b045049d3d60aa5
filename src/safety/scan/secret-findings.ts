import type { Finding } from "../../domain/finding.ts";
import type { SecretSpan } from "../secrets/secret-span.ts";
import { Places } from "./places.ts";
import type { ScannedFile } from "./scanned-file.ts";

/** The excerpt tells the kind and the length, never the secret. */
export function secretFindings(file: ScannedFile, spans: readonly SecretSpan[], isTest: boolean): Finding[] {
  const places = new Places(file);
  return spans.map(({ rule, from, to }): Finding => {
    const milder = isTest ? rule.tests : undefined;
    return {
      rule: rule.id,
      kind: "secret",
      severity: milder?.severity ?? rule.severity,
      path: file.path,
      ...places.of(from),
      excerpt: `${rule.what}, ${to - from} characters`,
      message: rule.message,
      instead: rule.instead,
      blocking: milder?.blocking ?? rule.blocking,
      ...(rule.cwe !== undefined && { cwe: rule.cwe }),
    };
  });
}
