import { randomBytes } from "node:crypto";
import type { Redact } from "../journal/redact.ts";
import type { SecretRules } from "../safety/secrets/secret-rule.ts";
import { sqliteDialect } from "../store/sqlite.ts";
import { Store } from "../store/store.ts";
import { textCleaner } from "./clean-text.ts";
import { Memory, type MemoryParts } from "./memory.ts";
import { SqliteMemoryIndex } from "./sqlite-index.ts";

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
