import { PGlite } from "@electric-sql/pglite";
import { afterAll, describe } from "vitest";
import { postgresDialect } from "../../src/store/postgres.ts";
import { storeConformance } from "../conformance/store.ts";
import { pgliteServer } from "./pglite-session.ts";
import { newSchema, problem } from "./shared-server.ts";

describe.skipIf(problem !== undefined)(`a real server${problem ? ` (${problem})` : ""}`, () => {
  storeConformance("PostgreSQL", newSchema);
});

let database: Promise<PGlite> | undefined;
afterAll(async () => (await database)?.close());

let schemas = 0;
storeConformance(
  "PGlite",
  async () => {
    // It takes seconds to start: all tests share one.
    database ??= PGlite.create();
    const open = pgliteServer(await database);
    schemas += 1;
    const schema = `test_${schemas}`;
    return { open: () => postgresDialect({ open, where: "this process", schema }) };
  },
  { oneSession: true },
);
