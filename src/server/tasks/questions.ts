import { z } from "zod";
import { isWorkedOn } from "../../app/worked-on.ts";
import { type Approval, ApprovalSubject } from "../../domain/approval.ts";
import { fail } from "../../domain/failure.ts";
import { type AlwaysRule, ruleOf } from "../../domain/settings/always-rule.ts";
import { TaskId } from "../../domain/task/task.ts";
import { answerApproval, findApproval, holdForTask, listApprovals } from "../../journal/approvals.ts";
import { redactor } from "../../journal/redact.ts";
import type { Queue } from "../work/queue.ts";
import type { Workplaces } from "../work/workplaces.ts";
import type { Tasks } from "./tasks.ts";

/** A question to a person, with its answer once there is one. */
export const Question = z.object({
  id: z.string(),
  task: TaskId,
  subject: ApprovalSubject,
  question: z.string(),
  detail: z.string(),
  todo: z.string().nullable(),
  createdAt: z.int(),
  answer: z.object({ granted: z.boolean(), by: z.string(), at: z.int(), reason: z.string() }).nullable(),
});
export type Question = z.infer<typeof Question>;

export interface Answer {
  granted: boolean;
  reason: string;
  by: string;
  /** A yes may hold for every question of its subject in the task, or for the very same in every task from now on. */
  holds: Holds;
}

export const Holds = z.enum(["once", "task", "always"]);
export type Holds = z.infer<typeof Holds>;

export interface QuestionParts {
  tasks: Tasks;
  places: Workplaces;
  queue: Queue;
  /** Writes a rule into the settings of whoever runs the server. */
  keepRule(rule: AlwaysRule): void;
}

/** Questions of this server's tasks, and their answers. */
export class Questions {
  readonly #parts: QuestionParts;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  async list(options: { task?: string | undefined; answered: boolean }): Promise<Question[]> {
    const { tasks } = this.#parts;
    if (options.task !== undefined) await tasks.find(options.task);
    const found = await listApprovals(tasks.store, options);
    const known = new Map<string, boolean>();
    for (const { task } of found) {
      if (!known.has(task)) known.set(task, await tasks.find(task).then(Boolean, () => false));
    }
    return found.filter(({ task }) => known.get(task)).map(toQuestion);
  }

  /** The first answer counts. A task that nobody works on goes on with it. */
  async answer(id: string, answer: Answer): Promise<Question> {
    const { tasks, places, queue } = this.#parts;
    const approval = await findApproval(tasks.store, id);
    if (approval.request.id !== id) throw unknown(id);
    const task = await tasks.find(approval.task).catch(() => null);
    if (!task) throw unknown(id);
    const { app, config } = await places.at(task.directory);
    const reason = String(redactor(config.secrets)(answer.reason));
    const { granted, by } = answer;
    if (granted && answer.holds === "always" && !approval.answer) {
      this.#parts.keepRule(ruleOf(approval.request, task.directory));
    }
    const { event, counts } = await answerApproval(app.store, id, { granted, by, reason, at: Date.now() });
    if (!event) {
      const how = counts.granted ? "allowed" : "not allowed";
      throw fail("invalid-input", "approval.answered", `question ${id} is answered already: ${how} by ${counts.by}`);
    }
    if (answer.granted && answer.holds === "task") await holdForTask(app.store, id);
    app.bus.publish(event);
    // A run that is coming to its end did not see the answer: it is followed by one that does.
    if ((await queue.isPromised(task.id)) || !(await isWorkedOn(app.store, task.id))) {
      await queue.hand(task.id, "same");
    }
    return toQuestion({ ...approval, answer: counts });
  }

  /** The only question that a task waits for. */
  async onlyOne(task: string): Promise<string> {
    const [only, ...more] = await this.list({ task, answered: false });
    if (only && more.length === 0) return only.id;
    const why = only ? "has several open questions; say which one" : "has no open question";
    throw fail("invalid-input", "approval.which", `task ${task} ${why}`);
  }
}

function toQuestion({ task, request, createdAt, answer }: Approval): Question {
  const { id, subject, question, detail, todo } = request;
  return { id, task, subject, question, detail, todo: todo ?? null, createdAt, answer };
}

const unknown = (id: string) => fail("invalid-input", "approval.unknown", `there is no question ${id}`);
