import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import { FeatureWeights } from "./embed/feature-weights.ts";

/** The current weights: those of the highest version. They are read again only if there is a newer one. */
export class StoredWeights {
  #known = FeatureWeights.none;

  async current(db: Kysely<Tables>): Promise<FeatureWeights> {
    const newest = await db
      .selectFrom("memory_weights")
      .select("version")
      .orderBy("version", "desc")
      .limit(1)
      .executeTakeFirst();
    const version = newest?.version ?? 0;
    if (version !== this.#known.version) this.#known = await read(db, version);
    return this.#known;
  }

  /** Call in the transaction in which the last record gets its vector of this version. */
  async put(tx: Kysely<Tables>, weights: FeatureWeights, at: number): Promise<void> {
    const row = { version: weights.version, records: weights.records, counts: weights.toBytes(), created_at: at };
    await tx.insertInto("memory_weights").values(row).execute();
    await tx.deleteFrom("memory_weights").where("version", "<", weights.version).execute();
  }
}

async function read(db: Kysely<Tables>, version: number): Promise<FeatureWeights> {
  const row = await db.selectFrom("memory_weights").selectAll().where("version", "=", version).executeTakeFirst();
  return row ? FeatureWeights.fromBytes(Number(row.version), Number(row.records), row.counts) : FeatureWeights.none;
}
