import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { type Failure, TerminalFailure } from "../../domain/failure.ts";

/** Why a request was refused, as RFC 9457 writes it. `code` is for programs, `detail` for people. */
export const Problem = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** Ends a request. Everything else that a route throws is translated by `toProblem`. */
export class Refusal extends Error {
  readonly problem: Problem;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, detail: string, more: { headers?: Record<string, string> } = {}) {
    super(detail);
    this.name = "Refusal";
    this.problem = problem(status, code, detail);
    this.headers = more.headers ?? {};
  }
}

/** What went wrong with us is told to the log, never to the caller. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Refusal) return error.problem;
  if (error instanceof z.ZodError) return invalid(error);
  if (error instanceof TerminalFailure)
    return problem(statusOf(error.failure), error.failure.code, error.failure.message);
  return problem(500, "server.internal", "an error of Miracle's own; the server's log says more");
}

function invalid(error: z.ZodError): Problem {
  const errors = error.issues.slice(0, 20).map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  const [first] = errors;
  const detail = first ? `${first.path === "" ? "the request" : first.path}: ${first.message}` : "not as described";
  return { ...problem(422, "request.invalid", detail), errors };
}

function problem(status: number, code: string, detail: string): Problem {
  return { type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, detail, code };
}

/** What stands against it is the state of the task, and not the request. */
const CONFLICTS = new Set([
  "task.settled",
  "task.live",
  "task.idle",
  "task.queued",
  "task.no-result",
  "task.no-plan",
  "approval.answered",
  "approval.which",
  "apply.nothing",
]);

const UNKNOWN = new Set([
  "task.unknown",
  "approval.unknown",
  "step.unknown",
  "file.unknown",
  "agent.unknown",
  "memory.unknown",
]);

export function statusOf({ kind, code }: Pick<Failure, "kind" | "code">): number {
  if (UNKNOWN.has(code)) return 404;
  if (CONFLICTS.has(code)) return 409;
  switch (kind) {
    case "invalid-input":
      return 400;
    case "policy":
      return 403;
    case "environment":
    case "transient":
      return 503;
    default:
      return 409;
  }
}
