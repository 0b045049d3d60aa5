import { z } from "zod";
import { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { PlanState } from "../../domain/task/plan-state.ts";
import { TaskId } from "../../domain/task/task.ts";
import { Cassette } from "../../journal/cassette.ts";
import { StepDetail, StepView } from "../tasks/step-view.ts";
import type { TaskContents } from "../tasks/task-contents.ts";
import { jsonRoute, NOTHING, type Route, textRoute } from "./route.ts";
import { TaskPath } from "./task-routes.ts";
import { Used } from "./usage-figures.ts";

const StepPage = z.strictObject({
  after: z.coerce.number().int().min(-1).default(-1).describe("Steps behind this one: `next` of the page before"),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

const FileList = z.object({
  files: z.array(z.object({ path: z.string(), change: z.enum(["added", "modified", "deleted", "mode"]).nullable() })),
  truncated: z.boolean(),
});

const TaskUsage = z.object({
  costMicros: z.int(),
  tokens: z.int(),
  limits: z.object({
    maxCostMicros: z.int().nullable(),
    maxTokens: z.int().nullable(),
    maxIterations: z.int(),
    timeoutMs: z.int(),
  }),
  roles: z.array(Used),
  models: z.array(Used),
  phases: z.array(Used),
});

/** What a task has made so far. */
export function contentsRoutes(contents: TaskContents): Route[] {
  const read = <A extends z.ZodType>(
    name: string,
    summary: string,
    answers: A,
    handle: (id: string) => Promise<z.input<A>>,
  ): Route =>
    jsonRoute(
      {
        method: "get",
        path: `/tasks/{id}/${name}`,
        scope: "read",
        summary,
        params: TaskPath,
        query: NOTHING,
        body: NOTHING,
        answers,
      },
      ({ params }) => handle(params.id),
    );
  return [
    read("plan", "its plan with the state of each todo; null before there is one", PlanAnswer, async (id) => ({
      plan: await contents.plan(id),
    })),
    read("usage", "what its model calls took, by role, model and phase, and what they may take", TaskUsage, (id) =>
      contents.usage(id),
    ),
    read("files", "the files of its result, with what was changed", FileList, (id) => contents.files(id)),
    read("evidence", "why its result may be believed", EvidenceDocument, (id) => contents.evidence(id)),
    read("cassette", "everything to replay it elsewhere, without any model", Cassette, (id) => contents.cassette(id)),
    jsonRoute(
      {
        method: "get",
        path: "/tasks/{id}/steps",
        scope: "read",
        summary: "its recorded steps, in order",
        params: TaskPath,
        query: StepPage,
        body: NOTHING,
        answers: z.object({ steps: z.array(StepView), next: z.int().nullable() }),
      },
      ({ params, query }) => contents.steps(params.id, query.after, query.limit),
    ),
    jsonRoute(
      {
        method: "get",
        path: "/tasks/{id}/steps/{step}",
        scope: "read",
        summary: "what one step was given and what came of it",
        params: z.strictObject({ id: TaskId, step: z.string().regex(/^\d{1,9}$/) }),
        query: NOTHING,
        body: NOTHING,
        answers: StepDetail,
      },
      ({ params }) => contents.step(params.id, Number(params.step)),
    ),
    textRoute(
      {
        method: "get",
        path: "/tasks/{id}/files/{path}",
        scope: "read",
        summary: "one file as text; the slashes of its path are written %2F",
        params: z.strictObject({ id: TaskId, path: z.string().min(1).max(4096) }),
        query: z.strictObject({ side: z.enum(["before", "after"]).default("after") }),
        body: NOTHING,
        media: "text/plain",
      },
      ({ params, query }) => contents.file(params.id, params.path, query.side),
    ),
    textRoute(
      {
        method: "get",
        path: "/tasks/{id}/diff",
        scope: "read",
        summary: "the change it made, as `git apply` reads it",
        params: TaskPath,
        query: NOTHING,
        body: NOTHING,
        media: "text/x-diff",
      },
      ({ params }) => contents.diff(params.id),
    ),
  ];
}

const PlanAnswer = z.object({ plan: PlanState.nullable() });
