import { randomBytes } from "node:crypto";
import type { Redact } from "../src/journal/redact.ts";
import { textCleaner } from "../src/memory/clean-text.ts";
import { Memory, type MemoryParts } from "../src/memory/memory.ts";
import { SqliteMemoryIndex } from "../src/memory/sqlite-index.ts";
import type { SecretRules } from "../src/safety/secrets/secret-rule.ts";
import { sqliteDialect } from "../src/store/sqlite.ts";
import { Store } from "../src/store/store.ts";

export interface BuiltMemory extends AsyncDisposable {
  memory: Memory;
  store: Store;
  warnings: string[];
}

/** A memory in a file, for tests and measurements. */
export async function buildMemory(
  file: string,
  parts: Partial<MemoryParts> & { redact?: Redact; secretRules?: SecretRules } = {},
): Promise<BuiltMemory> {
  const store = await Store.open(sqliteDialect(file));
  const warnings: string[] = [];
  const memory = await Memory.open({
    store,
    index: new SqliteMemoryIndex(store),
    prose: null,
    clean: textCleaner(parts.redact ?? ((value) => value), parts.secretRules ?? null),
    clock: Date.now,
    newId: () => `m${randomBytes(8).toString("hex")}`,
    warn: (message) => warnings.push(message),
    mostRecords: 1_000_000,
    ...parts,
  });
  return { memory, store, warnings, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
