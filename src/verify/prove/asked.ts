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
  };
};
