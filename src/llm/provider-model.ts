import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import type { Posting, Reply } from "./http-post.ts";

/** One model behind one provider's wire format. */
export interface ProviderModel {
  /**
   * One attempt: exactly one POST through `attempt.post`, no retries of its own.
   * Throws AttemptFault; tool calls keep their arguments as the model wrote them, broken JSON included.
   */
  answer(request: ModelRequest, attempt: Attempt): Promise<RawAnswer>;
}

export interface Attempt {
  /** Reserves the worst case of the body before a byte of it leaves. */
  post(posting: Posting): Promise<Reply>;
  signal: AbortSignal;
  onDelta(text: string): void;
}

export interface RawAnswer extends Pick<ModelAnswer, "text" | "toolCalls" | "finish"> {
  /** Null when the server did not say. */
  usage: RawUsage | null;
}

/** `inputTokens` is everything the prompt cost; the other two are parts of it. */
export interface RawUsage {
  inputTokens: number;
  cachedInputTokens: number;
  /** Null when the server does not count them. */
  cacheWriteTokens: number | null;
  outputTokens: number;
}
