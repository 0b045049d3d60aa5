import { z } from "zod";
import { type Dialect, event, type FullAnswer, pieces } from "./dialect.ts";

const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()]).optional();
const Body = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  messages: z.array(
    z.looseObject({
      role: z.enum(["system", "developer", "user", "assistant", "tool"]),
      content: Content,
      tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) })).optional(),
    }),
  ),
  tools: z.array(z.object({ function: z.looseObject({ name: z.string() }) })).default([]),
});

export const chatCompletions: Dialect = {
  name: "chat-completions",
  textEvent: 1,
  serves: (path) => path.endsWith("/chat/completions"),
  read: (value) => {
    const body = Body.parse(value);
    const isSystem = (role: string) => role === "system" || role === "developer";
    return {
      model: body.model,
      stream: body.stream,
      system: body.messages.flatMap((message) => (isSystem(message.role) ? [textOf(message.content)] : [])).join("\n"),
      messages: body.messages.flatMap(({ role, content, tool_calls }) =>
        role === "system" || role === "developer"
          ? []
          : [{ role, text: textOf(content), calls: (tool_calls ?? []).map((call) => call.function.name) }],
      ),
      tools: body.tools.map((tool) => tool.function.name),
      maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
    };
  },
  whole: (answer, { model }) => ({
    id: answer.id,
    object: "chat.completion",
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text || null,
          ...(answer.toolCalls.length > 0 && { tool_calls: calls(answer) }),
        },
        finish_reason: finish(answer),
      },
    ],
    ...usage(answer),
  }),
  events: (answer, { model }) => {
    const head = { id: answer.id, object: "chat.completion.chunk", created: 0, model };
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({ ...head, choices: [{ index: 0, delta, finish_reason }] });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(answer.text).map((content) => chunk({ content })),
      ...calls(answer).flatMap((call, index) => [
        chunk({
          tool_calls: [{ index, id: call.id, type: "function", function: { name: call.function.name, arguments: "" } }],
        }),
        ...pieces(call.function.arguments).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, finish(answer)),
      ...(answer.usage ? [event({ ...head, choices: [], ...usage(answer) })] : []),
      "data: [DONE]\n\n",
    ];
  },
};

const calls = (answer: FullAnswer) =>
  answer.toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: "function",
    function: { name, arguments: text },
  }));

const finish = (answer: FullAnswer) =>
  answer.finish === "length" ? "length" : answer.toolCalls.length > 0 ? "tool_calls" : "stop";

function usage({ usage: bill }: FullAnswer) {
  if (!bill) return {};
  return {
    usage: {
      prompt_tokens: bill.input,
      completion_tokens: bill.output,
      total_tokens: bill.input + bill.output,
      prompt_tokens_details: { cached_tokens: bill.cached ?? 0 },
    },
  };
}

function textOf(content: z.infer<typeof Content>): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
}
