import { z } from "zod";
import { Failure } from "../failure.ts";
import { Role } from "../message.ts";
import { PlanFile } from "../plan/plan-file.ts";
import { LanguageName, Requirement } from "../plan/spec.ts";

/** The task id is the session id and the workflow id: it names a branch, a folder and a row. */
export const TaskId = z.string().regex(/^t[0-9a-z]{8,24}$/);

export const Attachment = z.object({ name: z.string(), mediaType: z.string(), data: z.string() });
export type Attachment = z.infer<typeof Attachment>;

/** The user's directory as the server saw it that wrote the task down: whoever works on it needs no directory. */
export const TaskBase = z.lazy(() =>
  z.object({ tree: z.string(), leftOut: z.array(z.string()), language: LanguageName.nullable() }),
);
export type TaskBase = z.infer<typeof TaskBase>;

/** What a person asked for, as the CLI parsed it. Settings are resolved apart. */
export const TaskRequest = z.lazy(() =>
  z.object({
    goal: z.string().min(1),
    /** The person's own words, where a template made the goal of them: what it adds, the planner turns into requirements. */
    words: z.string().optional(),
    /** The template's requirements: the plan has every one of them that the person's words do not take out. */
    demands: z.array(Requirement).optional(),
    /** The kind of project, where the person or their goal named one. */
    type: z.string().optional(),
    /** Absolute path of the user's directory. */
    directory: z.string(),
    attachments: z.array(Attachment).default([]),
    /** Made by the person, or edited: then no planner is asked. */
    plan: PlanFile.optional(),
    /** Only this role is asked; it answers, and the task stops there. */
    role: Role.optional(),
    /** The goal is a question about the project: it is answered, and nothing is built. */
    question: z.literal(true).optional(),
    /** False keeps the result in the artifact store until `miracle apply`. */
    apply: z.boolean().default(true),
    /** Tests that the coder did not see and that passed become a part of the result. */
    keepTests: z.literal(true).optional(),
    /** The result becomes a commit on this new branch of the user's repository, and their files stay as they are. */
    branch: z.string().optional(),
    /** Places of the change that the person accepts although nothing shows them: a path, or a path and a unit. */
    leave: z.array(z.string()).optional(),
    /** The task whose result this one goes on from (`continue`). */
    parent: TaskId.optional(),
    /** What the parent was about, for the planner: context, and nothing that is asked for. */
    earlier: z.string().optional(),
    /** The parent's result, when it was not applied: then the work goes on from there and not from the directory. */
    startTree: z.string().optional(),
    /** With it the task is worked on elsewhere, and its result is delivered by a server that has the directory. */
    base: TaskBase.optional(),
  }),
);
export type TaskRequest = z.infer<typeof TaskRequest>;

/** The goal as roles read it that are shown the requirements, too: nothing of it twice. */
export const goalBesideSpec = ({ goal, words }: TaskRequest): string => words ?? goal;

/** The phase of a task that only answers a question. */
export const ANSWERING = "answering";

export const TaskStatus = z.enum(["running", "paused", "proven", "checked", "not-proven", "cancelled"]);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** Whether a result stands in the user's directory, or on a branch of theirs, and why not. */
export const Delivery = z.discriminatedUnion("applied", [
  z.object({ applied: z.literal(true), branch: z.string().optional() }),
  z.object({
    applied: z.literal(false),
    reason: z.enum(["not asked for", "declined", "conflict", "left to the server"]),
    failure: Failure.optional(),
  }),
]);
export type Delivery = z.infer<typeof Delivery>;

/** How a task ended. `checked`: every command given with `--accept` passed, but no test of ours proves it. */
export const TaskOutcome = z.lazy(() =>
  z.discriminatedUnion("status", [
    z.object({ status: z.literal("proven"), tree: z.string(), delivery: Delivery }),
    z.object({ status: z.literal("checked"), tree: z.string(), delivery: Delivery }),
    z.object({ status: z.literal("not-proven"), tree: z.string().nullable(), failure: Failure }),
  ]),
);
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** A task as history shows it. */
export const TaskSummary = z.lazy(() =>
  z.object({
    id: TaskId,
    goal: z.string(),
    directory: z.string(),
    status: TaskStatus,
    phase: z.string(),
    iterations: z.int(),
    costMicros: z.int(),
    tokens: z.int(),
    failure: Failure.nullable(),
    baseTree: z.string().nullable(),
    resultTree: z.string().nullable(),
    parent: TaskId.nullable(),
    /** Of a fork: the parent's step that was the first to be done anew. */
    forkedAt: z.int().nullable().default(null),
    createdAt: z.int(),
    updatedAt: z.int(),
  }),
);
export type TaskSummary = z.infer<typeof TaskSummary>;
