import { z } from "zod";
import { Severity } from "../../domain/finding.ts";

const Explained = {
  id: z.string().regex(/^secret(\.[a-z0-9-]+)+$/, "expected secret. and a name in small letters"),
  severity: Severity,
  blocking: z.boolean(),
  what: z.string().describe("the kind of secret, shown instead of it"),
  message: z.string(),
  instead: z.string(),
  cwe: z.string().optional(),
  tests: z.strictObject({ severity: Severity.optional(), blocking: z.boolean().optional() }).optional(),
};

/** A secret that is known by its form. */
const FormRule = z.strictObject({
  ...Explained,
  near: z.array(z.string()).min(1).describe("the text holds one of these, or the pattern is not tried"),
  pattern: z.string().describe("a regular expression with bounded repetitions; its first group is the secret"),
});

export const SecretRules = z.strictObject({
  forms: z.array(FormRule),
  assignment: z.strictObject({ ...Explained, names: z.string(), notNames: z.string() }),
  entropy: z.strictObject({ ...Explained, bits: z.number(), shortest: z.int(), longest: z.int() }),
  placeholders: z.array(z.string()).describe("what a secret never looks like"),
  readable: z.array(z.string()).describe("words of passwords that people make up: more than these makes a real one"),
  notIn: z.array(z.string()).describe("files full of hashes: high entropy means nothing there"),
});
export type SecretRules = z.infer<typeof SecretRules>;
export type FormRule = z.infer<typeof FormRule>;
