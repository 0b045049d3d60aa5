import { z } from "zod";
import { ApprovalSubject } from "../approval.ts";
import { Severity } from "../finding.ts";
import { Role } from "../message.ts";
import { AlwaysRule } from "./always-rule.ts";

/** Globs of a workspace; `!glob` denies and wins; none: everything. */
export const FileScope = z.object({ read: z.array(z.string()), write: z.array(z.string()) });
export type FileScope = z.infer<typeof FileScope>;

const Listed = z.enum(["python", "javascript", "go"]);

/** What becomes of a question when nobody is there and no policy answers it. */
export const Unanswered = z.enum(["deny", "wait"]);
export type Unanswered = z.infer<typeof Unanswered>;

/** The person's own policy over the shipped rules, frozen with the task. */
export const SafetySettings = z.lazy(() =>
  z.object({
    /** Subjects that are allowed without asking. */
    approve: z.array(ApprovalSubject),
    always: z.array(AlwaysRule).optional(),
    unanswered: Unanswered,
    /** New blocking findings in code: refused, so that the coder mends them, or put to the person. */
    findings: z.enum(["refuse", "ask"]),
    /** Of the code scan: how grave a rule is here, and where it does not count. */
    code: z
      .object({
        rules: z.record(z.string(), z.object({ severity: Severity.optional(), blocking: z.boolean().optional() })),
        allow: z.array(z.object({ rule: z.string(), paths: z.array(z.string()) })),
        /** Also the rules that forbid what has its uses: imports of os and subprocess, compile, shells. */
        strict: z.boolean().optional(),
      })
      .optional(),
    /** Of commands: words that a call has, and other decisions for rules. */
    commands: z
      .object({
        allow: z.array(z.string()),
        ask: z.array(z.string()),
        deny: z.array(z.string()),
        decisions: z.record(z.string(), z.enum(["allow", "ask", "deny"])),
        writable: z.array(z.string()),
      })
      .optional(),
    /** Hosts that every command may reach: `host`, `*.suffix`, each with an optional `:port`. */
    network: z.array(z.string()),
    /** Hosts that installs of a language need; only these, and only while one runs. */
    registries: z.partialRecord(Listed, z.array(z.string())).optional(),
    /** Packages that need no question, with their versions; null takes a shipped one off the list. */
    dependencies: z.partialRecord(Listed, z.record(z.string(), z.string().nullable())).optional(),
    scopes: z.object({
      roles: z.partialRecord(Role, FileScope),
      /** By the todo's id. */
      todos: z.record(z.string(), FileScope),
    }),
  }),
);
export type SafetySettings = z.infer<typeof SafetySettings>;

/** Where a task has no policy: the strictest. */
export const strictSafety: SafetySettings = {
  approve: [],
  unanswered: "deny",
  findings: "refuse",
  network: [],
  scopes: { roles: {}, todos: {} },
};

/** A program of the person's that is asked before or after a tool call. */
export const Hook = z.lazy(() =>
  z.object({
    when: z.enum(["before", "after"]),
    /** Names of tools; none: all of them. */
    tools: z.array(z.string()),
    /** Program and arguments; no shell. */
    command: z.array(z.string()).min(1),
    timeoutMs: z.int().positive(),
  }),
);
export type Hook = z.infer<typeof Hook>;
