import { runNotifyCommand } from "../../app/notify-command.ts";
import { type Delta, isDelta } from "../../bus/bus.ts";
import type { Event } from "../../domain/task/event.ts";
import type { AuditLog } from "../access/audit-log.ts";
import { postWebhook, type Webhook } from "./webhook.ts";

/** How a person wants to be told, as their settings say. */
export interface NotificationParts {
  webhook: Webhook | null;
  /** A command of the shell. */
  command: string | null;
  desktop: boolean;
  env: Record<string, string | undefined>;
  audit: AuditLog;
  /** Ends what is under way. */
  signal: AbortSignal;
  report(error: unknown): void;
}

interface Notice {
  status: string;
  task: string;
  number: number;
  at: number;
  /** One line for a person. */
  text: string;
}

/** Tells a person that a task waits for them, or has ended. */
export class Notifications {
  readonly #parts: NotificationParts;

  constructor(parts: NotificationParts) {
    this.#parts = parts;
  }

  /** A listener for the bus. */
  readonly hear = (message: Event | Delta): void => {
    const notice = isDelta(message) ? null : noticeOf(message);
    if (notice) void this.#send(notice).catch(this.#parts.report);
  };

  async #send(notice: Notice): Promise<void> {
    const { webhook, command, desktop, env, signal } = this.#parts;
    const { status, task, number, text } = notice;
    const facts = { ...env, MIRACLE_TASK: task, MIRACLE_STATUS: status, MIRACLE_TEXT: text };
    await Promise.all([
      webhook &&
        this.#note("webhook", notice, postWebhook(webhook, `${task}-${number}`, JSON.stringify(notice), signal)),
      command && this.#note("command", notice, runNotifyCommand(["sh", "-c", command], facts)),
      desktop && this.#note("desktop", notice, runNotifyCommand(["notify-send", "Miracle", text], env)),
    ]);
  }

  async #note(way: string, { task, status }: Notice, sending: Promise<string | undefined>): Promise<void> {
    const problem = await sending;
    const action = problem === undefined ? "notification-sent" : "notification-failed";
    await this.#parts.audit.note({ action, by: way, task, request: null, detail: problem ?? status });
    if (problem !== undefined) this.#parts.report(new Error(`the ${way} for task ${task} failed: ${problem}`));
  }
}

/** Null: nothing that anybody waits for. */
function noticeOf(event: Event): Notice | null {
  const { task, number, at } = event;
  if (event.type === "approval-requested") {
    const { question } = event.request;
    return { status: "waiting", task, number, at, text: `task ${task} asks: ${question}` };
  }
  if (event.type !== "task-settled") return null;
  const { status } = event.outcome;
  return { status, task, number, at, text: `task ${task}: ${status}` };
}
