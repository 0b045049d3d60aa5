import { sharedPrefix } from "../../agents/context/shared-prefix.ts";
import { isSummary } from "../../agents/context/summary-message.ts";
import { tokensOfMessage, tokensOfText, tokensOfTools } from "../../agents/context/tokens.ts";
import type { ListedStep } from "../../app/task-steps.ts";
import type { App } from "../../app.ts";
import { type Message, ModelRequest } from "../../domain/message.ts";
import { unpack } from "../../journal/pack.ts";
import { count, tokens } from "../text/amounts.ts";
import { listSteps } from "./list-steps.ts";

/** What one model call was shown, by kind, in estimated tokens. */
interface ShownContext {
  step: number;
  path: string;
  role: string;
  parts: Record<string, number>;
  /** Messages that gave way to a note. */
  shortened: number;
  /** As the provider counted it. */
  inputTokens: number | null;
  cachedInputTokens: number | null;
  /** What an earlier call of the task began with, too: a provider's cache could have it. */
  reusable: number;
}

/** What each turn of a task contained, from the recorded requests. */
export async function* listContexts(app: App, task: string): AsyncGenerator<ShownContext> {
  const recording = await app.recording(task);
  const earlier: ModelRequest[] = [];
  for await (const step of listSteps(app, task)) {
    if (step.kind !== "model") continue;
    const request = ModelRequest.parse(await unpack(step.input_hash, (hash) => recording.blob(hash)));
    const reusable = Math.max(
      0,
      ...earlier.filter(({ role }) => role === request.role).map((one) => sharedPrefix(one, request)),
    );
    earlier.push(request);
    yield { ...contextOf(step, request), reusable };
  }
}

function contextOf(step: ListedStep, { role, messages, tools }: ModelRequest): Omit<ShownContext, "reusable"> {
  const parts: Record<string, number> = { tools: tokensOfTools(tools) };
  const add = (name: string, amount: number) => {
    parts[name] = (parts[name] ?? 0) + amount;
  };
  let isBriefing = true;
  for (const message of messages) {
    if (message.role === "assistant") isBriefing = false;
    if (message.role === "assistant") {
      add("own words", tokensOfText(message.content));
      add("own calls", tokensOfMessage(message) - tokensOfText(message.content));
    } else if (message.role === "tool") add(message.name, tokensOfMessage(message));
    else if (isSummary(message)) add("summary", tokensOfMessage(message));
    else add(message.role === "system" ? "prompt" : isBriefing ? "briefing" : "advice", tokensOfMessage(message));
  }
  return {
    step: step.sequence,
    path: step.path,
    role,
    parts,
    shortened: messages.filter(isShortened).length,
    inputTokens: step.usage?.inputTokens ?? null,
    cachedInputTokens: step.usage?.cachedInputTokens ?? null,
  };
}

const isShortened = (message: Message): boolean =>
  message.role === "tool" && /left out to save room|^\(an older view of /m.test(message.content);

export function contextLine({ step, path, role, parts, shortened, reusable, ...counted }: ShownContext): string {
  const { inputTokens, cachedInputTokens } = counted;
  const shown = Object.entries(parts)
    .filter(([, amount]) => amount > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, amount]) => `${name} ${amount}`);
  const cached = cachedInputTokens ? `, ${cachedInputTokens} of them cached` : "";
  const real = inputTokens === null ? "" : `: ${tokens(inputTokens)} as counted by the provider${cached}`;
  const notes = shortened === 0 ? "" : `, ${count(shortened, "answer")} left out`;
  const again = reusable === 0 ? "" : `; ${reusable} of them could come from a cache`;
  return `${String(step).padStart(5)}  ${role} ${path}${real}\n       about ${shown.join(", ")}${notes}${again}\n`;
}
