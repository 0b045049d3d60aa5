import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { forEachRole, type ModelRequest } from "../src/domain/message.ts";
import type { Provider, Settings } from "../src/domain/settings/settings.ts";
import { openLedger } from "../src/llm/ledger.ts";
import type { Ledger, Model, ModelCall } from "../src/llm/model.ts";
import { type ModelParts, openModel } from "../src/llm/open-model.ts";
import { sqliteDialect } from "../src/store/sqlite.ts";
import { Store } from "../src/store/store.ts";

/** A model on a real ledger in a real database, with a clock that never waits. */
export interface TestModel extends AsyncDisposable {
  model: Model;
  ledger: Ledger;
  store: Store;
  /** The pauses that were asked for, in milliseconds. */
  pauses: number[];
  notices: string[];
  deltas: string[];
  ask(request?: Partial<ModelRequest>, signal?: AbortSignal): ReturnType<Model["complete"]>;
}

export interface TestModelOptions {
  providers: Record<string, Partial<Provider> & { baseUrl: string }>;
  models: string[];
  prices?: Settings["prices"];
  limits?: Partial<Settings["limits"]>;
  retry?: Partial<Settings["retry"]>;
  keys?: Record<string, string>;
  parts?: Partial<ModelParts>;
}

export const TEST_TASK = "t00000000";

export async function openTestModel(options: TestModelOptions): Promise<TestModel> {
  const directory = await mkdtemp(join(tmpdir(), "miracle-model-"));
  const store = await openTestStore(join(directory, "test.db"));
  const settings = testSettings(options);
  const ledger = openLedger(store, { task: TEST_TASK, epoch: 0, limits: settings.limits, now: () => 0 });
  const pauses: number[] = [];
  const notices: string[] = [];
  const deltas: string[] = [];
  const model = openModel({
    settings,
    ledger,
    keys: (variable) => options.keys?.[variable],
    clock: {
      now: () => Date.UTC(2026, 0, 1),
      sleep: async (ms, signal) => {
        pauses.push(ms);
        signal.throwIfAborted();
      },
    },
    random: () => 0.5,
    environment: {},
    ...options.parts,
  });
  const call = (signal: AbortSignal): ModelCall => ({
    path: "test/model/1",
    signal,
    onDelta: (text) => deltas.push(text),
    onNotice: (line) => notices.push(line),
  });
  return {
    model,
    ledger,
    store,
    pauses,
    notices,
    deltas,
    ask: (request, signal = new AbortController().signal) =>
      model.complete({ ...testRequest(), ...request }, call(signal)),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** A database with one running task. */
export async function openTestStore(file: string): Promise<Store> {
  const store = await Store.open(sqliteDialect(file));
  await store.write((tx) =>
    tx
      .insertInto("tasks")
      .values({
        id: TEST_TASK,
        description: "",
        directory: "/",
        status: "running",
        phase: "init",
        frozen_hash: "",
        created_at: 0,
        updated_at: 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  return store;
}

export function testRequest(): ModelRequest {
  return {
    role: "coder",
    messages: [
      { role: "system", content: "You are the coder." },
      { role: "user", content: [{ type: "text", text: "Say hello." }] },
    ],
    tools: [],
    parameters: { maxOutputTokens: 100 },
  };
}

export function testSettings(options: Omit<TestModelOptions, "keys" | "parts">): ModelParts["settings"] {
  const roleModel = { models: options.models, parameters: { maxOutputTokens: 100 } };
  return {
    models: forEachRole(() => roleModel),
    providers: Object.fromEntries(
      Object.entries(options.providers).map(([name, provider]) => [
        name,
        { kind: "openai-compatible", toolCalling: true, ...provider },
      ]),
    ),
    prices: options.prices ?? {},
    limits: {
      maxIterations: 15,
      warnAtIteration: 12,
      patience: 4,
      debugAttempts: 0,
      candidates: 1,
      planUpdates: 0,
      parallel: 1,
      maxTurns: 40,
      maxCostMicros: null,
      maxTokens: null,
      timeoutMs: 600_000,
      ...options.limits,
    },
    retry: { attempts: 3, baseMs: 1000, maxMs: 30_000, requestTimeoutMs: 10_000, ...options.retry },
  };
}

/** Waits until something observable is true. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(2);
}
