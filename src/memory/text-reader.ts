import type { Lesson } from "../domain/memory/lesson.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Store } from "../store/store.ts";
import type { Embedder } from "./embed/embedder.ts";
import { entryOf } from "./entry-of.ts";
import type { Meaning } from "./find.ts";
import { saysSomething } from "./keep-record.ts";
import type { IndexFilter, MemoryIndex, Vector } from "./memory-index.ts";
import type { Signature } from "./signature/signature.ts";
import type { StoredWeights } from "./stored-weights.ts";
import { errorModel, meaningOf, textVectors } from "./text-vectors.ts";
import { unreadRecords } from "./unread-records.ts";

export interface TextReaderParts {
  store: Store;
  index: MemoryIndex;
  /** Null: there is no model, and prose is found by its words alone. */
  prose: Embedder | null;
  warn(message: string): void;
}

/** Memory's access to the sentence model. Errors are reported, and memory continues without the model. */
export class TextReader {
  readonly #parts: TextReaderParts;
  readonly #weights: StoredWeights;

  constructor(parts: TextReaderParts, weights: StoredWeights) {
    this.#parts = parts;
    this.#weights = weights;
  }

  /** True if there is a model that is not loaded yet. */
  get isCold(): boolean {
    return this.#parts.prose?.isLoaded?.() === false;
  }

  /** Without the model an error is still found, a little less well. */
  meaningOf(signature: Signature): Meaning | null {
    const meaning = meaningOf(this.#parts.prose, signature);
    if (meaning === null) return null;
    const read = async () => {
      try {
        return await meaning.read();
      } catch (error) {
        this.#parts.warn(`searched without the sentence model: ${said(error)}`);
        return null;
      }
    };
    return { model: meaning.model, read };
  }

  /** A sentence model that does not answer must not lose what was learnt. */
  async read(records: readonly (Lesson | Pattern)[]): Promise<Map<string, Vector[]>> {
    const { prose, warn } = this.#parts;
    if (prose === null || records.length === 0) return new Map();
    try {
      return await textVectors(prose, records);
    } catch (error) {
      warn(`kept without a vector for prose (\`miracle memory reindex\` makes it later): ${said(error)}`);
      return new Map();
    }
  }

  /** The stored vectors. A record is read only if it has none. */
  async known(records: readonly (Lesson | Pattern)[]): Promise<Map<string, Vector[]>> {
    const { prose, index } = this.#parts;
    if (prose === null) return new Map();
    const models = [prose.model, errorModel(prose.model)];
    const stored = await index.vectors(
      models,
      records.map(({ id }) => id),
    );
    const known = new Map<string, Vector[]>();
    for (const { id, vector } of stored) known.set(id, [...(known.get(id) ?? []), vector]);
    const missing = records.filter((record) => saysSomething(record) && !isRead(record, known.get(record.id) ?? []));
    return new Map([...known, ...(await this.read(missing))]);
  }

  /** Reads the records that were kept while the model was not loaded. */
  async readUnread(filter: IndexFilter): Promise<void> {
    const { store, index, prose } = this.#parts;
    if (prose === null) return;
    const unread = await unreadRecords(store.read, index, prose.model, filter);
    const vectors = await this.read(unread);
    if (vectors.size === 0) return;
    await store.write(
      async (tx) => {
        const weights = await this.#weights.current(tx);
        for (const record of unread) {
          // Another process may have deleted or disabled the record meanwhile.
          const table = record.kind === "lesson" ? "failures" : "patterns";
          const row = await tx.selectFrom(table).select("status").where("id", "=", record.id).executeTakeFirst();
          const read = vectors.get(record.id);
          if (row?.status === "active" && read) await index.add(tx, entryOf(record, [weights], read));
        }
      },
      { durable: false },
    );
  }
}

/** An older version may have read an error in another way. */
const isRead = (record: Lesson | Pattern, vectors: readonly Vector[]): boolean =>
  record.kind === "lesson" ? vectors.some(({ model }) => model.endsWith(errorModel(""))) : vectors.length > 0;

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
