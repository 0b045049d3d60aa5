import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import type { Tables } from "../tables.ts";
import * as spine from "./0001-spine.ts";
import * as memory from "./0002-memory.ts";
import * as forksAndMetrics from "./0003-forks-and-metrics.ts";
import * as memoryUses from "./0004-memory-uses.ts";
import * as messages from "./0005-messages.ts";
import * as services from "./0006-services.ts";
import * as sessionsAndAudit from "./0007-sessions-and-audit.ts";
import * as queue from "./0008-queue.ts";
import * as budgets from "./0009-budgets.ts";
import * as loans from "./0010-loans.ts";
import * as columns from "./0011-columns.ts";

export interface Migration {
  up(db: Kysely<Tables>, types: ColumnTypes): Promise<void>;
}

/** In order; the number of a migration is its place, from 1. A released migration is never edited. */
export const migrations: Migration[] = [
  spine,
  memory,
  forksAndMetrics,
  memoryUses,
  messages,
  services,
  sessionsAndAudit,
  queue,
  budgets,
  loans,
  columns,
];
