import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toolSchemas } from "./agents/tool-schemas.ts";
import { Bus } from "./bus/bus.ts";
import { packageRoot } from "./config/package-root.ts";
import { readTestNeeds } from "./config/test-needs.ts";
import type { ApprovalSubject } from "./domain/approval.ts";
import { type Failure, fail, TerminalFailure } from "./domain/failure.ts";
import { ModelAnswer, type Role, Role as Roles } from "./domain/message.ts";
import { type Hook, type SafetySettings, strictSafety } from "./domain/safety-settings.ts";
import type { Limits, Settings } from "./domain/settings.ts";
import { systemFailure } from "./domain/system-failure.ts";
import type { Attachment, TaskOutcome, TaskRequest } from "./domain/task.ts";
import type { TestNeeds } from "./domain/test-needs.ts";
import type { ApprovalPolicy, Approvals } from "./engine/approve.ts";
import { Checkout, Checkouts } from "./engine/checkout.ts";
import type { DeliveryParts } from "./engine/deliver.ts";
import type { EngineParts } from "./engine/parts.ts";
import { LOOSE, type LooseCommand, type LooseResult, runLooseCommand } from "./engine/run-loose-command.ts";
import { runTask } from "./engine/run-task.ts";
import { Stopped, type StopReason } from "./engine/stop.ts";
import { Warden } from "./engine/warden.ts";
import { type Faults, faultsFrom } from "./faults.ts";
import { ApprovalBook } from "./journal/approvals.ts";
import { pauseTask, thisProcess } from "./journal/claim.ts";
import { DatabaseRecording } from "./journal/database-recording.ts";
import type { Frozen } from "./journal/frozen.ts";
import { Journal, type JournalParts, readFrozen } from "./journal/journal.ts";
import { pack, unpack } from "./journal/pack.ts";
import type { Recording } from "./journal/recording.ts";
import { redactor } from "./journal/redact.ts";
import { openLanguages } from "./languages/open-languages.ts";
import { cassetteModel, type Drift, type RecordedCall } from "./llm/cassette-model.ts";
import { openLedger } from "./llm/ledger.ts";
import type { Model } from "./llm/model.ts";
import { openModel } from "./llm/open-model.ts";
import type { Memory } from "./memory/memory.ts";
import type { MemoryIndex } from "./memory/memory-index.ts";
import { openHooks } from "./safety/hooks/open-hooks.ts";
import { openSafety } from "./safety/open-safety.ts";
import { droppedIdentity } from "./sandbox/identity.ts";
import { openSandbox } from "./sandbox/open-sandbox.ts";
import type { Dialect } from "./store/dialect.ts";
import { sqliteDialect } from "./store/sqlite.ts";
import { Store } from "./store/store.ts";
import { readWish } from "./store/tasks.ts";
import { SyntaxParsers } from "./syntax/parse.ts";
import type { ProveParts } from "./verify/prove/prove-parts.ts";
import { ArtifactStore, type Owner } from "./workspace/artifact-store.ts";
import { CheckoutDirectories } from "./workspace/checkout-directory.ts";

export interface AppOptions {
  dataDirectory: string;
  /** The address of a PostgreSQL server; without it the database is a file in the data directory. */
  databaseUrl?: string | undefined;
  env: Record<string, string | undefined>;
  /** The key in a variable, from the environment or a `.env`. */
  keys: (variable: string) => string | undefined;
  /** Values that must not be recorded anywhere. */
  secrets: string[];
  version: string;
}

/** What a caller has to say about one run. */
export interface RunOptions {
  signal: AbortSignal;
  /** Asks the person; absent when there is none. */
  ask?: Approvals["ask"];
  /** What this run allows beyond the task's own policy. */
  approve?: RunPolicy;
  /** Programs of the person's that are asked around each tool call. Not frozen: they are this machine's. */
  hooks?: Hook[];
  /** In place of the models of the settings: a cassette. */
  model?: Model;
  /** Called as soon as the task has its id. */
  onTask?: (task: string) => void;
}

/** The flags of one run: `--yes`, `--approve deps,network`, `--wait`. */
export interface RunPolicy {
  subjects: readonly ApprovalSubject[];
  /** As the person wrote it, for the record. */
  words: string;
  wait: boolean;
  /** Also about blocking findings in code, which are refused otherwise: `--approve code`. */
  findings: boolean;
}

/** How a run ended: with an outcome of the task, or before there was one. */
export type RunEnd =
  | { task: string; ended: "settled"; outcome: TaskOutcome }
  | { task: string; ended: "stopped"; reason: StopReason; why?: string }
  | { task: string; ended: "failed"; failure: Failure };

export interface ProvingOptions {
  settings: Pick<Settings, "sandbox" | "safety">;
  signal: AbortSignal;
  onProgress(text: string): void;
}

/** How often another process's wish to pause or cancel is looked for. */
const WISH_MS = 500;

/** A timer that is set longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The composition root: the only place that chooses adapters. */
export class App implements AsyncDisposable {
  readonly store: Store;
  readonly bus = new Bus();
  readonly #options: AppOptions;
  readonly #faults: Faults;
  #artifacts: ArtifactStore | undefined;

  private constructor(store: Store, faults: Faults, options: AppOptions) {
    this.store = store;
    this.#faults = faults;
    this.#options = options;
  }

  static async open(options: AppOptions): Promise<App> {
    const faults = faultsFrom(options.env.MIRACLE_FAULT, (count) =>
      writeFileSync(options.env.MIRACLE_FAULT?.slice("count:".length) ?? "", String(count)),
    );
    const store = await Store.open(await chooseDatabase(options), faults);
    return new App(store, faults, options);
  }

  get artifacts(): ArtifactStore {
    this.#artifacts ??= ArtifactStore.open(this.#options.dataDirectory, { durable: true });
    return this.#artifacts;
  }

  /** What past failures and successes taught. Nothing of it is loaded before somebody asks. */
  async openMemory(
    settings: Pick<Settings, "memory" | "providers" | "retry">,
    warn: (message: string) => void,
  ): Promise<Memory> {
    const { env, keys, secrets, databaseUrl } = this.#options;
    const { openMemory } = await import("./memory/open-memory.ts");
    const { loadScanRules } = await import("./safety/scan/scan-rules.ts");
    const { secrets: secretRules } = await loadScanRules(packageRoot());
    const index = await chooseMemoryIndex(this.store, databaseUrl);
    return openMemory({ store: this.store, index, settings, env, keys, redact: redactor(secrets), secretRules, warn });
  }

  /** A new task, from its request to its outcome. */
  async start(
    request: TaskRequest,
    settings: Settings,
    prompts: Record<Role, string>,
    options: RunOptions,
  ): Promise<RunEnd> {
    const task = newTaskId();
    // What the machine lacks, and what the project says wrong, is said before anything is begun.
    await readTestNeeds(request.directory);
    const sandbox = openSandbox(settings.sandbox);
    const frozen: Frozen = {
      request: { ...request, attachments: request.attachments.map((file) => this.#redactedAttachment(file)) },
      settings,
      prompts,
      tools: forEachRole(toolSchemas),
      seed: randomBytes(8).toString("hex"),
      version: this.#options.version,
    };
    const journal = await Journal.create(this.store, task, frozen, thisProcess(), this.#journalParts(options.signal));
    return this.#run(journal, sandbox, settings.limits, options);
  }

  /**
   * A recorded task once more as a new one: tools, sandbox and tests really run, only the model's answers come from the
   * recording. An input that differs from the recorded one is reported as drift, and the run goes on.
   */
  async reenact(
    recording: Recording,
    directory: string,
    local: Pick<Settings, "sandbox" | "safety">,
    options: RunOptions & { onDrift(drift: Drift): void },
  ): Promise<RunEnd> {
    const recorded = await readFrozen(recording);
    const { goal, attachments, apply } = recorded.request;
    // How code runs on this machine is not for a file from elsewhere to say.
    const { safety: _, ...theirs } = recorded.settings;
    const settings = { ...theirs, ...local };
    const request = { goal, attachments, apply, directory };
    const frozen = { ...recorded, request, settings, version: this.#options.version };
    const calls = await recordedCalls(recording);
    const model = cassetteModel({
      lookup: (path) => calls.get(path),
      hashOf: (request) => pack(request).hash,
      onDrift: options.onDrift,
    });
    const sandbox = openSandbox(frozen.settings.sandbox);
    const parts = this.#journalParts(options.signal);
    const journal = await Journal.create(this.store, newTaskId(), frozen, thisProcess(), parts);
    return this.#run(journal, sandbox, frozen.settings.limits, { ...options, model });
  }

  /** An existing task, from exactly the step it reached. `limits` widens what was frozen. */
  async resume(task: string, limits: Partial<Limits>, options: RunOptions & { takeOver?: boolean }): Promise<RunEnd> {
    const takeOver = options.takeOver === true;
    const parts = this.#journalParts(options.signal);
    const journal = await Journal.resume(this.store, task, thisProcess(), parts, { purpose: "work", takeOver });
    const { settings } = journal.frozen;
    const sandbox = openSandbox(settings.sandbox);
    return this.#run(journal, sandbox, { ...settings.limits, ...limits }, options);
  }

  /** What was recorded of a task, for replay, export and verification. */
  async recording(task: string): Promise<DatabaseRecording> {
    const row = await this.store.read
      .selectFrom("tasks")
      .select("frozen_hash")
      .where("id", "=", task)
      .executeTakeFirst();
    if (!row) throw fail("invalid-input", "task.unknown", `there is no task ${task}; \`miracle history\` lists them`);
    return new DatabaseRecording(this.store, task, row.frozen_hash);
  }

  /** For what is done to a task outside of its run: `apply`, `undo`. */
  async claim(task: string, signal: AbortSignal): Promise<DeliveryParts> {
    const parts = this.#journalParts(signal);
    const journal = await Journal.resume(this.store, task, thisProcess(), parts, { purpose: "delivery" });
    return { journal, artifacts: this.artifacts, faults: this.#faults };
  }

  /**
   * What the verifier needs to run trees on its own, with no task, no model and no key. Nothing of it is left afterwards
   * but what the work itself wrote elsewhere.
   */
  async proving<T>(
    { settings, signal, onProgress }: ProvingOptions,
    work: (parts: ProveParts) => Promise<T>,
  ): Promise<T> {
    const task = `p${newTaskId().slice(1)}`;
    const { artifacts } = this;
    const { env, version, dataDirectory } = this.#options;
    const sandbox = openSandbox(settings.sandbox);
    const owner = settings.sandbox.backend === "process" ? null : droppedIdentity();
    let directories: CheckoutDirectories | undefined;
    try {
      const opened = CheckoutDirectories.open(dataDirectory, owner);
      directories = opened;
      const { SyntaxParsers } = await import("./syntax/parse.ts");
      const { loadScanRules, withPolicy } = await import("./safety/scan/scan-rules.ts");
      const policy = settings.safety?.code;
      return await work({
        task,
        artifacts,
        sandbox,
        limits: settings.sandbox.limits,
        languages: openLanguages({ env, execPath: process.execPath, version: process.version }),
        parsers: new SyntaxParsers(),
        scanRules: async () => {
          const shipped = await loadScanRules(packageRoot());
          return policy ? withPolicy(shipped, policy) : shipped;
        },
        checkout: async (name, tree) => {
          const checkout = new Checkout(task, opened.path(task, 0, name), artifacts, owner);
          await checkout.renew(tree);
          return checkout.directory;
        },
        version,
        clock: Date.now,
        signal,
        onProgress,
      });
    } finally {
      await sandbox[Symbol.asyncDispose]();
      artifacts.deleteRefs(task);
      this.#removeCheckouts(directories, task, 0);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#artifacts?.close();
    await this.store[Symbol.asyncDispose]();
  }

  async #run(journal: Journal, sandbox: EngineParts["sandbox"], limits: Limits, options: RunOptions): Promise<RunEnd> {
    const { task } = journal;
    options.onTask?.(task);
    const watch = new AbortController();
    const stop = new AbortController();
    const signal = AbortSignal.any([options.signal, stop.signal]);
    const timer = setTimeout(() => stop.abort(new Stopped("timeout")), Math.min(limits.timeoutMs, LONGEST_TIMER_MS));
    void this.#watchWishes(task, stop, watch.signal);
    let directories: CheckoutDirectories | undefined;
    try {
      const checkoutOwner = journal.frozen.settings.sandbox.backend === "process" ? null : droppedIdentity();
      directories = CheckoutDirectories.open(this.#options.dataDirectory, checkoutOwner);
      const surroundings = {
        directories,
        checkoutOwner,
        needs: await readTestNeeds(journal.frozen.request.directory),
      };
      const parts = this.#engineParts(journal.withSignal(signal), sandbox, limits, signal, options, surroundings);
      const outcome = await runTask(parts);
      return { task, ended: "settled", outcome };
    } catch (error) {
      return await this.#endWithoutOutcome(journal, signal, error);
    } finally {
      watch.abort();
      clearTimeout(timer);
      await sandbox[Symbol.asyncDispose]();
      this.#removeCheckouts(directories, task, journal.claim?.epoch ?? 0);
    }
  }

  /** A later claim has checkouts of its own, and whatever a crash left behind goes with these. */
  #removeCheckouts(directories: CheckoutDirectories | undefined, task: string, epoch: number): void {
    try {
      directories?.remove(task, epoch + 1);
    } catch (error) {
      // What could not be cleaned up must not hide how the run ended.
      const why = error instanceof Error ? error.message : String(error);
      this.bus.publish({ type: "notice", task, text: `the checkouts of task ${task} could not be removed: ${why}` });
    }
  }

  /** The task stays resumable whatever happened; only what is not ours to explain is thrown on. */
  async #endWithoutOutcome(journal: Journal, signal: AbortSignal, error: unknown): Promise<RunEnd> {
    const { task, claim } = journal;
    const stopped = signal.aborted ? signal.reason : error;
    const reason = stopped instanceof Stopped ? stopped.reason : undefined;
    const failure = error instanceof TerminalFailure ? error.failure : systemFailure(error);
    const waits = !signal.aborted && stopped instanceof Stopped ? stopped.message : undefined;
    const why = signal.aborted ? (reason ?? "interrupted") : (waits ?? failure?.message ?? "an error of Miracle's own");
    const redacted = String(redactor(this.#options.secrets)(why));
    if (claim) {
      const status = reason === "cancelled" ? "cancelled" : "paused";
      // A disk that is full or a task that was taken over: the end of the run is told all the same.
      await pauseTask(this.store, claim, { status, reason: redacted, at: Date.now() }).catch(() => {});
    }
    if (waits !== undefined && reason) return { task, ended: "stopped", reason, why: redacted };
    if (signal.aborted) return { task, ended: "stopped", reason: reason ?? "interrupted" };
    if (failure) return { task, ended: "failed", failure };
    throw error;
  }

  #engineParts(
    journal: Journal,
    sandbox: EngineParts["sandbox"],
    limits: Limits,
    signal: AbortSignal,
    options: RunOptions,
    { directories, checkoutOwner, needs }: Surroundings,
  ): EngineParts {
    const { task, claim, frozen } = journal;
    const { env, keys } = this.#options;
    const { safety } = frozen.settings;
    if (!claim) throw new Error("only a replay has no claim, and a replay does not come here");
    const { epoch } = claim;
    const clock = Date.now;
    const redact = redactor(this.#options.secrets);
    const ledger = openLedger(this.store, { task, epoch, limits, now: clock });
    const model =
      options.model ??
      openModel({
        settings: { ...frozen.settings, limits },
        ledger,
        keys,
        clock: { now: clock, sleep: (ms, cancelled) => sleep(ms, undefined, { signal: cancelled }) },
        random: Math.random,
        environment: env,
      });
    return {
      journal,
      model,
      artifacts: this.artifacts,
      sandbox,
      parsers: new SyntaxParsers(),
      languages: openLanguages({ env, execPath: process.execPath, version: process.version }, needs),
      checkouts: new Checkouts(
        (name) => new Checkout(task, directories.path(task, epoch, name), this.artifacts, checkoutOwner),
      ),
      checkoutOwner,
      warden: new Warden(
        openSafety({ root: packageRoot(), policy: safety }),
        this.artifacts,
        options.approve?.findings ? { ...(safety ?? strictSafety), findings: "ask" } : safety,
      ),
      hooks: openHooks(options.hooks ?? [], env),
      approvals: {
        book: new ApprovalBook({ store: this.store, claim, bus: this.bus, redact, clock }),
        policy: approvalPolicy(safety, options.approve),
        ...(options.ask && { ask: options.ask }),
      },
      onDelta: (text) => this.bus.publish({ type: "model-delta", task, text }),
      onNotice: (text) => this.bus.publish({ type: "notice", task, text }),
      signal,
      clock,
      faults: this.#faults,
    };
  }

  /** Text is redacted before it is encoded: afterwards no secret in it could be found. */
  #redactedAttachment(file: Attachment): Attachment {
    const bytes = Buffer.from(file.data, "base64");
    const text = bytes.toString("utf8");
    if (!Buffer.from(text, "utf8").equals(bytes)) return file;
    const redacted = redactor(this.#options.secrets)(text);
    return redacted === text ? file : { ...file, data: Buffer.from(String(redacted), "utf8").toString("base64") };
  }

  #journalParts(signal: AbortSignal): JournalParts {
    return { redact: redactor(this.#options.secrets), clock: Date.now, signal, bus: this.bus };
  }

  async #watchWishes(task: string, stop: AbortController, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await sleep(WISH_MS, undefined, { signal: ended, ref: false }).catch(() => {});
      if (ended.aborted) return;
      const wish = await readWish(this.store, task).catch(() => null);
      if (wish === "pause") stop.abort(new Stopped("paused"));
      if (wish === "cancel") stop.abort(new Stopped("cancelled"));
    }
  }
}

/** The client of a server is loaded only for who uses one. */
async function chooseDatabase({ dataDirectory, databaseUrl }: AppOptions): Promise<Dialect> {
  if (databaseUrl === undefined) return sqliteDialect(join(dataDirectory, "miracle.db"));
  const { openPostgres } = await import("./store/open-postgres.ts");
  return openPostgres(databaseUrl);
}

async function chooseMemoryIndex(store: Store, databaseUrl: string | undefined): Promise<MemoryIndex> {
  if (databaseUrl === undefined) {
    const { SqliteMemoryIndex } = await import("./memory/sqlite-index.ts");
    return new SqliteMemoryIndex(store);
  }
  const { PostgresMemoryIndex } = await import("./memory/postgres/postgres-index.ts");
  return new PostgresMemoryIndex(store);
}

/** A task goes on with the policy it was started with; the flags of this run widen it. */
function approvalPolicy(safety: SafetySettings | undefined, run: RunPolicy | undefined): ApprovalPolicy {
  const allowed: ApprovalPolicy["allowed"] = {};
  for (const subject of safety?.approve ?? []) allowed[subject] = `safety.approve: ${subject}`;
  for (const subject of run?.subjects ?? []) allowed[subject] = run?.words ?? subject;
  return { allowed, unanswered: run?.wait ? "wait" : (safety?.unanswered ?? "deny") };
}

/** Runs a command of no task, in parts that are gone afterwards. */
export async function runInSandbox(
  choice: Pick<Settings["sandbox"], "backend" | "image">,
  dataDirectory: string,
  env: AppOptions["env"],
  command: LooseCommand,
  signal: AbortSignal,
): Promise<LooseResult> {
  await using sandbox = openSandbox(choice);
  const needs = command.services ? await readTestNeeds(command.directory) : undefined;
  const owner = choice.backend === "process" ? null : droppedIdentity();
  const directories = CheckoutDirectories.open(dataDirectory, owner);
  const name = `${LOOSE}-${newTaskId()}`;
  const place = mkdtempSync(join(tmpdir(), "miracle-sandbox-"));
  const artifacts = ArtifactStore.open(place);
  const cleanUp = () => {
    artifacts.close();
    directories.remove(name);
    rmSync(place, { recursive: true, force: true });
  };
  // Also when a reader of our output goes away, which ends the process at once.
  process.once("exit", cleanUp);
  try {
    return await runLooseCommand(
      {
        sandbox,
        artifacts,
        checkout: new Checkout(LOOSE, directories.path(name, 0, "workspace"), artifacts, owner),
        languages: openLanguages({ env, execPath: process.execPath, version: process.version }, needs),
        faults: faultsFrom(undefined, () => {}),
      },
      command,
      signal,
    );
  } finally {
    process.off("exit", cleanUp);
    cleanUp();
  }
}

/** What a run finds on this machine. */
interface Surroundings {
  directories: CheckoutDirectories;
  checkoutOwner: Owner | null;
  needs: TestNeeds;
}

/** The model calls of a recording by the path of their step. */
async function recordedCalls(recording: Recording): Promise<Map<string, RecordedCall>> {
  const calls = new Map<string, RecordedCall>();
  for (const name of await recording.strands()) {
    for (const step of (await recording.strand(name)).steps) {
      if (step.kind !== "model" || step.outcome !== "ok") continue;
      const answer = ModelAnswer.parse(await unpack(step.outputHash, (hash) => recording.blob(hash)));
      calls.set(step.path, { requestHash: step.inputHash, answer });
    }
  }
  return calls;
}

const forEachRole = <T>(make: (role: Role) => T): Record<Role, T> => {
  const { planner, tester, coder, reflector, judge } = Roles.enum;
  return {
    planner: make(planner),
    tester: make(tester),
    coder: make(coder),
    reflector: make(reflector),
    judge: make(judge),
  };
};

/** Sorts by time, fits a path and a git ref, and is unique without asking anybody. */
function newTaskId(): string {
  const time = Date.now().toString(36).padStart(9, "0");
  return `t${time}${randomBytes(4).readUInt32BE().toString(36).padStart(7, "0").slice(-4)}`;
}
