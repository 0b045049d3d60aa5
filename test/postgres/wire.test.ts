import { describe } from "vitest";
import { PostgresWire } from "../../src/store/postgres-wire.ts";
import { wireConformance } from "../conformance/wire.ts";
import { administer, newDatabase, problem } from "./shared-server.ts";

describe.skipIf(problem !== undefined)(`a wire over PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  wireConformance(async () => {
    const url = await newDatabase();
    const others = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    return {
      open: () => new PostgresWire(url),
      interfere: async (channel, text) => void (await administer(`select pg_notify('${channel}', '${text}')`, url)),
      cut: async () => void (await administer(`select pg_terminate_backend(pid) ${others}`, url)),
    };
  });
});
