import type { ApprovalSubject } from "../domain/approval.ts";
import type { Clarify, Effort, SandboxBackend } from "../domain/settings/settings.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Layer } from "./layers.ts";
import { NO_LIMIT } from "./parse-setting.ts";

/** The parsed flags that change settings. A flag that is not given is undefined. */
export interface ConfigFlags extends WorkFlags, LimitFlags, SafetyFlags {
  model?: string;
  baseUrl?: string;
  notify?: string;
  /** False: `--no-memory`. */
  memory?: boolean;
}

/** How a goal is worked on. */
interface WorkFlags {
  effort?: Effort;
  direct?: boolean;
  accept?: string[];
  mutationScore?: number;
  clarify?: Clarify;
  architect?: Clarify;
  review?: boolean;
  audit?: boolean;
}

/** How much of anything it may take. */
interface LimitFlags {
  maxCost?: number;
  maxTokens?: number;
  maxIterations?: number;
  maxTurns?: number;
  parallel?: number;
  /** With its unit: `90s`. */
  timeout?: string;
}

/** What it may do without a person, and where. */
interface SafetyFlags {
  confirm?: ("plan" | "diff")[];
  writeScope?: string[];
  sandbox?: SandboxBackend;
  /** Subjects that are allowed without a question. */
  approve?: ApprovalSubject[];
  /** Wait for an answer if no person is there. */
  wait?: boolean;
}

/**
 * The topmost layers, one per flag. `model` and `baseUrl` are resolved separately, because they depend on each other.
 */
export function flagLayers(flags: ConfigFlags): Layer[] {
  const layer = (name: string, value: ConfigFile): Layer => ({ name, value });
  const { effort, direct, accept, mutationScore, confirm, writeScope, sandbox, notify, memory } = flags;
  const { maxCost, maxTokens, maxIterations, maxTurns, parallel, timeout, approve, wait } = flags;
  const layers: Layer[] = [];
  if (effort !== undefined) layers.push(layer("--effort", { effort }));
  if (direct !== undefined) layers.push(layer("--direct", { direct }));
  if (accept !== undefined) layers.push(layer("--accept", { accept }));
  if (mutationScore !== undefined) layers.push(layer("--mutation-score", { mutationScore }));
  if (flags.architect !== undefined) layers.push(layer("--architect", { architect: flags.architect }));
  if (flags.clarify !== undefined) layers.push(layer("--clarify", { clarify: flags.clarify }));
  if (flags.review !== undefined) layers.push(layer("--review", { review: flags.review }));
  if (flags.audit !== undefined) layers.push(layer("--audit", { audit: flags.audit }));
  if (confirm !== undefined) layers.push(layer("--confirm", { confirm }));
  if (writeScope !== undefined) layers.push(layer("--write-scope", { writeScope }));
  if (sandbox !== undefined) layers.push(layer("--sandbox", { sandbox: { backend: sandbox } }));
  if (notify !== undefined) layers.push(layer("--notify", { notify }));
  if (memory === false) layers.push(layer("--no-memory", { memory: { enabled: false } }));
  if (maxCost !== undefined)
    layers.push(layer("--max-cost", { limits: { maxCost: maxCost === NO_LIMIT ? null : maxCost } }));
  if (maxTokens !== undefined) layers.push(layer("--max-tokens", { limits: { maxTokens } }));
  if (maxIterations !== undefined) layers.push(layer("--max-iterations", { limits: { maxIterations } }));
  if (maxTurns !== undefined) layers.push(layer("--max-turns", { limits: { maxTurns } }));
  if (parallel !== undefined) layers.push(layer("--parallel", { limits: { parallel } }));
  if (timeout !== undefined) layers.push(layer("--timeout", { limits: { timeout } }));
  if (approve !== undefined) layers.push(layer("--approve", { safety: { approve } }));
  if (wait === true) layers.push(layer("--wait", { safety: { unanswered: "wait" } }));
  return layers;
}
