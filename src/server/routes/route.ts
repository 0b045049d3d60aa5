import { z } from "zod";
import { TaskId } from "../../domain/task/task.ts";
import type { Scope } from "../access/tokens.ts";

/** Who asks. */
export interface Caller {
  name: string;
  scopes: Scope[];
}

/** A request before it is checked. */
interface RawRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  headers: Headers;
  /** Aborted when the caller is gone, or the server stops. */
  signal: AbortSignal;
  caller: Caller;
  /** Names this request in logs, in the audit and in what follows from it. */
  id: string;
  /** Headers that the answer gets. */
  reply: Headers;
  /** What it turned out to be about, for the audit. */
  about: { task: string | null; by: string };
}

/** One thing that can be asked for: what OpenAPI says of it and what is done are one value. */
export interface Route extends Described {
  success: { status: 200 | 201 | 202; media: string; schema: z.ZodType | null };
  answer(request: RawRequest): Promise<Response>;
}

interface Described {
  method: "get" | "post";
  /** As OpenAPI writes it: `/tasks/{id}`. */
  path: string;
  /** Null: whoever reaches the server. */
  scope: Scope | null;
  summary: string;
  params: z.ZodObject;
  query: z.ZodObject;
  body: z.ZodObject;
}

/** No parameters, or no body: anything that is sent all the same is a mistake, and said. */
export const NOTHING = z.strictObject({});

interface Checked<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  headers: Headers;
  signal: AbortSignal;
  caller: Caller;
  id: string;
  reply: Headers;
  about: { task: string | null; by: string };
}

interface Spec<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> extends Described {
  params: P;
  query: Q;
  body: B;
}

/** A route that answers with JSON of this shape. */
export function jsonRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject, A extends z.ZodType>(
  spec: Spec<P, Q, B> & { status?: 200 | 201 | 202; answers: A },
  handle: (request: Checked<P, Q, B>) => Promise<z.input<A>>,
): Route {
  const { answers, status = 200, ...described } = spec;
  return {
    ...described,
    success: { status, media: "application/json", schema: answers },
    answer: async (raw) => {
      const answer = await handle(check(spec, raw));
      raw.about.task ??= taskIn(answer);
      return Response.json(answer, { status });
    },
  };
}

/** A route that answers with text of some kind, at once or as it comes. */
export function textRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject>(
  spec: Spec<P, Q, B> & { media: string },
  handle: (request: Checked<P, Q, B>) => Promise<string | ReadableStream>,
): Route {
  const { media, ...described } = spec;
  const headers = { "content-type": `${media}; charset=utf-8` };
  return {
    ...described,
    success: { status: 200, media, schema: null },
    answer: async (raw) => new Response(await handle(check(spec, raw)), { headers }),
  };
}

/** The task that an answer is about. */
function taskIn(answer: unknown): string | null {
  const { task, workflow_id, task_id, id } = Named.safeParse(answer).data ?? {};
  return [task, workflow_id, task_id, id].find((named) => TaskId.safeParse(named).success) ?? null;
}

const Named = z.object({ task: z.string(), workflow_id: z.string(), task_id: z.string(), id: z.string() }).partial();

function check<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject>(
  { params, query, body }: Spec<P, Q, B>,
  raw: RawRequest,
): Checked<P, Q, B> {
  return { ...raw, params: params.parse(raw.params), query: query.parse(raw.query), body: body.parse(raw.body) };
}
