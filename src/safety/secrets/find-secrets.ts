import { grammarOf } from "../../syntax/parse.ts";
import { matchesAny } from "../../workspace/glob.ts";
import { findAssigned } from "./assigned.ts";
import { findRandom } from "./entropy.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { SecretRules } from "./secret-rule.ts";
import type { SecretSpan } from "./secret-span.ts";

const LONGEST_TEXT = 1 << 20;

/** The same text with every secret covered, place for place. */
export function coverSecrets(content: string, spans: readonly SecretSpan[]): string {
  let covered = "";
  let at = 0;
  for (const { from, to } of spans) {
    covered += content.slice(at, from) + "*".repeat(to - from);
    at = to;
  }
  return covered + content.slice(at);
}

/** In order, without overlap; what is known by its form goes before what only looks random. */
export function secretSpans({ path, content }: { path: string; content: string }, rules: SecretRules): SecretSpan[] {
  const text = content.slice(0, LONGEST_TEXT);
  const found: SecretSpan[] = [];
  const add = (span: SecretSpan) => {
    if (span.to <= span.from || found.some(({ from, to }) => span.from < to && from < span.to)) return;
    found.push(span);
  };
  for (const rule of rules.forms) {
    if (!rule.near.some((word) => text.includes(word))) continue;
    for (const match of text.matchAll(new RegExp(rule.pattern, "g"))) {
      const secret = match[1] ?? match[0];
      const from = match.index + match[0].indexOf(secret);
      if (!isPlaceholder(secret, rules)) add({ rule, from, to: from + secret.length });
    }
  }
  for (const span of findAssigned(text, rules, grammarOf(path) !== null)) add(span);
  if (!matchesAny(rules.notIn, path)) for (const span of findRandom(text, rules)) add(span);
  return found.sort((a, b) => a.from - b.from);
}
