import type { CompiledQuery, Kysely } from "kysely";
import type { Tables } from "./tables.ts";

type Parameter = string | number | Uint8Array | null;

type Slot<Names extends string> = { name: Names } | { fixed: unknown };

export interface Mark<Names extends string> {
  text(name: Names): string;
  number(name: Names): number;
  bytes(name: Names): Uint8Array;
}

/**
 * A query that is built once and run often. Every step runs such queries, and building one costs more than running it.
 * `build` gets a marker for each name. The values go to the markers' places in the compiled query.
 */
export class CompiledOnce<Names extends string, Row> {
  readonly #build: (db: Kysely<Tables>, mark: Mark<Names>) => CompiledQuery<Row>;
  #compiled: { query: CompiledQuery<Row>; order: Slot<Names>[] } | undefined;

  constructor(build: (db: Kysely<Tables>, mark: Mark<Names>) => CompiledQuery<Row>) {
    this.#build = build;
  }

  /** Puts values into the query, for `run` of a write. `db` compiles it the first time. */
  with(db: Kysely<Tables>, values: Record<Names, Parameter>): CompiledQuery<Row> {
    this.#compiled ??= this.#compile(db);
    const { query, order } = this.#compiled;
    const parameters = order.map((slot) => ("name" in slot ? values[slot.name] : slot.fixed));
    return { ...query, parameters };
  }

  #compile(db: Kysely<Tables>) {
    const names = new Map<unknown, Names>();
    const query = this.#build(db, {
      text: (name) => {
        const marker = `\u0000${name}`;
        names.set(marker, name);
        return marker;
      },
      number: (name) => {
        const marker = -1_000_000 - names.size;
        names.set(marker, name);
        return marker;
      },
      bytes: (name) => {
        const marker = new Uint8Array(0);
        names.set(marker, name);
        return marker;
      },
    });
    const order = query.parameters.map((value): Slot<Names> => {
      const name = names.get(value);
      return name === undefined ? { fixed: value } : { name };
    });
    return { query, order };
  }
}
