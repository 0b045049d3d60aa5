import { join } from "node:path";
import { Bus, isDelta } from "../src/bus/bus.ts";
import { forEachRole } from "../src/domain/message.ts";
import { defaultMemory } from "../src/domain/settings/memory-settings.ts";
import { strictSafety } from "../src/domain/settings/safety-settings.ts";
import type { Settings } from "../src/domain/settings/settings.ts";
import type { Event } from "../src/domain/task/event.ts";
import { thisProcess } from "../src/journal/claim.ts";
import { FORMAT, type Frozen } from "../src/journal/frozen.ts";
import { Journal, type JournalParts } from "../src/journal/journal.ts";
import { redactor } from "../src/journal/redact.ts";
import { sqliteDialect } from "../src/store/sqlite.ts";
import { Store } from "../src/store/store.ts";

const parameters = { maxOutputTokens: 1000 };
const role = { models: ["test/model"], parameters };

/** Settings that no test needs to spell out. */
export const testSettings: Settings = {
  models: forEachRole(() => role),
  providers: { test: { kind: "openai-compatible", toolCalling: true } },
  prices: {},
  windows: {},
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
    timeoutMs: 3_600_000,
  },
  sandbox: {
    backend: "bubblewrap",
    limits: { cpus: 1, memoryMb: 1024, pids: 128, diskMb: 512, timeoutMs: 60_000, outputBytes: 64_000 },
  },
  retry: { attempts: 2, baseMs: 1, maxMs: 10, requestTimeoutMs: 30_000 },
  effort: "standard",
  direct: false,
  accept: [],
  mutationScore: null,
  clarify: "never",
  architect: "never",
  review: false,
  audit: false,
  proving: { sharpen: false },
  recovery: { rewrite: false, ask: false },
  safety: strictSafety,
  memory: defaultMemory,
  confirm: [],
  writeScope: [],
  redactVariables: [],
};

export function testFrozen(change: Partial<Frozen> = {}): Frozen {
  return {
    format: FORMAT,
    request: { goal: "a goal", directory: "/somewhere", attachments: [], apply: true },
    settings: testSettings,
    prompts: forEachRole((role) => `you are the ${role}`),
    tools: forEachRole(() => []),
    seed: "seed",
    version: "0.0.0",
    ...change,
  };
}

export class JournalBuilder {
  readonly file: string;
  readonly events: Event[] = [];
  readonly parts: JournalParts;

  constructor(directory: string, secrets: string[] = []) {
    this.file = join(directory, "miracle.db");
    const bus = new Bus();
    bus.subscribe((message) => {
      if (!isDelta(message)) this.events.push(message);
    });
    let time = 1000;
    this.parts = { redact: redactor(secrets), clock: () => time++, signal: new AbortController().signal, bus };
  }

  store(): Promise<Store> {
    return Store.open(sqliteDialect(this.file));
  }

  create(store: Store, task = "t00000001", frozen = testFrozen()): Promise<Journal> {
    return Journal.create(store, task, frozen, thisProcess(), this.parts);
  }

  resume(store: Store, task = "t00000001"): Promise<Journal> {
    return Journal.resume(store, task, thisProcess(), this.parts);
  }
}
