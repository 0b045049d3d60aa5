import type { Transaction } from "kysely";
import { currentRequest } from "../bus/correlation.ts";
import { howAnswered } from "../domain/how-answered.ts";
import type { Event } from "../domain/task/event.ts";
import { addAudit } from "../store/audit.ts";
import type { Tables } from "../store/tables.ts";

/** Enters what somebody decided, what was refused and what left the checkout, in the transaction of its event. */
export async function auditEvent(tx: Transaction<Tables>, event: Event): Promise<void> {
  const entry = auditOf(event);
  if (!entry) return;
  const { task, at } = event;
  await addAudit(tx, { at, action: event.type, task, request: currentRequest(), ...entry });
}

/** Pure. Null: nothing that anybody has to answer for. */
export function auditOf(event: Event): { by: string; detail: string } | null {
  switch (event.type) {
    case "approval-answered": {
      const { by, reason } = event.answer;
      return { by, detail: `${howAnswered(event.subject, event.answer)}: ${event.question}${reason && `: ${reason}`}` };
    }
    case "safety-refused":
      return { by: event.what, detail: `${event.subject}: ${event.reasons.map(({ rule }) => rule).join(", ")}` };
    case "network-refused":
      return { by: "network", detail: `${event.method} ${event.host}:${event.port}: ${event.reason}` };
    case "change-applied":
    case "change-undone":
      return { by: "", detail: `${event.branch ?? "files"}: ${event.files.join(", ")}` };
    default:
      return null;
  }
}
