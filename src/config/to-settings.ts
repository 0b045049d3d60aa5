import { type ModelParameters, Role } from "../domain/message.ts";
import type { MemorySettings } from "../domain/settings/memory-settings.ts";
import type { FileScope, Hook, SafetySettings } from "../domain/settings/safety-settings.ts";
import type { Price, Provider, Settings } from "../domain/settings/settings.ts";
import type { ConfigFile } from "./config-file.ts";
import { parseDuration } from "./duration.ts";
import type { Environment } from "./environment-layer.ts";
import type { Keys } from "./keys.ts";
import { LOCAL } from "./model-name.ts";

/** Settings without the models of the roles. Choosing those needs the keys. */
export type BaseSettings = Omit<Settings, "models">;

/** The person's wishes about models. `resolveSettings` turns them into a sequence per role. */
export interface ModelWishes {
  model: string | null;
  fallbacks: string[];
  parameters: ModelParameters;
  roles: Partial<Record<Role, { models?: string[]; parameters: ModelParameters; escalate?: boolean }>>;
}

/** The shipped files hold every value that a file may omit, so a missing value is our own mistake. */
export function toSettings(config: ConfigFile, keys: Keys): BaseSettings {
  const limits = need(config.limits, "limits");
  const sandbox = need(config.sandbox, "sandbox");
  const sandboxLimits = need(sandbox.limits, "sandbox.limits");
  const retry = need(config.retry, "retry");
  const maxCost = limits.maxCost ?? null;
  const providers = toProviders(config, keys);
  return {
    providers,
    prices: withoutForeignFreebies(need(config.prices, "prices"), providers),
    windows: need(config.windows, "windows"),
    ...(config.summaries?.when !== "never" && { summaries: { model: config.summaries?.model ?? null } }),
    limits: {
      maxIterations: need(limits.maxIterations, "limits.maxIterations"),
      warnAtIteration: need(limits.warnAtIteration, "limits.warnAtIteration"),
      patience: need(limits.patience, "limits.patience"),
      candidates: need(limits.candidates, "limits.candidates"),
      debugAttempts: need(limits.debugAttempts, "limits.debugAttempts"),
      branchDepth: need(limits.branchDepth, "limits.branchDepth"),
      planUpdates: need(limits.planUpdates, "limits.planUpdates"),
      maxTurns: need(limits.maxTurns, "limits.maxTurns"),
      maxCostMicros: maxCost === null ? null : Math.floor(maxCost * 1_000_000),
      maxTokens: limits.maxTokens ?? null,
      timeoutMs: milliseconds(limits.timeout, "limits.timeout"),
      silenceMs: milliseconds(limits.silence, "limits.silence"),
      parallel: need(limits.parallel, "limits.parallel"),
    },
    sandbox: {
      backend: need(sandbox.backend, "sandbox.backend"),
      ...(sandbox.image !== undefined && { image: sandbox.image }),
      limits: {
        cpus: need(sandboxLimits.cpus, "sandbox.limits.cpus"),
        memoryMb: need(sandboxLimits.memoryMb, "sandbox.limits.memoryMb"),
        pids: need(sandboxLimits.pids, "sandbox.limits.pids"),
        diskMb: need(sandboxLimits.diskMb, "sandbox.limits.diskMb"),
        timeoutMs: milliseconds(sandboxLimits.timeout, "sandbox.limits.timeout"),
        outputBytes: need(sandboxLimits.outputBytes, "sandbox.limits.outputBytes"),
      },
    },
    retry: {
      attempts: need(retry.attempts, "retry.attempts"),
      baseMs: milliseconds(retry.base, "retry.base"),
      maxMs: milliseconds(retry.max, "retry.max"),
      requestTimeoutMs: milliseconds(retry.requestTimeout, "retry.requestTimeout"),
    },
    effort: need(config.effort, "effort"),
    direct: config.direct ?? false,
    accept: config.accept ?? [],
    ...(config.checks === "language" && { checks: config.checks }),
    mutationScore: config.mutationScore ?? null,
    architect: need(config.architect, "architect"),
    clarify: need(config.clarify, "clarify"),
    review: config.review ?? false,
    audit: config.audit ?? false,
    confirm: config.confirm ?? [],
    writeScope: config.writeScope ?? [],
    redactVariables: config.redactVariables ?? [],
    recovery: {
      rewrite: need(config.recovery?.rewrite, "recovery.rewrite"),
      ask: need(config.recovery?.ask, "recovery.ask"),
    },
    proving: { sharpen: need(config.proving?.sharpen, "proving.sharpen") },
    safety: toSafety(need(config.safety, "safety")),
    memory: toMemory(need(config.memory, "memory")),
  };
}

/** The request to OpenAI's largest embedding model. Any other server has its own. */
const EMBEDDING = { model: "text-embedding-3-large", dimensions: 1536, threshold: 0.6 };

function toMemory(memory: NonNullable<ConfigFile["memory"]>): MemorySettings {
  const { embeddings, maxRecords, threshold, enabled, control, tokens, scope } = memory;
  const { provider = "", ...said } = embeddings ?? {};
  return {
    embeddings: provider === "" ? null : { ...EMBEDDING, ...said, provider },
    maxRecords: need(maxRecords, "memory.maxRecords"),
    ...(typeof threshold === "number" && { threshold }),
    ...(enabled && {
      use: {
        control: need(control, "memory.control"),
        tokens: need(tokens, "memory.tokens"),
        scope: need(scope, "memory.scope"),
        blocked: true,
      },
    }),
  };
}

function toCode(code: NonNullable<NonNullable<ConfigFile["safety"]>["code"]>): SafetySettings["code"] {
  if (code === "strict") return { rules: {}, allow: [], strict: true };
  return { rules: code.rules ?? {}, allow: code.allow ?? [], ...(code.strict && { strict: true }) };
}

function toSafety(safety: NonNullable<ConfigFile["safety"]>): SafetySettings {
  const scope = (said: Partial<FileScope> = {}): FileScope => ({ read: said.read ?? [], write: said.write ?? [] });
  const scopes = <Name extends string>(said: Partial<Record<Name, Partial<FileScope>>> = {}) =>
    Object.fromEntries(Object.entries<Partial<FileScope> | undefined>(said).map(([name, item]) => [name, scope(item)]));
  return {
    approve: safety.approve ?? [],
    ...(safety.always && { always: safety.always }),
    unanswered: need(safety.unanswered, "safety.unanswered"),
    findings: need(safety.findings, "safety.findings"),
    code: toCode(safety.code ?? {}),
    commands: { allow: [], ask: [], deny: [], decisions: {}, writable: [], ...safety.commands },
    network: safety.network ?? [],
    registries: safety.registries ?? {},
    dependencies: safety.dependencies ?? {},
    scopes: { roles: scopes(safety.scopes?.roles), todos: scopes(safety.scopes?.todos) },
  };
}

const HOOK_TIMEOUT_MS = 10_000;

/** The person's own programs; `~` is their home. */
export function toHooks(config: ConfigFile, home: string): Hook[] {
  return (config.hooks ?? []).map(({ when, tools = [], command: [program, ...args], timeout }) => ({
    when,
    tools,
    command: [program.replace(/^~(?=\/)/, home), ...args],
    timeoutMs: timeout === undefined ? HOOK_TIMEOUT_MS : milliseconds(timeout, "hooks.timeout"),
  }));
}

/** How `miracle serve` is reached, and where it works. */
export interface ServerSettings {
  host: string;
  port: number;
  /** Absolute paths by name. */
  directories: Record<string, string>;
  /** Git addresses by name. */
  repositories: Record<string, string>;
  names: string[];
  parallel: number;
  /** Where machines exchange trees; null: all use the same data directory, or this server has them. */
  trees: string | null;
  /** Told when a task waits or has ended. */
  webhook: string | null;
  webhookSecretVariable: string;
  desktop: boolean;
}

/** Where trees go is said by the person alone: a token goes there, too. */
export function toServer({ server }: ConfigFile, home: string, env: Environment): ServerSettings {
  const directories = Object.entries(server?.directories ?? {});
  return {
    host: need(server?.host, "server.host"),
    port: need(server?.port, "server.port"),
    directories: Object.fromEntries(directories.map(([name, path]) => [name, path.replace(/^~(?=\/)/, home)])),
    repositories: server?.repositories ?? {},
    names: server?.names ?? [],
    parallel: need(server?.parallel, "server.parallel"),
    trees: env.MIRACLE_TREES?.trim() || (server?.trees ?? null),
    webhook: server?.webhook ?? null,
    webhookSecretVariable: need(server?.webhookSecretVariable, "server.webhookSecretVariable"),
    desktop: need(server?.desktop, "server.desktop"),
  };
}

/** Where the journal is, and how a team's queue treats its tasks. */
export interface TeamSettings {
  databaseUrl: string | undefined;
  pool: number;
  attempts: number;
  taskTimeoutMs: number;
}

export function toTeam({ database, queue }: ConfigFile): TeamSettings {
  return {
    databaseUrl: database?.url ?? undefined,
    pool: need(database?.pool, "database.pool"),
    attempts: need(queue?.attempts, "queue.attempts"),
    taskTimeoutMs: milliseconds(need(queue?.taskTimeout, "queue.taskTimeout"), "queue.taskTimeout"),
  };
}

export function toModelWishes(config: ConfigFile): ModelWishes {
  const maxOutputTokens = need(config.parameters?.maxOutputTokens, "parameters.maxOutputTokens");
  const parameters = { ...config.parameters, maxOutputTokens };
  const roles: ModelWishes["roles"] = {};
  const asked = config.roles ?? {};
  for (const role of Role.options) {
    const { models, parameters: own, escalate } = asked[role] ?? {};
    if (!models && !own && !escalate) continue;
    roles[role] = {
      ...(models && { models }),
      ...(escalate && { escalate }),
      parameters: { ...parameters, ...own },
    };
  }
  return { model: config.model ?? null, fallbacks: config.fallbacks ?? [], parameters, roles };
}

function toProviders(config: ConfigFile, keys: Keys): Record<string, Provider> {
  const providers: Record<string, Provider> = {};
  for (const [name, entry] of Object.entries(need(config.providers, "providers"))) {
    const { kind = "openai-compatible", toolCalling = true, keyVariable, ...rest } = entry;
    // A person's own server may need a key or not, so there the variable counts only if it is set.
    const needed = keyVariable !== undefined && (name !== LOCAL || keys.get(keyVariable) !== undefined);
    providers[name] = { ...rest, kind, toolCalling, ...(needed && { keyVariable }) };
  }
  return providers;
}

/** `local/*` is free on this machine. The same price must not make a server elsewhere look free. */
function withoutForeignFreebies(prices: Record<string, Price>, providers: Record<string, Provider>) {
  return Object.fromEntries(
    Object.entries(prices).filter(([key, price]) => {
      const provider = key.endsWith("/*") ? providers[key.slice(0, -2)] : undefined;
      return price.input > 0 || price.output > 0 || provider?.baseUrl === undefined || isLoopback(provider.baseUrl);
    }),
  );
}

function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

const milliseconds = (text: string | undefined, path: string): number =>
  need(text === undefined ? undefined : parseDuration(text), path);

function need<T>(value: T | undefined, path: string): T {
  if (value === undefined) throw new Error(`config/ has no value for ${path}`);
  return value;
}
