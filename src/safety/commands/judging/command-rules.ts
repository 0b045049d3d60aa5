import { z } from "zod";
import { ApprovalSubject } from "../../../domain/approval.ts";
import type { SafetySettings } from "../../../domain/settings/safety-settings.ts";
import type { DependencyRules } from "../../dependencies/dependency-rules.ts";

/** The rules that code finds rather than a list of words; each must have its text in the file. */
const FOUND_BY_CODE = [
  "line.too-long",
  "line.unreadable",
  "line.too-complex",
  "name.unresolved",
  "name.loader",
  "shadow.name",
  "run.unresolved",
  "run.from-input",
  "run.written",
  "run.code",
  "run.program",
  "variable.loader",
  "variable.path",
  "variable.program",
  "delete.root",
  "delete.outside",
  "delete.unresolved",
  "delete.guarded",
  "write.outside",
  "write.unresolved",
  "write.guarded",
  "write.privileged",
  "bomb.fork",
  "bomb.disk",
  "process.kill-all",
  "network.device",
  "network.request",
  "secret.read",
  "git.config",
  "git.exec",
  "install.unlisted",
  "install.version",
  "install.typo",
  "install.direct",
  "install.registry",
  "install.scripts",
  "install.manifest",
  "install.unresolved",
  "install.manager",
  "user.deny",
  "user.ask",
] as const;
export type RuleFoundByCode = (typeof FOUND_BY_CODE)[number];

const Rule = z.strictObject({
  decision: z.enum(["ask", "deny"]),
  subject: ApprovalSubject.default("command"),
  /** Words that a call must have: the program, then words in their order; options may stand anywhere. */
  commands: z.array(z.string().regex(/\S/)).default([]),
  message: z.string().min(1),
  instead: z.string().min(1),
});
type Rule = z.infer<typeof Rule>;

const absolute = z.string().regex(/^\//, "expected an absolute path");

export const CommandRulesFile = z.strictObject({
  maxLength: z.int().positive().max(100_000),
  workspace: absolute,
  writable: z.array(absolute),
  devices: z.array(absolute),
  guarded: z.array(z.string()),
  secrets: z.array(z.string()),
  pathTails: z.array(z.string()),
  harmlessPrograms: z.array(z.string()),
  variables: z.record(
    z.enum(["variable.loader", "variable.program", "install.registry", "install.scripts"]),
    z.array(z.string()),
  ),
  rules: z.record(z.string(), Rule).superRefine((rules, context) => {
    for (const rule of FOUND_BY_CODE) {
      if (!Object.hasOwn(rules, rule))
        context.addIssue({ code: "custom", path: [rule], message: "this rule is missing" });
    }
  }),
  allow: z.array(z.string()).default([]),
  ask: z.array(z.string()).default([]),
  deny: z.array(z.string()).default([]),
});

/** Everything a judgement depends on. */
export interface CommandRules extends z.infer<typeof CommandRulesFile> {
  dependencies: DependencyRules;
}

/** What a user adds; every key is optional. `decisions` are others for rules: `git.push: ask`; `allow` switches one off. */
export type CommandPolicy = Partial<NonNullable<SafetySettings["commands"]>>;

/**
 * The user's lists over the shipped ones. A line that cannot be read and a name that cannot be told stay refused: no
 * list of words could say what they would allow.
 */
export function mergeCommandPolicy(rules: CommandRules, policy: CommandPolicy): CommandRules {
  const changed: Record<string, Rule> = {};
  for (const [name, rule] of Object.entries(rules.rules)) {
    const decision = policy.decisions?.[name];
    const isFixed = name.startsWith("line.") || name.startsWith("name.");
    if (decision === "allow" && !isFixed) continue;
    changed[name] = decision === undefined || decision === "allow" || isFixed ? rule : { ...rule, decision };
  }
  return {
    ...rules,
    rules: changed,
    writable: [...rules.writable, ...(policy.writable ?? [])],
    allow: [...rules.allow, ...(policy.allow ?? [])],
    ask: [...rules.ask, ...(policy.ask ?? [])],
    deny: [...rules.deny, ...(policy.deny ?? [])],
  };
}
