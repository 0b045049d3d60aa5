import { z } from "zod";
import { type Dialect, event, type FullAnswer, pieces, type ReadMessage } from "./dialect.ts";

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).optional(),
});
const Body = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  max_tokens: z.int(),
  system: z.union([z.string(), z.array(z.looseObject({ text: z.string() }))]).optional(),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.union([z.string(), z.array(Block)]) })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

export const anthropicMessages: Dialect = {
  name: "anthropic",
  textEvent: 2,
  serves: (path) => path.endsWith("/messages"),
  read: (value) => {
    const body = Body.parse(value);
    return {
      model: body.model,
      stream: body.stream,
      system: typeof body.system === "string" ? body.system : (body.system ?? []).map((part) => part.text).join("\n"),
      messages: body.messages.flatMap(({ role, content }) => readMessages(role, content)),
      tools: body.tools.map((tool) => tool.name),
      maxOutputTokens: body.max_tokens,
    };
  },
  whole: (answer, { model }) => ({
    ...message(answer, model),
    content: [
      ...(answer.text === "" ? [] : [{ type: "text", text: answer.text }]),
      ...answer.toolCalls.map(({ id, name, arguments: text }) => ({
        type: "tool_use",
        id,
        name,
        input: JSON.parse(text),
      })),
    ],
    stop_reason: stopReason(answer),
  }),
  events: (answer, { model }) => [
    event(
      { type: "message_start", message: { ...message(answer, model), content: [], stop_reason: null } },
      "message_start",
    ),
    ...(answer.text === "" ? [] : textEvents(answer.text)),
    ...answer.toolCalls.flatMap((call, position) => callEvents(call, position + (answer.text === "" ? 0 : 1))),
    event(
      {
        type: "message_delta",
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: answer.usage?.output ?? 0 },
      },
      "message_delta",
    ),
    event({ type: "message_stop" }, "message_stop"),
  ],
};

function textEvents(text: string): string[] {
  const start = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
  return [
    event(start, start.type),
    ...pieces(text).map((piece) =>
      event(
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } },
        "content_block_delta",
      ),
    ),
    event({ type: "content_block_stop", index: 0 }, "content_block_stop"),
  ];
}

function callEvents(call: FullAnswer["toolCalls"][number], index: number): string[] {
  const content_block = { type: "tool_use", id: call.id, name: call.name, input: {} };
  return [
    event({ type: "content_block_start", index, content_block }, "content_block_start"),
    ...pieces(call.arguments).map((partial_json) =>
      event(
        { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } },
        "content_block_delta",
      ),
    ),
    event({ type: "content_block_stop", index }, "content_block_stop"),
  ];
}

const stopReason = (answer: FullAnswer) =>
  answer.finish === "length" ? "max_tokens" : answer.toolCalls.length > 0 ? "tool_use" : "end_turn";

/** Anthropic counts cached tokens beside the input, not inside it. */
function message(answer: FullAnswer, model: string) {
  const cached = answer.usage?.cached ?? 0;
  const usage = {
    input_tokens: (answer.usage?.input ?? 0) - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: answer.usage?.output ?? 0,
  };
  return { id: answer.id, type: "message", role: "assistant", model, stop_sequence: null, usage };
}

function readMessages(role: "user" | "assistant", content: string | z.infer<typeof Block>[]): ReadMessage[] {
  if (typeof content === "string") return [{ role, text: content, calls: [] }];
  const results = content.filter((block) => block.type === "tool_result");
  const rest = content.filter((block) => block.type !== "tool_result");
  const calls = rest.flatMap((block) => (block.type === "tool_use" ? (block.name ?? []) : []));
  const text = rest.flatMap((block) => block.text ?? []).join("\n");
  return [
    ...results.map((block): ReadMessage => ({ role: "tool", text: resultText(block.content), calls: [] })),
    ...(rest.length === 0 ? [] : [{ role, text, calls }]),
  ];
}

function resultText(content: z.infer<typeof Block>["content"]): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
}
