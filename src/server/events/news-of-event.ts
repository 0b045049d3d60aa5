import { currentRequest } from "../../bus/correlation.ts";
import type { NewsItem } from "../../bus/news.ts";
import type { Channel } from "../../bus/wire.ts";
import type { Event } from "../../domain/task/event.ts";
import { todoOfStrand } from "../../domain/task/step-path.ts";
import { auditOf } from "../../journal/audit-event.ts";

/** What is told of an event, on each of its channels. */
export function newsOfEvent(event: Event): NewsItem[] {
  const { task, number, at, type, step } = event;
  const todo = ("todo" in event ? event.todo : undefined) ?? todoOfStrand(step) ?? null;
  const correlation = { task, todo, step: step || null, request: currentRequest() };
  return channelsOf(event).map((channel) => ({ channel, type, number, at, correlation }));
}

/** Every event belongs to its workflow; some also say that a role was asked, has answered, or that somebody decided. */
function channelsOf(event: Event): Channel[] {
  const channels: Channel[] = ["workflow.events"];
  if (event.type === "phase-changed" && event.todo !== undefined) channels.push("agent.requests");
  if (event.type === "model-called" || event.type === "todo-settled") channels.push("agent.results");
  if (auditOf(event) !== null) channels.push("audit.logs");
  return channels;
}
