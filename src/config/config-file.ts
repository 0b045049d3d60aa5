import { z } from "zod";
import { ApprovalSubject } from "../domain/approval.ts";
import { Severity } from "../domain/finding.ts";
import { MemoryScope } from "../domain/memory/memory-record.ts";
import { ModelParameters, Role } from "../domain/message.ts";
import { AlwaysRule } from "../domain/settings/always-rule.ts";
import { Unanswered } from "../domain/settings/safety-settings.ts";
import {
  Clarify,
  Effort,
  Limits,
  ModelName,
  Price,
  Provider,
  SandboxBackend,
  SandboxLimits,
} from "../domain/settings/settings.ts";
import { parseDuration } from "./duration.ts";

const age = z.string().regex(/^\d+(\.\d+)?(d|h|m|s|ms)$/, "expected an age like 90d or 12h");

const Duration = z
  .string("expected a duration like 90s, 10m or 2h")
  .refine((text) => parseDuration(text) !== undefined, "expected a duration like 90s, 10m or 2h")
  .meta({ pattern: "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$" });

const limits = Limits.shape;
const sandboxLimits = SandboxLimits.shape;
const parameters = ModelParameters.partial().strict();
const rates = Price.shape.longContext.unwrap().strict();

const scope = z.strictObject({ read: z.array(z.string()), write: z.array(z.string()) }).partial();

const Listed = z.enum(["python", "javascript", "go"]);

const Host = z
  .string()
  .regex(/^(\*\.)?[^\s/*:]+(:\d{1,5})?$/, "expected a host like example.org, *.example.org or example.org:8443");

/** A hook's path must not depend on the working directory: otherwise a repository could replace the program. */
const Program = z
  .string()
  .regex(/^([^/~][^/]*|\/.*|~\/.*)$/, "a program's name, or its path from / or ~ on")
  .describe("A name found on PATH, or a path from / or ~ on");

/**
 * The content of one YAML file. Every key is optional: a file holds only differences, and a folder may split them over
 * several files. People write dollars and durations here; Settings has micro-dollars and milliseconds.
 */
export const ConfigFile = z
  .strictObject({
    effort: Effort,
    direct: z.boolean(),
    accept: z.array(z.string()),
    checks: z
      .enum(["language", "project"])
      .describe("Lint and type check of a new project: tools of its language, or only what it configures itself"),
    mutationScore: z.number().min(0).max(1).nullable().describe("The share of mutants that tests must notice: 0.8"),
    clarify: Clarify.describe("Make a vague goal precise first, with questions where a person is there"),
    architect: Clarify.describe("An architect writes down what the parts promise each other; auto: for large goals"),
    review: z.boolean().describe("Another model reads each change before it is tested"),
    audit: z.boolean().describe("The same for its security: OWASP Top 10, CWE"),
    confirm: z.array(z.enum(["plan", "diff"])),
    writeScope: z.array(z.string()),
    limits: z
      .strictObject({
        maxIterations: limits.maxIterations,
        warnAtIteration: limits.warnAtIteration,
        patience: limits.patience,
        candidates: z.int().positive().max(8).describe("Explanations that are tried beside each other; tests choose"),
        debugAttempts: z
          .int()
          .nonnegative()
          .describe("Iterations after a debugger looked at a todo that stays red; 0: none"),
        branchDepth: z
          .int()
          .positive()
          .max(5)
          .describe("Debuggers one after another for a todo that stays red, each on what came of the last"),
        planUpdates: z.int().nonnegative().max(20).describe("How often the planner may change what is left of a plan"),
        maxTurns: limits.maxTurns,
        maxCost: z.number().nonnegative().nullable().describe("Dollars for the whole task; null: no limit"),
        maxTokens: limits.maxTokens,
        parallel: z.int().positive().describe("Todos that are worked on at once, on each worker; 1: one after another"),
        timeout: Duration.describe("Time at work on the whole task, over every resume"),
        silence: Duration.describe("A task that neither takes a step nor tells anything for so long is paused"),
      })
      .partial(),
    sandbox: z
      .strictObject({
        backend: SandboxBackend,
        image: z.string().min(1),
        limits: z
          .strictObject({
            cpus: sandboxLimits.cpus,
            memoryMb: sandboxLimits.memoryMb,
            pids: sandboxLimits.pids,
            diskMb: sandboxLimits.diskMb,
            timeout: Duration,
            outputBytes: sandboxLimits.outputBytes,
          })
          .partial(),
      })
      .partial(),
    retry: z
      .strictObject({ attempts: z.int().positive(), base: Duration, max: Duration, requestTimeout: Duration })
      .partial(),
    recovery: z
      .strictObject({
        rewrite: z.boolean().describe("A given test that is shown to be wrong, slow or flaky is written anew, once"),
        ask: z.boolean().describe("A todo that stays red is put to a person, where one is there or may be waited for"),
      })
      .partial(),
    proving: z
      .strictObject({
        sharpen: z.boolean().describe("Mutants that no test notices go to the tester once, for sharper tests"),
      })
      .partial(),
    safety: z
      .strictObject({
        approve: z.array(ApprovalSubject).describe("What is allowed without asking"),
        always: z
          .array(AlwaysRule)
          .describe("What was allowed for always, each by its hashes; `approve --always` adds one"),
        unanswered: Unanswered.describe("When nobody is there to be asked: deny, or pause the task and wait"),
        findings: z.enum(["refuse", "ask"]).describe("New blocking findings in code: to be mended, or asked about"),
        code: z
          .union([
            z.literal("strict"),
            z
              .strictObject({
                rules: z
                  .record(z.string(), z.strictObject({ severity: Severity, blocking: z.boolean() }).partial())
                  .describe("Another severity for a rule, or for all of a kind (python.*)"),
                allow: z
                  .array(z.strictObject({ rule: z.string(), paths: z.array(z.string()).min(1) }))
                  .describe("Where a rule does not count"),
                strict: z.boolean().describe("Also forbid what has its uses: see rules with .strict. in their names"),
              })
              .partial(),
          ])
          .describe("strict: imports of os, subprocess and ctypes, compile, __import__ and shells block, too"),
        commands: z
          .strictObject({
            allow: z.array(z.string()),
            ask: z.array(z.string()),
            deny: z.array(z.string()),
            decisions: z.record(z.string(), z.enum(["allow", "ask", "deny"])),
            writable: z.array(z.string().regex(/^\//, "expected an absolute path")),
          })
          .partial()
          .describe("Words that a command has, and other decisions for the rules of config/safety/commands.yaml"),
        network: z.array(Host).describe("Hosts that every command may reach"),
        registries: z.partialRecord(Listed, z.array(Host)).describe("Hosts that installs of a language may reach"),
        dependencies: z
          .partialRecord(Listed, z.record(z.string(), z.string().nullable()))
          .describe("Packages that need no question, with their versions; null takes one off the list"),
        scopes: z
          .strictObject({ roles: z.partialRecord(Role, scope), todos: z.record(z.string(), scope) })
          .partial()
          .describe("Globs that roles and todos may read and write; !glob denies and wins"),
      })
      .partial(),
    memory: z
      .strictObject({
        embeddings: z
          .strictObject({
            provider: z.string().describe("One of the providers"),
            model: z.string().optional(),
            dimensions: z.int().positive().max(8192).optional(),
            threshold: z.number().min(0).max(1).optional(),
          })
          .nullable()
          .describe("An embeddings endpoint for prose; null: the model that comes along"),
        threshold: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .describe("The cosine below which texts are unrelated; null: what suits the embedding"),
        maxRecords: z.int().positive().describe("Lessons that are kept; the least useful go first"),
        enabled: z.boolean().describe("Whether tasks read and write it"),
        control: z.number().min(0).max(1).describe("The share of uses that are held back, to tell the effect"),
        tokens: z.int().positive().max(4000).describe("What may be quoted into one prompt"),
        scope: MemoryScope.describe(
          "Who finds what is learnt: this project, your other ones without its names, work in this language, everyone",
        ),
      })
      .partial(),
    hooks: z
      .array(
        z.strictObject({
          when: z.enum(["before", "after"]),
          tools: z.array(z.string()).optional(),
          command: z.tuple([Program], z.string()),
          timeout: Duration.optional(),
        }),
      )
      .describe("Programs of yours that are asked around tool calls"),
    logging: z
      .strictObject({
        level: z.enum(["debug", "info", "warn", "error"]).describe("What is written to logs/ of the data directory"),
      })
      .partial(),
    server: z
      .strictObject({
        host: z.string().min(1),
        port: z.int().min(0).max(65_535),
        directories: z
          .record(
            z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "a name has letters, digits, dots, dashes"),
            z.string().regex(/^(\/|~\/)/, "expected a path from / or ~ on"),
          )
          .describe("Where `miracle serve` may work, by the names that requests use"),
        repositories: z
          .record(
            z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "a name has letters, digits, dots, dashes"),
            z.string().regex(/^(https:\/\/|ssh:\/\/|file:\/\/|\/|[\w.-]+@[\w.-]+:)\S+$/, "expected a git address"),
          )
          .describe("Git addresses that `miracle serve` may work on; results are pushed as branches miracle/ID"),
        names: z.array(z.string().min(1)).describe("Host names by which it is reached, beside addresses and localhost"),
        parallel: z.int().positive().max(64).describe("Tasks that it works on at once"),
        trees: z
          .string()
          .regex(/^[a-z+]+:\/\/\S+$|^[\w.-]+@[\w.-]+:\S+$|^\/\S+$/, "expected an address that git knows")
          .nullable()
          .describe(
            "Where workers exchange trees: http://HOST:PORT/trees of `miracle serve --queue`, or a git address",
          ),
        webhook: z
          .url({ protocol: /^https?$/ })
          .nullable()
          .describe("Told when a task waits for an answer or has ended"),
        webhookSecretVariable: z.string().min(1).describe("The variable with the secret that signs it"),
        desktop: z.boolean().describe("Also a notice on this desktop, by notify-send"),
      })
      .partial(),
    database: z
      .strictObject({
        url: z
          .string()
          .regex(/^postgres(ql)?:\/\//, "expected postgres://…")
          .refine((url) => !/^\w+:\/\/[^/@]*:[^/@]*@|[?&]password=/.test(url), "no password here: PGPASSWORD has it")
          .nullable()
          .describe("The address of a PostgreSQL, without a password; null: a file of this machine"),
        pool: z.int().positive().max(100).describe("Connections of a process to the queue at most"),
      })
      .partial(),
    retention: z
      .strictObject({
        tasks: age.nullable().describe("`miracle prune --policy` deletes tasks that were untouched for so long"),
        audit: age.nullable().describe("and entries of the audit that are so old"),
      })
      .partial(),
    queue: z
      .strictObject({
        attempts: z
          .int()
          .positive()
          .max(100)
          .describe("Attempts without a recorded step until a task is a dead letter"),
        taskTimeout: Duration.describe("A task that has recorded no step for so long is let go of"),
      })
      .partial(),
    notify: z.string().nullable().describe("A command run when a task ends"),
    redactVariables: z.array(z.string()),
    trustedDirectories: z.array(z.string()).describe("Directories whose .miracle/ may set everything"),
    model: ModelName.nullable().describe("provider/name for every role"),
    fallbacks: z.array(ModelName),
    parameters,
    roles: z.partialRecord(
      Role,
      z.strictObject({ models: z.array(ModelName).min(1), parameters, escalate: z.boolean() }).partial(),
    ),
    providers: z.record(
      z.string().regex(/^[a-z][a-z0-9-]*$/, "a provider's name has small letters, digits and dashes"),
      // Without the defaults of Provider: a layer must not overrule a lower one by a default that nobody wrote.
      z
        .strictObject({
          ...Provider.shape,
          toolCalling: z.boolean(),
        })
        .partial(),
    ),
    summaries: z
      .strictObject({
        when: z.enum(["auto", "never"]).describe("auto: where leaving out tool output is not enough for the window"),
        model: ModelName.nullable().describe("provider/name; null: the small model of the role's provider"),
      })
      .partial()
      .describe("Old turns of a long conversation in few words"),
    windows: z
      .record(z.string(), z.int().positive())
      .describe("Tokens that a model takes, input and output together: openai/gpt*: 400000"),
    prices: z.record(ModelName, Price.extend({ longContext: rates.optional() }).strict()),
    pricesAsOf: z.string(),
  })
  .partial();
export type ConfigFile = z.infer<typeof ConfigFile>;
