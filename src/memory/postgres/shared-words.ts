import { sql, type Transaction } from "kysely";
import type { Store } from "../../store/store.ts";
import type { Tables } from "../../store/tables.ts";
import type { IndexHit } from "../memory-index.ts";
import { queryWords } from "../words.ts";

/** The rarest words choose the candidates until there are this many. The other words only add to the score. */
const ENOUGH_CANDIDATES = 1000;
const MOST_CANDIDATES = 5000;

/** Rows of the counts that are no words: the number of entries, and the total number of their words. */
const ENTRIES = "";
const LENGTHS = " ";

/** BM25's two parameters: how soon repetition stops to matter, and how much length matters. */
const SATURATION = 1.2;
const LENGTH = 0.75;

/**
 * Full text on prepared words: a text vector holds them unchanged. PostgreSQL's own ranking does not know how rare a
 * word is, so the entries of each word are counted in a separate table.
 */
export class SharedWords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Call before the entry's row is written, with its words; with `sign` -1 before it is deleted. */
  async count(tx: Transaction<Tables>, words: readonly string[], sign: 1 | -1): Promise<void> {
    const counted = [
      ...words.map((word): [string, number] => [word, sign]),
      [ENTRIES, sign] as const,
      [LENGTHS, sign * words.length] as const,
    ];
    // Always in the same order: otherwise two transactions that count the same words could deadlock.
    const rows = counted
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([word, entries]) => sql`(${word}, ${entries}::bigint)`);
    await sql`insert into memory_word_counts as c (word, entries) values ${sql.join(rows)}
      on conflict (word) do update set entries = c.entries + excluded.entries`.execute(tx);
  }

  async search(words: readonly string[], shelves: readonly string[], k: number): Promise<IndexHit[]> {
    const wanted = queryWords(words);
    if (wanted.length === 0 || shelves.length === 0) return [];
    const { rows: counts } = await sql<{ word: string; entries: number }>`select word, entries from memory_word_counts
      where word in (${sql.join([...wanted, ENTRIES, LENGTHS])}) and entries > 0`.execute(this.#store.read);
    const total = counts.find(({ word }) => word === ENTRIES)?.entries ?? 0;
    const usual = Math.max(1, (counts.find(({ word }) => word === LENGTHS)?.entries ?? 0) / Math.max(1, total));
    const known = counts
      .filter(({ word }) => word !== ENTRIES && word !== LENGTHS)
      .sort((a, b) => a.entries - b.entries);
    if (known.length === 0) return [];
    const weights = known.map(({ word, entries }) => sql`(${word}, ${rarity(entries, total)}::float8)`);
    const { rows } = await sql<IndexHit>`with sought (word, weight) as (values ${sql.join(weights)}),
      candidates as materialized (select id, words from memory_entries
        where words @@ ${queryOf(rarestOf(known))}::tsquery and shelf in (${sql.join(shelves)}) limit ${MOST_CANDIDATES})
      select c.id, s.weight / (${SATURATION}::float8 * (${1 - LENGTH}::float8 + ${LENGTH / usual}::float8 * length(c.words)) + 1) as score
      from candidates c cross join lateral (select sum(weight) as weight from unnest(tsvector_to_array(c.words)) as has (word)
        join sought using (word)) s
      order by score desc, c.id limit ${k}`.execute(this.#store.read);
    return rows;
  }
}

function rarity(entries: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - entries) + 0.5) / (entries + 0.5));
}

function rarestOf(counts: readonly { word: string; entries: number }[]): string[] {
  const rarest: string[] = [];
  let candidates = 0;
  for (const { word, entries } of counts) {
    if (rarest.length > 0 && candidates + entries > ENOUGH_CANDIDATES) break;
    rarest.push(word);
    candidates += entries;
  }
  return rarest;
}

/** Bypasses the parser of the text search, which would split words. */
function queryOf(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`).join(" | ");
}
