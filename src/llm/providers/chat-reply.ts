import { z } from "zod";
import type { ToolCall } from "../../domain/message.ts";
import { AttemptFault } from "../attempt-fault.ts";
import type { RawAnswer, RawUsage } from "../provider-model.ts";

const Text = z.string().nullish();
const CallPiece = z.lazy(() =>
  z.object({
    index: z.int().nullish(),
    id: Text,
    function: z.object({ name: Text, arguments: z.unknown().optional() }).nullish(),
  }),
);
const Content = z.lazy(() => z.object({ content: Text, tool_calls: z.array(CallPiece).nullish() }));
/** A piece of a stream (`delta`) or a whole answer (`message`): the same fields under two names. */
const Piece = z.lazy(() =>
  z.object({
    error: z.unknown().optional(),
    choices: z.array(z.object({ delta: Content.nullish(), message: Content.nullish(), finish_reason: Text })).nullish(),
    usage: z
      .object({
        prompt_tokens: z.number().nullish(),
        completion_tokens: z.number().nullish(),
        prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
      })
      .nullish(),
  }),
);

interface OpenCall {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** Builds an answer from the pieces of a stream, or from the one piece of a plain answer. */
export class ChatReply {
  #text = "";
  #finish: string | undefined;
  #usage: RawUsage | null = null;
  readonly #calls: OpenCall[] = [];
  readonly #onDelta: (text: string) => void;

  constructor(onDelta: (text: string) => void) {
    this.#onDelta = onDelta;
  }

  add(data: string): void {
    const piece = Piece.safeParse(parse(data));
    if (!piece.success) throw malformed("an event does not look like a chat completion");
    const { error, choices, usage } = piece.data;
    if (error) throw new AttemptFault({ type: "stream-error", reason: reasonOf(error) });
    if (usage) this.#usage = readUsage(usage);
    const choice = choices?.[0];
    if (!choice) return;
    if (choice.finish_reason) this.#finish = choice.finish_reason;
    const content = choice.delta ?? choice.message;
    if (content?.content) {
      this.#text += content.content;
      this.#onDelta(content.content);
    }
    for (const call of content?.tool_calls ?? []) this.#addCall(call);
  }

  /** `idPrefix` makes ids for servers that give none. */
  answer(idPrefix: string): RawAnswer {
    if (this.#finish === undefined) throw malformed("the stream ended before the answer did");
    const toolCalls: ToolCall[] = this.#calls.map((call, position) => ({
      id: call.id || `${idPrefix}-${position}`,
      name: call.name,
      arguments: call.arguments,
    }));
    return { text: this.#text, toolCalls, finish: readFinish(this.#finish, toolCalls.length > 0), usage: this.#usage };
  }

  #addCall(piece: z.infer<typeof CallPiece>): void {
    const name = piece.function?.name ?? "";
    const written = piece.function?.arguments;
    const text = typeof written === "string" ? written : written == null ? "" : JSON.stringify(written);
    const open = this.#openCall(piece, name);
    if (open) {
      open.arguments += text;
      open.name ||= name;
    } else {
      this.#calls.push({ index: piece.index ?? null, id: piece.id ?? "", name, arguments: text });
    }
  }

  /**
   * The call that a piece continues. Without an index, a piece continues the last call until another id or name comes.
   */
  #openCall(piece: z.infer<typeof CallPiece>, name: string): OpenCall | undefined {
    if (piece.index != null) {
      const same = this.#calls.findLast((call) => call.index === piece.index);
      // Some servers give every parallel call index 0, but each has its own id.
      return same && piece.id && same.id && piece.id !== same.id ? undefined : same;
    }
    const last = this.#calls.at(-1);
    return last && (piece.id ? piece.id === last.id : name === "") ? last : undefined;
  }
}

function readUsage(usage: NonNullable<z.infer<typeof Piece>["usage"]>): RawUsage | null {
  if (usage.prompt_tokens == null || usage.completion_tokens == null) return null;
  return {
    inputTokens: usage.prompt_tokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: null,
    outputTokens: usage.completion_tokens,
  };
}

function readFinish(finish: string, hasCalls: boolean): RawAnswer["finish"] {
  if (finish === "length") return "length";
  if (finish === "content_filter") return "content-filter";
  if (hasCalls) return "tool-calls";
  return finish === "stop" || finish === "tool_calls" ? "stop" : "other";
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw malformed("an event is not JSON", cause);
  }
}

function reasonOf(error: unknown): string {
  if (typeof error === "string") return error;
  return JSON.stringify(error).slice(0, 2000);
}

const malformed = (reason: string, cause?: unknown) => new AttemptFault({ type: "malformed", reason }, { cause });
