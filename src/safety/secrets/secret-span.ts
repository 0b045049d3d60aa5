import type { FormRule } from "./secret-rule.ts";

/** A place in a text that holds a secret. */
export interface SecretSpan {
  rule: Omit<FormRule, "near" | "pattern">;
  from: number;
  to: number;
}
