import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { TerminalFailure } from "../../domain/failure.ts";
import type { ModelRequest, ToolCall } from "../../domain/message.ts";
import { AttemptFault, faultIn } from "../attempt-fault.ts";
import type { Attempt, ProviderModel, RawAnswer, RawUsage } from "../provider-model.ts";
import { sdkOptions } from "./sdk-prompt.ts";

type Fetch = typeof globalThis.fetch;

/**
 * A model of one of the AI SDK's provider packages. Only `doStream` is used: one request, no retries, no tools run. Its
 * requests go through our own `post`, so time-outs, faults and reservations are the same for every provider.
 */
export class SdkModel implements ProviderModel {
  readonly #open: (fetch: Fetch) => LanguageModelV4;
  readonly #prepare: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;

  constructor(
    open: (fetch: Fetch) => LanguageModelV4,
    prepare: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions = (options) => options,
  ) {
    this.#open = open;
    this.#prepare = prepare;
  }

  async answer(request: ModelRequest, attempt: Attempt): Promise<RawAnswer> {
    const model = this.#open(fetchThrough(attempt));
    const options = this.#prepare(sdkOptions(request));
    const reply = new SdkReply(attempt.onDelta);
    try {
      const { stream } = await model.doStream({ ...options, abortSignal: attempt.signal });
      for await (const part of stream) reply.add(part);
    } catch (error) {
      // A refused reservation is our own error and passes through. Any other error is a stream that the package could
      // not read.
      throw error instanceof TerminalFailure ? error : faultOf(error);
    }
    return reply.answer();
  }
}

/** A `fetch` for the packages, over our transport. Only answers with status 2xx reach them. */
function fetchThrough(attempt: Attempt): Fetch {
  return async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    const url = input instanceof Request ? input.url : String(input);
    const reply = await attempt.post({ url, headers, body: String(init?.body) });
    return new Response(ReadableStream.from(reply.body), { status: 200, headers: reply.headers });
  };
}

class SdkReply {
  #text = "";
  #finish: LanguageModelV4FinishReason | undefined;
  #usage: RawUsage | null = null;
  readonly #toolCalls: ToolCall[] = [];
  readonly #onDelta: (text: string) => void;

  constructor(onDelta: (text: string) => void) {
    this.#onDelta = onDelta;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-delta":
        this.#text += part.delta;
        this.#onDelta(part.delta);
        break;
      case "tool-call":
        this.#toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
        break;
      case "finish":
        this.#finish = part.finishReason;
        this.#usage = readUsage(part.usage);
        break;
      case "error":
        throw faultOf(part.error);
    }
  }

  answer(): RawAnswer {
    return {
      text: this.#text,
      toolCalls: this.#toolCalls,
      finish: readFinish(this.#finish, this.#toolCalls.length > 0),
      usage: this.#usage,
    };
  }
}

function readFinish(finish: LanguageModelV4FinishReason | undefined, hasCalls: boolean): RawAnswer["finish"] {
  switch (finish?.unified) {
    case "length":
    case "content-filter":
      return finish.unified;
    case "stop":
    case "tool-calls":
      return hasCalls ? "tool-calls" : "stop";
    case "error":
      throw malformed(`the model ended with ${finish.raw ?? "an error"}`);
    case "other":
      if (finish.raw !== undefined) return hasCalls ? "tool-calls" : "other";
  }
  throw malformed("the stream ended before the answer did");
}

function readUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): RawUsage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  return {
    inputTokens: inputTokens.total,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? null,
    outputTokens: outputTokens.total,
  };
}

/** The packages use one kind of part both for what they cannot read and for errors of the server. */
function faultOf(error: unknown): AttemptFault {
  const known = faultIn(error);
  if (known) return known;
  const name = error instanceof Error ? error.name : "";
  const reason = error instanceof Error ? error.message : JSON.stringify(error);
  if (/UnsupportedFunctionality|InvalidPrompt|InvalidArgument/.test(name)) {
    return new AttemptFault({ type: "unsupported", reason }, { cause: error });
  }
  if (/JSONParse|TypeValidation|InvalidResponseData|EmptyResponse/.test(name))
    return malformed("an event has an unknown shape", error);
  if (name === "Error") return malformed(reason, error);
  return new AttemptFault({ type: "stream-error", reason: reason.slice(0, 2000) }, { cause: error });
}

const malformed = (reason: string, cause?: unknown) => new AttemptFault({ type: "malformed", reason }, { cause });
