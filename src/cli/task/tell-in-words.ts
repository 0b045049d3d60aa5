import { randomBytes } from "node:crypto";
import type { OpenedApp } from "../../app.ts";
import type { Event } from "../../domain/task/event.ts";
import { tellTask } from "../../journal/messages.ts";
import { redactor } from "../../journal/redact.ts";
import { personName } from "../terminal/ask-approval.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Says something to a task in the name of the person at this terminal. It is durable when this returns. */
export function tellInWords(
  terminal: Terminal,
  { app, config }: OpenedApp,
  task: string,
  words: string,
): Promise<Event> {
  const text = String(redactor(config.secrets)(words));
  const id = `m${randomBytes(5).toString("hex")}`;
  return tellTask(app.store, task, { id, text, by: personName(terminal.env), at: Date.now() });
}
