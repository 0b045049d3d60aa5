import { openPostgres } from "../src/store/open-postgres.ts";
import { Store } from "../src/store/store.ts";
import { JournalBuilder } from "../test/journal-builder.ts";
import { PostgresServer } from "../test/postgres/postgres-server.ts";
import { timeSteps } from "./measure-journal.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const STEPS = 300;
const DURABLE_STEPS = 50;

/** What a step costs on a PostgreSQL server of this machine, beside the embedded database. No row where there is none. */
export const measurePostgres = (place: Place): Measurement => {
  let rounds = 0;
  return measurement(
    ["journal-postgres"],
    async () => {
      const server = await PostgresServer.start();
      if (typeof server === "string") {
        process.stderr.write(`journal-postgres is left out: ${server}\n`);
        return [];
      }
      await using _ = server;
      await using postgres = await Store.open(openPostgres(server.url()));
      const builder = new JournalBuilder(place.directory("journal-beside"));
      await using embedded = await builder.store();
      rounds += 1;
      const task = `t${String(rounds).padStart(8, "0")}`;
      return [
        { postgres: await timeStore(builder, postgres, task), embedded: await timeStore(builder, embedded, task) },
      ];
    },
    (taken) => {
      const samples = taken.flat();
      if (samples.length === 0) return [];
      const of = (which: "postgres" | "embedded", how: "loose" | "durable") =>
        median(samples.map((sample) => sample[which][how]));
      const figures = (which: "postgres" | "embedded") =>
        `${of(which, "loose").toFixed(2)} ms, flushed ${of(which, "durable").toFixed(2)} ms`;
      return [
        {
          name: "journal-postgres",
          what: "journal step on PostgreSQL without fsync",
          value: of("postgres", "loose"),
          unit: "ms",
          bar: null,
          detail: `PostgreSQL ${figures("postgres")}; SQLite ${figures("embedded")}`,
        },
      ];
    },
  );
};

async function timeStore(builder: JournalBuilder, store: Store, task: string) {
  const journal = await builder.create(store, task);
  return journal.run("task", async (strand) => ({
    loose: await timeSteps(strand, STEPS, false),
    durable: await timeSteps(strand, DURABLE_STEPS, true),
  }));
}
