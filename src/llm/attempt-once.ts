import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { hiddenAttachmentTokens } from "./attachments.ts";
import { faultIn, withoutKey } from "./attempt-fault.ts";
import { classifyFault } from "./classify-fault.ts";
import type { HttpPoster } from "./http-post.ts";
import type { Amount, Ledger, ModelCall, Reservation } from "./model.ts";
import type { ModelCandidate } from "./model-candidate.ts";
import { keyIn, openProvider } from "./open-provider.ts";
import { amountOf, worstCase } from "./prices.ts";
import type { RawAnswer, RawUsage } from "./provider-model.ts";
import type { Access } from "./providers/access.ts";
import type { Asking, SharedProvider } from "./shared-provider.ts";
import { readTextCalls, toolsAsText } from "./text-tools.ts";

/** Tokens that providers may add to a prompt on their side: the instructions for tool use. */
const HIDDEN_PROMPT_TOKENS = 1_000;

export interface AttemptParts {
  settings: Pick<Settings, "retry">;
  ledger: Ledger;
  /** Reads the key from a variable. It is read anew for each attempt and never stored. */
  keys: (variable: string) => string | undefined;
  clock: { now(): number };
  poster: HttpPoster;
  /** What others on this database know of a provider, by its name and address; absent: nobody shares it. */
  shared?: (provider: string) => SharedProvider;
  /** A request is on its way: what can be done meanwhile. */
  onSent?: () => void;
}

/**
 * One request to one model, with its cost. Invariants: the worst case is reserved before a byte leaves. It is given
 * back only for an answer with a bill, or for a fault that was certainly not billed. In every other case, including a
 * crash and a cancellation, it stays spent.
 */
export async function attemptOnce(
  candidate: ModelCandidate,
  request: ModelRequest,
  call: ModelCall,
  parts: AttemptParts,
): Promise<Omit<ModelAnswer, "attempts">> {
  const { maxOutputTokens } = request.parameters;
  const { toolCalling } = candidate.provider;
  let worst: Amount = { costMicros: 0, tokens: 0 };
  let reservation: Reservation | undefined;
  await using slots = new AsyncDisposableStack();
  const key = keyIn(candidate.keyVariable, parts.keys);
  try {
    const provider = await openProvider(candidate.provider.kind, accessTo(candidate, key));
    const answer = await provider.answer(toolCalling ? request : toolsAsText(request), {
      signal: call.signal,
      onDelta: (text) => call.onDelta?.(text),
      post: async (posting) => {
        call.signal.throwIfAborted();
        if (reservation) throw new Error(`${candidate.name} sent two requests in one attempt`);
        const bytes = Buffer.byteLength(posting.body) + HIDDEN_PROMPT_TOKENS + hiddenAttachmentTokens(request);
        const shared = parts.shared?.(candidate.shared);
        if (shared) slots.use(await shared.enter(askingFor(candidate, call, parts)));
        worst = worstCase(bytes, maxOutputTokens, candidate.price);
        reservation = await parts.ledger.reserve(worst, call.path, candidate.price ? undefined : candidate.name);
        const timeoutMs = parts.settings.retry.requestTimeoutMs;
        const onBytes = () => call.onHeard?.(candidate.name, timeoutMs);
        const reply = parts.poster.post(posting, { signal: call.signal, timeoutMs, onBytes });
        onBytes();
        parts.onSent?.();
        return reply;
      },
    });
    const raw = toolCalling ? answer : readTextCalls(answer, request);
    const bill = raw.usage && isPlausible(raw.usage) ? raw.usage : null;
    const usage = bill ?? unknownUsage(worst, maxOutputTokens);
    const actual = bill ? amountOf(bill, candidate.price) : worst;
    if (actual.costMicros > worst.costMicros || actual.tokens > worst.tokens)
      call.onNotice?.(overrun(candidate, actual, worst));
    await reservation?.settle(actual);
    return answerOf(candidate, raw, usage, actual);
  } catch (error) {
    const found = faultIn(error);
    if (!found) throw error;
    const fault = withoutKey(found, key);
    const verdict = classifyFault(fault.fault, candidate.place(parts.clock.now()));
    if (verdict.unbilled) await reservation?.settle({ costMicros: 0, tokens: 0 });
    throw fault;
  }
}

function askingFor({ provider }: ModelCandidate, { signal, onNotice }: ModelCall, { settings }: AttemptParts): Asking {
  return { atOnce: provider.atOnce, longestMs: 2 * settings.retry.requestTimeoutMs, signal, onNotice };
}

function accessTo({ providerName, modelName, baseUrl, price }: ModelCandidate, key: string | undefined): Access {
  // Writing to a cache is left alone where its price is not known: it could not be reserved.
  const cacheWrites = price === undefined || price.cacheWrite !== undefined;
  return { provider: providerName, model: modelName, baseUrl, key, cacheWrites };
}

function answerOf(
  candidate: ModelCandidate,
  raw: RawAnswer,
  usage: { inputTokens: number; outputTokens: number; cachedInputTokens: number },
  actual: Amount,
): Omit<ModelAnswer, "attempts"> {
  return {
    text: raw.text,
    toolCalls: raw.toolCalls,
    finish: raw.finish,
    model: candidate.name,
    usage: {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cachedInputTokens: usage.cachedInputTokens,
      costMicros: candidate.price ? actual.costMicros : null,
    },
  };
}

/** A bill is untrusted input. Implausible counts are treated as no bill. */
const isPlausible = (usage: RawUsage) =>
  Object.values(usage).every((count) => count === null || (Number.isSafeInteger(count) && count >= 0));

/** If a server sends no bill, the worst case counts, here and in the ledger. */
function unknownUsage(worst: Amount, maxOutputTokens: number) {
  return { inputTokens: worst.tokens - maxOutputTokens, outputTokens: maxOutputTokens, cachedInputTokens: 0 };
}

function overrun(candidate: ModelCandidate, actual: Amount, worst: Amount): string {
  return `${candidate.name} billed more than the request allowed (${actual.tokens} tokens, at most ${worst.tokens} expected): the limits cannot be kept exactly with this server`;
}
