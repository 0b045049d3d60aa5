import { type AgentContext, methods, type PermissionOption } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { ApprovalAnswer, ApprovalRequest } from "../domain/approval.ts";
import { Stopped } from "../engine/hands/stop.ts";
import { fenced, withoutImages } from "./markdown.ts";
import { text } from "./session-updates.ts";

export interface Asked {
  client: AgentContext;
  sessionId: string;
  /** Who sits at the editor, for the record. */
  person: string;
  /** The editor can put a form to its person. */
  hasForms: boolean;
  /** From now on the same is not asked again in the directory. */
  keep(request: ApprovalRequest): void;
}

type Said = Omit<ApprovalAnswer, "at">;

/**
 * Puts a question to the person at the editor, with all they need to answer it. Only a plain yes is one; a dialog that
 * is closed is no answer: the task waits for one.
 */
export async function askEditor(asked: Asked, request: ApprovalRequest, signal: AbortSignal): Promise<Said> {
  const isForm = request.subject === "question" && asked.hasForms;
  // An editor that is gone, cannot ask, or was told that nobody waits any more has no answer.
  const answer = await (isForm ? inWords : byYes)(asked, request, signal).catch(() => null);
  if (answer !== null) return { ...answer, by: asked.person };
  throw new Stopped("waiting", `waiting for an answer: ${request.question} (miracle approve ${request.id})`);
}

async function byYes(
  { client, sessionId, keep }: Asked,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Omit<Said, "by"> | null> {
  const { id, subject, question, detail, covers = [] } = request;
  const { outcome } = await client.request(
    methods.client.session.requestPermission,
    {
      sessionId,
      toolCall: {
        toolCallId: id,
        title: withoutImages(`${subject}: ${question}`),
        kind: KINDS[subject] ?? "other",
        status: "pending",
        content: [text(fenced(detail, subject === "diff" ? "diff" : ""))],
      },
      options: subject === "question" ? [AS_ASSUMED] : covers.length > 0 ? [YES, ALWAYS, NO] : [YES, NO],
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (outcome.outcome !== "selected") return null;
  const always = outcome.optionId === ALWAYS.optionId && covers.length > 0;
  if (always) keep(request);
  return { granted: always || outcome.optionId === YES.optionId, reason: "" };
}

const YES: PermissionOption = { optionId: "yes", name: "Yes", kind: "allow_once" };
const ALWAYS: PermissionOption = { optionId: "always", name: "Yes, always in this directory", kind: "allow_always" };
const NO: PermissionOption = { optionId: "no", name: "No", kind: "reject_once" };

/** Without a form there is no place for words. */
const AS_ASSUMED: PermissionOption = { optionId: "no", name: "Go on as said above", kind: "reject_once" };

const KINDS: Partial<Record<ApprovalRequest["subject"], "think" | "edit" | "execute" | "fetch" | "read">> = {
  plan: "think",
  diff: "edit",
  command: "execute",
  deps: "fetch",
  network: "fetch",
  outside: "read",
  question: "think",
};

/** An empty answer leaves standing what is assumed. */
async function inWords(
  { client, sessionId }: Asked,
  { question, detail }: ApprovalRequest,
  signal: AbortSignal,
): Promise<Omit<Said, "by"> | null> {
  const told = await client.request(
    methods.client.elicitation.create,
    {
      mode: "form",
      sessionId,
      message: `${question}\n${detail}`,
      requestedSchema: { type: "object", properties: { answer: { type: "string", title: "Your answer" } } },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (told.action === "cancel") return null;
  const form = Form.safeParse(told);
  const reason = form.success ? form.data.content.answer.trim() : "";
  return { granted: reason !== "", reason };
}

const Form = z.object({ action: z.literal("accept"), content: z.object({ answer: z.string().default("") }) });
