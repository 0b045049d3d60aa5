import { z } from "zod";
import { Severity } from "../../domain/finding.ts";

/** Which argument: its place, its name, or both (`[1, Loader]`); `any` is each of them. */
const Selector = z.union([z.int().nonnegative(), z.string(), z.array(z.union([z.int().nonnegative(), z.string()]))]);

export const Condition = z.strictObject({
  argument: Selector,
  is: z
    .enum([
      "given",
      "missing",
      "literal", // a text or number written down
      "not-literal", // put together, or not known
      "built", // a text with parts that are not known
      "unknown",
      "true",
      "disguised-true", // `1` or a text, where one writes `True`
      "false",
      "none",
    ])
    .optional(),
  matches: z.string().optional().describe("a regular expression; of a list its items with blanks between"),
  names: z.array(z.string()).optional().describe("a name it resolves to, as in `names` of a rule"),
});
export type Condition = z.infer<typeof Condition>;

/** How grave a finding is, and whether anything runs before it is gone. */
const Weight = z.strictObject({ severity: Severity.optional(), blocking: z.boolean().optional() });

const Explained = {
  id: z.string().regex(/^[a-z]+(\.[a-z0-9-]+)+$/, "expected a dotted name in small letters, such as python.eval"),
  severity: Severity,
  blocking: z.boolean(),
  message: z.string(),
  instead: z.string(),
  cwe: z
    .string()
    .regex(/^CWE-\d+$/, "expected CWE- and a number")
    .optional(),
  tests: z
    .union([z.literal("ignore"), Weight])
    .optional()
    .describe("how it counts in a test file"),
};

const UseKinds = z.enum(["call", "mention", "import", "assign", "define", "assembled", "text", "comment"]);

/** One thing that code should not do. */
export const CodeRule = z.strictObject({
  ...Explained,
  on: z.array(UseKinds).min(1),
  names: z
    .array(z.string())
    .optional()
    .describe("`os.system`; `*.execute`: of whatever object; `os.*`: what is in it; `os.**`: at any depth"),
  notNames: z.array(z.string()).optional().describe("what `names` does not mean"),
  matches: z.string().optional().describe("for texts and comments: a regular expression"),
  hidden: z.boolean().optional().describe("only where the name is reached by reflection or an assembled text"),
  when: z.array(Condition).optional().describe("all of these"),
  unless: z.array(Condition).optional().describe("none of these"),
  paths: z.array(z.string()).optional().describe("only in files that match one of these globs"),
});
export type CodeRule = z.infer<typeof CodeRule>;

/** A word that is dangerous wherever it stands in a text that could not be parsed. */
const Lexical = z.strictObject({ ...Explained, words: z.string().describe("a regular expression") });

export const CodeRules = z.strictObject({ rules: z.array(CodeRule), broken: Lexical });
export type CodeRules = z.infer<typeof CodeRules>;

const FileRule = z.strictObject({
  ...Explained,
  paths: z.array(z.string()).optional(),
  matches: z.string().optional().describe("a regular expression over the whole text"),
});

export const FileRules = z.strictObject({ rules: z.array(FileRule) });
export type FileRules = z.infer<typeof FileRules>;

export type ExplainedRule = Pick<CodeRule, keyof typeof Explained>;
