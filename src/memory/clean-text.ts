import type { Redact } from "../journal/redact.ts";
import { coverSecrets, secretSpans } from "../safety/secrets/find-secrets.ts";
import type { SecretRules } from "../safety/secrets/secret-rule.ts";

/** Makes a text safe to keep: well-formed, without secrets, limited in length. */
export type CleanText = (text: string, longest: number) => string;

/**
 * Finds known secrets by their value, others by their form. Every text must pass through here on its way into memory.
 */
export function textCleaner(redact: Redact, rules: SecretRules | null): CleanText {
  return (text, longest) => {
    const known = redact(text.slice(0, LONGEST_READ).toWellFormed().replaceAll("\0", ""));
    const content = typeof known === "string" ? known : "";
    const covered = rules === null ? content : coverSecrets(content, secretSpans({ path: "memory", content }, rules));
    return covered.length <= longest ? covered : `${covered.slice(0, longest / 2)}\n…\n${covered.slice(-longest / 2)}`;
  };
}

const LONGEST_READ = 1 << 17;
