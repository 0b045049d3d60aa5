import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import type { Posting, Reply } from "./http-post.ts";

/** One model behind one provider's wire format. */
export interface ProviderModel {
  /**
   * Makes one attempt: exactly one POST through `attempt.post`, without retries. Throws AttemptFault. Tool calls keep
   * their arguments as the model wrote them, even broken JSON.
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
  /** Null if the server did not report it. */
  usage: RawUsage | null;
}

/** `inputTokens` counts the whole prompt. The two cache counts are parts of it. */
export interface RawUsage {
  inputTokens: number;
  cachedInputTokens: number;
  /** Null if the server does not count them. */
  cacheWriteTokens: number | null;
  outputTokens: number;
}
