import { z } from "zod";
import { isWorkedOn } from "../app/worked-on.ts";
import type { Approval, ApprovalSubject } from "../domain/approval.ts";
import { fail } from "../domain/failure.ts";
import { answerApproval, findApproval } from "../journal/approvals.ts";
import { redactor } from "../journal/redact.ts";
import { resumed } from "./run-tools.ts";
import { findOwnTask, USUAL_WAIT_S, viewTask } from "./task-view.ts";
import type { Tool, ToolCall, ToolParts } from "./tool.ts";

const Input = z.strictObject({
  question: z.string().describe("the id of the question, as `run` or `task` told it"),
  granted: z.boolean().describe("what the person said: true is yes"),
  reason: z.string().max(2000).default("").describe("why, or the answer in words; the agent reads it"),
});

/**
 * What a client may say in its person's place where it cannot ask them: how work is done that it has begun itself. What the
 * work may touch, run or fetch is the person's alone, and so are the questions of other tasks.
 */
const CLIENTS_OWN: readonly ApprovalSubject[] = ["plan", "diff", "question"];

/** As much as a person reads in a dialog; the tool `task` has all of it. */
const SHOWN = 4000;

export const answerTool = (parts: ToolParts): Tool<z.output<typeof Input>> => ({
  name: "answer",
  title: "Answer a question of a task",
  description:
    "Answers what a task asked, and goes on with it. Ask your person first: a yes to a plan or a diff is theirs. Where you can " +
    "show them a form, they are asked by it and `granted` counts for nothing. Questions of safety (commands, packages, network, " +
    "files) and of tasks that you did not begin only they can answer: by that form, or by `miracle approve`.",
  input: Input,
  readOnly: false,
  answer: async ({ question, granted, reason }, call) => {
    await using opened = await parts.open(parts.places.first);
    const { app, config } = opened;
    const approval = await findApproval(app.store, question);
    const task = await findOwnTask(app, parts, approval.task);
    const { id } = approval.request;
    if (call.person?.said === "nothing yet" && !approval.answer) return { asks: textOf(approval) };
    const said = whatCounts(approval, { granted, reason }, parts.runs.isOwn(task.id), call);
    const clean = String(redactor(config.secrets)(said.reason));
    const { event, counts } = await answerApproval(app.store, id, { ...said, reason: clean, at: Date.now() });
    if (!event) {
      const how = counts.granted ? "allowed" : "not allowed";
      throw fail("invalid-input", "approval.answered", `question ${id} is answered already: ${how} by ${counts.by}`);
    }
    if (await isWorkedOn(app.store, task.id)) return await viewTask(app, task.id, parts);
    return await resumed(task, USUAL_WAIT_S, parts, call);
  },
});

function whatCounts(
  { request: { id, subject } }: Approval,
  said: { granted: boolean; reason: string },
  isOwn: boolean,
  { person, client }: ToolCall,
): { granted: boolean; reason: string; by: string } {
  if (person?.said === "answer") {
    const { granted, reason } = person;
    return { granted, reason, by: `a person at ${client} (MCP)` };
  }
  if (person?.said === "no answer") {
    throw fail("invalid-input", "approval.unanswered", `question ${id} was not answered: it stays open`);
  }
  if (isOwn && CLIENTS_OWN.includes(subject)) return { ...said, by: `${client} (MCP)` };
  const message = `question ${id} (${subject}) is a person's to answer: miracle approve ${id} --resume, or --deny`;
  throw fail("policy", "approval.person", message);
}

const textOf = ({ request: { subject, question, detail } }: Approval): string =>
  `Miracle asks (${subject}): ${question}\n\n${detail.length <= SHOWN ? detail : `${detail.slice(0, SHOWN)}\n…`}`;
