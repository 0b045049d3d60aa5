import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { offeredTools } from "./agents/offered-tools.ts";
import { chooseDatabase, chooseMemoryIndex, type DatabasePlace } from "./app/choose-database.ts";
import type { LentVariables } from "./app/lent-variables.ts";
import { placesOfPackages } from "./app/places-of-packages.ts";
import type { ProvingOptions } from "./app/proving.ts";
import type { RunEnd, RunOptions } from "./app/run-options.ts";
import { type RunPlace, runToEnd } from "./app/run-to-end.ts";
import { newTaskId } from "./app/task-id.ts";
import { Bus } from "./bus/bus.ts";
import type { Wire } from "./bus/wire.ts";
import type { Configuration } from "./config/load-config.ts";
import { packageRoot } from "./config/package-root.ts";
import { readTestNeeds } from "./config/test-needs.ts";
import { fail } from "./domain/failure.ts";
import type { Role } from "./domain/message.ts";
import { defaultMemory } from "./domain/settings/memory-settings.ts";
import type { Limits, Settings } from "./domain/settings/settings.ts";
import type { Attachment, TaskBase, TaskRequest } from "./domain/task/task.ts";
import type { DeliveryParts } from "./engine/delivery/apply-result.ts";
import { describeLeftOut } from "./engine/planning/survey.ts";
import { type Faults, faultsFrom } from "./faults.ts";
import { releaseTask, thisProcess } from "./journal/claim.ts";
import { DatabaseRecording } from "./journal/database-recording.ts";
import { FORMAT, type Frozen } from "./journal/frozen.ts";
import { Journal, type JournalParts, readFrozen } from "./journal/journal.ts";
import { pack } from "./journal/pack.ts";
import type { Recording } from "./journal/recording.ts";
import { redactor } from "./journal/redact.ts";
import { cassetteModel, type Drift } from "./llm/cassette-model.ts";
import type { ReserveTexts } from "./memory/embed/endpoint.ts";
import type { Memory } from "./memory/memory.ts";
import type { JobQueue } from "./queue/job-queue.ts";
import { openSandbox } from "./sandbox/open-sandbox.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { Store } from "./store/store.ts";
import { stepsOf } from "./store/tasks.ts";
import type { ProveParts } from "./verify/prove/prove-parts.ts";
import { ArtifactStore } from "./workspace/artifact-store.ts";
import type { RemoteAddress } from "./workspace/remote-address.ts";

export interface AppOptions extends DatabasePlace {
  env: Record<string, string | undefined>;
  /** Reads a key by the name of its variable, from the environment or a `.env` file. */
  keys: (variable: string) => string | undefined;
  /** Values that must not be recorded anywhere. */
  secrets: string[];
  version: string;
  /** How the team's queue treats its jobs; absent: as it does by itself. */
  team?: { pool: number; attempts: number };
  /** Where other machines find the trees; absent: this data directory has them for all. */
  trees?: RemoteAddress | undefined;
}

/** An app with the settings, keys and secrets of one directory. */
export interface OpenedApp extends AsyncDisposable {
  app: App;
  config: Configuration;
}

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
    const { dataDirectory, trees } = this.#options;
    this.#artifacts ??= ArtifactStore.open(dataDirectory, { durable: true, ...(trees && { remote: trees }) });
    return this.#artifacts;
  }

  /** The artifact store, with all trees of this task that the remote has; or at least with those that are wanted. */
  async treesOf(task: string, wanted: (string | null)[] = []): Promise<ArtifactStore> {
    const isHere = wanted.length > 0 && wanted.every((tree) => tree === null || this.artifacts.has(tree));
    if (!isHere) await this.artifacts.receive(task);
    return this.artifacts;
  }

  /** What a task of this directory starts from, for whoever works on it elsewhere. */
  async takeBase(task: string, directory: string, startTree: string | undefined): Promise<TaskBase> {
    const { id, leftOut, paths } = await this.artifacts.importTree(task, directory);
    if (startTree !== undefined) this.artifacts.keep(task, startTree);
    await this.artifacts.send(task);
    const { openLanguages } = await import("./languages/open-languages.ts");
    const language = openLanguages().detect(paths())?.name ?? null;
    return { tree: id, leftOut: describeLeftOut(leftOut), language };
  }

  get version(): string {
    return this.#options.version;
  }

  get env(): AppOptions["env"] {
    return this.#options.env;
  }

  /** Opens the lessons and patterns of past tasks. Nothing is loaded before the first use. */
  async openMemory(
    settings: Pick<Settings, "memory" | "providers" | "retry">,
    warn: (message: string) => void,
    reserve?: ReserveTexts,
  ): Promise<Memory> {
    const { env, keys, secrets, databaseUrl } = this.#options;
    const { openMemory } = await import("./memory/open-memory.ts");
    const { loadScanRules } = await import("./safety/scan/scan-rules.ts");
    const { secrets: secretRules } = await loadScanRules(packageRoot());
    const index = await chooseMemoryIndex(this.store, databaseUrl);
    return openMemory({
      store: this.store,
      index,
      settings,
      env,
      keys,
      redact: redactor(secrets),
      secretRules,
      warn,
      reserve,
    });
  }

  /** What tells other processes that there is something new, and is told by them. */
  async openWire(report: (error: unknown) => void): Promise<Wire> {
    const { chooseWire } = await import("./app/choose-wire.ts");
    return chooseWire(this.#options, report);
  }

  /** A queue of this process, or the one that a team shares on its database server. */
  async openQueue(isShared: boolean, report: (error: unknown) => void): Promise<JobQueue> {
    const { chooseQueue } = await import("./app/choose-queue.ts");
    const { databaseUrl, team } = this.#options;
    return chooseQueue({ ...team, databaseUrl, isShared, stepsOf: (task) => stepsOf(this.store, task) }, report);
  }

  /** Runs a new task, from its request to its outcome. */
  async start(
    request: TaskRequest,
    settings: Settings,
    prompts: Record<Role, string>,
    options: RunOptions,
  ): Promise<RunEnd> {
    // Report what the machine lacks, and mistakes in the project's configuration, before anything begins.
    await readTestNeeds(request.directory);
    const sandbox = this.#openSandbox(settings.sandbox);
    const journal = await this.#create(newTaskId(), request, settings, prompts, options.signal);
    return this.#run(this.#place(), journal, sandbox, settings.limits, options);
  }

  async #run(...[place, journal, ...rest]: Parameters<typeof runToEnd>): Promise<RunEnd> {
    const began = Date.now();
    const end = await runToEnd(place, journal, ...rest);
    const { env, version } = this.#options;
    // Nobody loads what nobody wants.
    if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return end;
    const { sendSpans } = await import("./app/send-spans.ts");
    await sendSpans({ recording: await this.recording(journal.task), env, version, bus: this.bus }, { began, end });
    return end;
  }

  /** Writes a new task down and leaves it to whoever resumes it. It is durable when this returns. */
  async create(task: string, request: TaskRequest, settings: Settings, prompts: Record<Role, string>): Promise<void> {
    await readTestNeeds(request.directory);
    await this.#openSandbox(settings.sandbox)[Symbol.asyncDispose]();
    const { claim } = await this.#create(task, request, settings, prompts, new AbortController().signal);
    if (claim) await releaseTask(this.store, claim);
  }

  async #create(
    task: string,
    request: TaskRequest,
    settings: Settings,
    prompts: Record<Role, string>,
    signal: AbortSignal,
  ): Promise<Journal> {
    const frozen: Frozen = {
      format: FORMAT,
      request: { ...request, attachments: request.attachments.map((file) => this.#redactedAttachment(file)) },
      settings,
      prompts,
      tools: offeredTools(settings),
      seed: randomBytes(8).toString("hex"),
      version: this.#options.version,
    };
    return Journal.create(this.store, task, frozen, thisProcess(), this.#journalParts(signal));
  }

  /**
   * Runs a recorded task again as a new one. Tools, sandbox and tests really run; only the model's answers come from
   * the recording. An input that differs from the recorded one is reported as drift, and the run continues.
   */
  async reenact(
    recording: Recording,
    directory: string,
    local: Pick<Settings, "sandbox" | "safety">,
    options: RunOptions & { onDrift(drift: Drift): void },
  ): Promise<RunEnd> {
    // The new task has no parent, even if the recorded one was a fork.
    const { fork: _fork, ...recorded } = await readFrozen(recording);
    const { goal, words, attachments, apply, branch, plan } = recorded.request;
    // A file from elsewhere must not decide how code runs on this machine, or what is remembered here.
    const settings = { ...recorded.settings, memory: defaultMemory, ...local };
    const request = {
      goal,
      attachments,
      apply,
      directory,
      ...(words !== undefined && { words }),
      ...(branch !== undefined && { branch }),
      ...(plan && { plan }),
    };
    const frozen = { ...recorded, request, settings, version: this.#options.version };
    const { recordedCalls } = await import("./app/recorded-calls.ts");
    const calls = await recordedCalls(recording);
    const { askAsRecorded } = await import("./app/recorded-answers.ts");
    const asking = await askAsRecorded(recording, options.ask);
    const model = cassetteModel({
      lookup: (path) => calls.get(path),
      hashOf: (request) => pack(request).hash,
      onDrift: options.onDrift,
    });
    const sandbox = this.#openSandbox(frozen.settings.sandbox);
    const parts = this.#journalParts(options.signal);
    const journal = await Journal.create(this.store, newTaskId(), frozen, thisProcess(), parts);
    return runToEnd(this.#place(), journal, sandbox, frozen.settings.limits, { ...options, ...asking, model });
  }

  /** Continues an existing task from exactly the step it reached. `limits` widens the frozen limits. */
  async resume(task: string, limits: Partial<Limits>, options: RunOptions & { takeOver?: boolean }): Promise<RunEnd> {
    const takeOver = options.takeOver === true;
    const lent = await this.#lentVariables(task, options.signal);
    const parts = this.#journalParts(options.signal, lent.secrets);
    const journal = await Journal.resume(this.store, task, thisProcess(), parts, { purpose: "work", takeOver });
    const { settings } = journal.frozen;
    const sandbox = this.#openSandbox(settings.sandbox);
    return this.#run(this.#place(lent), journal, sandbox, { ...settings.limits, ...limits }, options);
  }

  /** Works on a todo that the worker of its task lends. Nothing is done if it is lent no more. */
  async help(task: string, strand: string, options: RunOptions): Promise<void> {
    const { Loans } = await import("./journal/loans.ts");
    const { runAsGuest } = await import("./app/run-as-guest.ts");
    const loans = new Loans(this.store);
    const loan = await loans.takeUp(task, strand);
    if (!loan) return;
    try {
      const lent = await this.#lentVariables(task, options.signal);
      const parts = this.#journalParts(options.signal, lent.secrets);
      const journal = await Journal.lent(this.store, loan.claim, parts, loans.fence(loan));
      const sandbox = this.#openSandbox(journal.frozen.settings.sandbox);
      await runAsGuest(this.#place(lent), { loans, loan }, journal, sandbox, options);
    } finally {
      await loans.end(loan);
    }
  }

  async #lentVariables(task: string, signal: AbortSignal): Promise<LentVariables> {
    const { trees } = this.#options;
    const { lentVariables, ownVariables } = await import("./app/lent-variables.ts");
    return (trees && (await lentVariables(trees, task, signal))) ?? ownVariables(await this.recording(task));
  }

  #openSandbox(choice: Settings["sandbox"]): Sandbox {
    const { dataDirectory, env } = this.#options;
    return openSandbox({ ...choice, packages: placesOfPackages(dataDirectory, env) });
  }

  /** The recording of a task, for replay, export and verification. */
  async recording(task: string): Promise<DatabaseRecording> {
    const row = await this.store.read
      .selectFrom("tasks")
      .select("frozen_hash")
      .where("id", "=", task)
      .executeTakeFirst();
    if (!row) throw fail("invalid-input", "task.unknown", `there is no task ${task}; \`miracle history\` lists them`);
    return new DatabaseRecording(this.store, task, row.frozen_hash);
  }

  /** Claims a task for work outside of its run: `apply`, `undo`. */
  async claim(task: string, signal: AbortSignal): Promise<DeliveryParts> {
    const parts = this.#journalParts(signal);
    const journal = await Journal.resume(this.store, task, thisProcess(), parts, { purpose: "delivery" });
    return { journal, artifacts: await this.treesOf(task), faults: this.#faults };
  }

  /** Ends an idle task for good. Takes back its effects outside, and removes what a killed process left. */
  async cancel(task: string, status: string): Promise<void> {
    const { cancelIdleTask, removeRemains } = await import("./app/cancel-task.ts");
    await cancelIdleTask(this.store, task, status);
    await this.#takeBack(task);
    const { settings } = await readFrozen(await this.recording(task));
    const { dataDirectory, env } = this.#options;
    await removeRemains(dataDirectory, env, task, settings.sandbox);
  }

  async #takeBack(task: string): Promise<void> {
    const { takeBackCancelled } = await import("./app/cancel-task.ts");
    const parts = await this.claim(task, new AbortController().signal);
    await takeBackCancelled(parts, await this.recording(task), this.store);
  }

  /** Gives the verifier its parts, without a task. */
  async proving<T>(options: ProvingOptions, work: (parts: ProveParts) => Promise<T>): Promise<T> {
    const { env, version, dataDirectory } = this.#options;
    const { withProveParts } = await import("./app/proving.ts");
    return withProveParts({ artifacts: this.artifacts, bus: this.bus, dataDirectory, env, version }, options, work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#artifacts?.close();
    await this.store[Symbol.asyncDispose]();
  }

  /** Text is redacted before it is encoded. In the encoded form no secret could be found. */
  #redactedAttachment(file: Attachment): Attachment {
    const bytes = Buffer.from(file.data, "base64");
    const text = bytes.toString("utf8");
    if (!Buffer.from(text, "utf8").equals(bytes)) return file;
    const redacted = redactor(this.#options.secrets)(text);
    return redacted === text ? file : { ...file, data: Buffer.from(String(redacted), "utf8").toString("base64") };
  }

  #journalParts(signal: AbortSignal, lentSecrets: string[] = []): JournalParts {
    const { secrets, trees } = this.#options;
    const beforeStep = (task: string) => this.artifacts.send(task);
    return {
      redact: redactor([...secrets, ...lentSecrets]),
      clock: Date.now,
      signal,
      bus: this.bus,
      ...(trees && { beforeStep }),
    };
  }

  #place(lent: LentVariables = { variables: {}, secrets: [] }): RunPlace {
    const { env, keys, secrets, dataDirectory } = this.#options;
    return {
      store: this.store,
      bus: this.bus,
      faults: this.#faults,
      env,
      keys,
      secrets: [...secrets, ...lent.secrets],
      lent: lent.variables,
      dataDirectory,
      openArtifacts: (task) => this.treesOf(task),
      openMemory: (settings, warn, reserve) => this.openMemory(settings, warn, reserve),
      takeBack: (task) => this.#takeBack(task),
      keepReports: async ({ task, claim }) => {
        const { keepReports } = await import("./app/keep-reports.ts");
        await keepReports(this, task, claim);
        if (this.#options.trees) await this.artifacts.send(task);
      },
    };
  }
}
