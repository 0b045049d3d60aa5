import type { ModelRequest } from "../domain/message.ts";
import type { Provider } from "../domain/settings/settings.ts";
import { withInstruction } from "./instruction.ts";
import type { RawAnswer } from "./provider-model.ts";
import { readTextCalls, toolsAsText } from "./text-tools.ts";

/** What a provider's models cannot do natively is asked for in words. */
export function shapeRequest(request: ModelRequest, provider: Provider): ModelRequest {
  const spoken = provider.toolCalling ? request : toolsAsText(request);
  if (!spoken.output || provider.structuredOutput) return spoken;
  const { output, ...rest } = spoken;
  return withInstruction(
    rest,
    `Answer with one JSON value and nothing else: no prose, no code fence. It must match this JSON Schema (${output.name}):\n${JSON.stringify(output.schema)}`,
  );
}

/** The way back. Ids of calls are made from the length of the conversation, so they never repeat in it. */
export function unshapeAnswer(answer: RawAnswer, request: ModelRequest, provider: Provider): RawAnswer {
  if (provider.toolCalling || request.tools.length === 0) return answer;
  return readTextCalls(answer, `call-${request.messages.length}`);
}
