import { setTimeout as sleep } from "node:timers/promises";
import type { Bus } from "../bus/bus.ts";
import { userDirectory } from "../config/config-places.ts";
import { packageRoot } from "../config/package-root.ts";
import type { TestNeeds } from "../domain/evidence/test-needs.ts";
import type { MemoryUse } from "../domain/settings/memory-settings.ts";
import type { SafetySettings } from "../domain/settings/safety-settings.ts";
import type { Limits, Price, Settings } from "../domain/settings/settings.ts";
import { Checkout, Checkouts } from "../engine/hands/checkout.ts";
import type { ApprovalPolicy, EngineParts } from "../engine/hands/parts.ts";
import { Warden } from "../engine/hands/warden.ts";
import type { Faults } from "../faults.ts";
import { ApprovalBook } from "../journal/approvals.ts";
import type { Journal } from "../journal/journal.ts";
import { MessageBook } from "../journal/messages.ts";
import { redactor } from "../journal/redact.ts";
import { openLedger } from "../llm/ledger.ts";
import type { Ledger } from "../llm/model.ts";
import { openModel } from "../llm/open-model.ts";
import { amountOf, priceOf, worstCase } from "../llm/prices.ts";
import { SharedProvider } from "../llm/shared-provider.ts";
import type { ReserveTexts } from "../memory/embed/endpoint.ts";
import type { Memory } from "../memory/memory.ts";
import { taskMemory } from "../memory/task-memory.ts";
import { openHooks } from "../safety/hooks/open-hooks.ts";
import { openSafety } from "../safety/open-safety.ts";
import type { Store } from "../store/store.ts";
import { SyntaxParsers } from "../syntax/parse.ts";
import type { ArtifactStore, Owner } from "../workspace/artifact-store.ts";
import type { CheckoutDirectories } from "../workspace/checkout-directory.ts";
import { outsidePlace } from "../workspace/outside-place.ts";
import { environmentsPlace, housedLanguages } from "./housed-languages.ts";
import type { RunOptions, RunPolicy } from "./run-options.ts";

/** What all runs of this process share. */
export interface Shared {
  store: Store;
  bus: Bus;
  dataDirectory: string;
  artifacts: ArtifactStore;
  faults: Faults;
  env: Record<string, string | undefined>;
  keys: (variable: string) => string | undefined;
  secrets: string[];
  openMemory(settings: Settings, warn: (message: string) => void, reserve: ReserveTexts): Promise<Memory>;
}

/** What belongs to one run. */
export interface OneRun {
  journal: Journal;
  sandbox: EngineParts["sandbox"];
  limits: Limits;
  signal: AbortSignal;
  directories: CheckoutDirectories;
  checkoutOwner: Owner | null;
  needs: TestNeeds;
  /** Stands before the name of each checkout: two runs of one claim may be on one machine. */
  checkoutPrefix?: string;
}

/** Chooses an adapter for each part of the engine. */
export function engineParts(
  { store, bus, dataDirectory, artifacts, faults, env, keys, secrets, openMemory }: Shared,
  { journal, sandbox, limits, signal, directories, checkoutOwner, needs, checkoutPrefix = "" }: OneRun,
  options: RunOptions,
): EngineParts {
  const { task, claim, fence, frozen } = journal;
  const { safety } = frozen.settings;
  if (!claim) throw new Error("only a replay has no claim, and a replay does not come here");
  const { epoch } = claim;
  const clock = Date.now;
  const ledger = openLedger(store, { task, epoch, fence, limits, now: clock });
  const onNotice = (text: string) => bus.publish({ type: "notice", task, text });
  const { directory } = frozen.request;
  const use = frozen.settings.memory.use;
  const memory = taskMemory({
    open: () => openMemory(withinBudget(frozen.settings, limits), onNotice, reserveTexts(frozen.settings, ledger)),
    store,
    task,
    directory,
    use: use ?? UNUSED,
  });
  const pause = (ms: number, cancelled: AbortSignal) => sleep(ms, undefined, { signal: cancelled });
  const model =
    options.model ??
    openModel({
      settings: { ...frozen.settings, limits },
      ledger,
      keys,
      clock: { now: clock, sleep: pause },
      random: Math.random,
      environment: env,
      shared: (name) => new SharedProvider({ store, now: clock, sleep: pause, random: Math.random }, name),
      // Memory is loaded while the first answer is awaited: before that it would only delay the request. With
      // `--direct` the first iteration asks nothing of memory, and may be the last.
      onSent: () => {
        if (use && !frozen.settings.direct) memory.warm();
      },
    });
  const surroundings = { env, execPath: process.execPath, version: process.version };
  const languages = housedLanguages(surroundings, needs, {
    artifacts,
    sandbox,
    limits: frozen.settings.sandbox.limits,
    owner: checkoutOwner,
    environments: environmentsPlace(dataDirectory, directories, checkoutOwner),
    registries: safety?.registries,
    signal,
    base: () => warden.base,
    onProgress: onNotice,
  });
  const packages = languages.packagesFor(directory);
  const warden = new Warden(
    openSafety({ root: packageRoot(), policy: safety }),
    artifacts,
    options.approve?.findings ? { ...safety, findings: "ask" } : safety,
    packages.describe,
  );
  return {
    journal,
    model,
    memory,
    artifacts,
    sandbox,
    parsers: new SyntaxParsers(),
    languages,
    packages,
    checkouts: new Checkouts(
      (name) => new Checkout(task, directories.path(task, epoch, `${checkoutPrefix}${name}`), artifacts, checkoutOwner),
    ),
    checkoutOwner,
    warden,
    hooks: openHooks(options.hooks ?? [], env),
    ...(options.outside && {
      outside: (path: string) =>
        outsidePlace(path, { home: env.HOME, kept: [dataDirectory, directories.root, directory, ...ownSettings(env)] }),
    }),
    approvals: {
      book: new ApprovalBook({ store, claim, fence, bus, redact: redactor(secrets), clock }),
      policy: approvalPolicy(safety, directory, options.approve),
      ...(options.ask && { ask: options.ask }),
    },
    messages: new MessageBook(store, task),
    budget: { left: ledger.left, spent: ledger.spentBy },
    onDelta: (text) => bus.publish({ type: "model-delta", task, text }),
    onHeard: (model, patienceMs) => bus.publish({ type: "model-heard", task, model, patienceMs, at: clock() }),
    onNotice,
    onProgress: (text, done, of) => bus.publish({ type: "progress", task, text, done, of, at: clock() }),
    onTree: (changed) => bus.publish({ type: "tree-changed", task, ...changed }),
    ...(options.planOnly && { planOnly: true }),
    ...(options.lend && {
      lending: options.lend({ store, claim, onNotice, receive: () => artifacts.receive(task, "snapshots") }),
    }),
    signal,
    clock,
    faults,
  };
}

const ownSettings = (env: Shared["env"]): string[] => (env.HOME === undefined ? [] : [userDirectory(env, env.HOME)]);

/** Without a price nothing can be reserved. So under a limit in money, text is embedded on this machine then. */
function withinBudget(settings: Settings, { maxCostMicros }: Limits): Settings {
  if (maxCostMicros === null || embeddingPrice(settings)) return settings;
  return { ...settings, memory: { ...settings.memory, embeddings: null } };
}

function embeddingPrice({ memory: { embeddings }, prices }: Settings): Price | undefined {
  return embeddings ? priceOf(`${embeddings.provider}/${embeddings.model}`, prices) : undefined;
}

/** Requests to an embedding endpoint reserve their cost like those to any model. */
function reserveTexts(settings: Settings, ledger: Ledger): ReserveTexts {
  const price = embeddingPrice(settings);
  const { embeddings } = settings.memory;
  const unpriced = embeddings && !price ? `${embeddings.provider}/${embeddings.model}` : undefined;
  return async (bytes) => {
    const reservation = await ledger.reserve(worstCase(bytes, 0, price), "memory/embed", unpriced);
    return (inputTokens) => {
      const usage = { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
      return reservation.settle(amountOf(usage, price));
    };
  };
}

/** If the settings turn memory off, the engine never uses it. These values only fill the type. */
const UNUSED: MemoryUse = { control: 0, tokens: 1, scope: "project" };

/** A task goes on with the policy it was started with; the flags of this run widen it. */
function approvalPolicy(safety: SafetySettings, directory: string, run: RunPolicy | undefined): ApprovalPolicy {
  const allowed: ApprovalPolicy["allowed"] = {};
  for (const subject of safety.approve) allowed[subject] = `safety.approve: ${subject}`;
  for (const subject of run?.subjects ?? []) allowed[subject] = run?.words ?? subject;
  const rules = (safety.always ?? []).filter((rule) => rule.directory === undefined || rule.directory === directory);
  const always = new Set(rules.flatMap(({ covers }) => covers));
  return { allowed, always, unanswered: run?.wait ? "wait" : safety.unanswered };
}
