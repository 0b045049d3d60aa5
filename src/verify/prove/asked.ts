import { availableParallelism, loadavg } from "node:os";
import { z } from "zod";
import { SandboxLimits } from "../../domain/settings/settings.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";

/** What a person asked of a proof, and where and when it was made. */
export const Asked = z.lazy(() =>
  z.object({
    version: z.string(),
    /** Milliseconds since 1970. */
    at: z.int(),
    sandbox: z.string(),
    limits: SandboxLimits,
    accept: z.array(z.string()),
    superseded: z.array(z.string()),
    leave: z.array(z.string()),
    mutationScore: z.number().nullable(),
    budgetMs: z.number(),
    /** Absent: a person gave the mutants their time. */
    withinMs: z.number().optional(),
    /** How many times slower the machine was than an idle one when it began. */
    busy: z.number().min(1).default(1),
  }),
);
export type Asked = z.infer<typeof Asked>;

export const askedOf = (request: ProveRequest, { version, clock, sandbox, limits }: ProveParts): Asked => {
  const { accept, superseded, leave, mutationScore, budgetMs, withinMs } = request;
  return {
    version,
    at: clock(),
    sandbox: sandbox.backend,
    limits,
    accept,
    superseded,
    leave,
    mutationScore,
    budgetMs,
    ...(withinMs !== undefined && { withinMs }),
    busy: busyFactor(loadavg()[0] ?? 0, availableParallelism()),
  };
};

/** Beyond that nobody waits. */
const MOST_BUSY = 4;

/** What others run at the same time, for each core: a verdict must not hang on it. */
const busyFactor = (load: number, cores: number): number =>
  Math.min(MOST_BUSY, Math.max(1, Math.round((10 * load) / cores) / 10));
