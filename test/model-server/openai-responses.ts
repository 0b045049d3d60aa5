import { z } from "zod";
import { type Dialect, event, type FullAnswer, pieces, type ReadMessage } from "./dialect.ts";

const Parts = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const Item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: Parts.optional(),
  name: z.string().optional(),
  output: Parts.optional(),
});
const Body = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().optional(),
  input: z
    .union([z.string().transform((text) => [{ role: "user", content: text }]), z.array(Item)])
    .pipe(z.array(Item)),
  tools: z.array(z.looseObject({ name: z.string().optional() })).default([]),
});

export const openaiResponses: Dialect = {
  name: "responses",
  textEvent: 4,
  serves: (path) => path.endsWith("/responses"),
  read: (value) => {
    const body = Body.parse(value);
    const isSystem = (item: z.infer<typeof Item>) => item.role === "system" || item.role === "developer";
    return {
      model: body.model,
      stream: body.stream,
      system: [body.instructions ?? "", ...body.input.filter(isSystem).map((item) => textOf(item.content))]
        .join("\n")
        .trim(),
      messages: turns(body.input.filter((item) => !isSystem(item))),
      tools: body.tools.flatMap((tool) => tool.name ?? []),
      maxOutputTokens: body.max_output_tokens,
    };
  },
  whole: (answer, { model }) => response(answer, model),
  events: (answer, { model }) => {
    let number = 0;
    const send = (type: string, data: object) => event({ type, sequence_number: number++, ...data }, type);
    const open = { ...response(answer, model), status: "in_progress", output: [], usage: null };
    return [
      send("response.created", { response: open }),
      send("response.in_progress", { response: open }),
      ...(answer.text === "" ? [] : textEvents(answer, send)),
      ...answer.toolCalls.flatMap((call, position) => callEvents(call, position + (answer.text === "" ? 0 : 1), send)),
      send(answer.finish === "length" ? "response.incomplete" : "response.completed", {
        response: response(answer, model),
      }),
    ];
  },
};

type Send = (type: string, data: object) => string;

function textEvents(answer: FullAnswer, send: Send): string[] {
  const item = { id: "msg_0", type: "message", role: "assistant", status: "in_progress", content: [] };
  const place = { item_id: "msg_0", output_index: 0, content_index: 0 };
  const part = { type: "output_text", text: answer.text, annotations: [] };
  return [
    send("response.output_item.added", { output_index: 0, item }),
    send("response.content_part.added", { ...place, part: { ...part, text: "" } }),
    ...pieces(answer.text).map((delta) => send("response.output_text.delta", { ...place, delta })),
    send("response.output_text.done", { ...place, text: answer.text }),
    send("response.content_part.done", { ...place, part }),
    send("response.output_item.done", { output_index: 0, item: { ...item, status: "completed", content: [part] } }),
  ];
}

function callEvents(call: FullAnswer["toolCalls"][number], output_index: number, send: Send): string[] {
  const item = { id: `fc_${output_index}`, type: "function_call", call_id: call.id, name: call.name };
  return [
    send("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } }),
    ...pieces(call.arguments).map((delta) =>
      send("response.function_call_arguments.delta", { item_id: item.id, output_index, delta }),
    ),
    send("response.function_call_arguments.done", { item_id: item.id, output_index, arguments: call.arguments }),
    send("response.output_item.done", {
      output_index,
      item: { ...item, arguments: call.arguments, status: "completed" },
    }),
  ];
}

function response(answer: FullAnswer, model: string) {
  const part = { type: "output_text", text: answer.text, annotations: [] };
  const message = { id: "msg_0", type: "message", role: "assistant", status: "completed", content: [part] };
  return {
    id: answer.id,
    object: "response",
    created_at: 0,
    model,
    status: answer.finish === "length" ? "incomplete" : "completed",
    incomplete_details: answer.finish === "length" ? { reason: "max_output_tokens" } : null,
    output: [
      ...(answer.text === "" ? [] : [message]),
      ...answer.toolCalls.map(({ id, name, arguments: text }) => ({
        id: `fc_${id}`,
        type: "function_call",
        call_id: id,
        name,
        arguments: text,
        status: "completed",
      })),
    ],
    usage: answer.usage && {
      input_tokens: answer.usage.input,
      input_tokens_details: { cached_tokens: answer.usage.cached ?? 0 },
      output_tokens: answer.usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.usage.input + answer.usage.output,
    },
  };
}

/** A message and the calls behind it are one turn of the assistant. */
function turns(items: z.infer<typeof Item>[]): ReadMessage[] {
  const messages: ReadMessage[] = [];
  for (const item of items) {
    const last = messages.at(-1);
    if (item.type === "function_call") {
      if (last?.role === "assistant") last.calls.push(item.name ?? "");
      else messages.push({ role: "assistant", text: "", calls: [item.name ?? ""] });
    } else if (item.type === "function_call_output") {
      messages.push({ role: "tool", text: textOf(item.output), calls: [] });
    } else if (item.role === "user" || item.role === "assistant") {
      messages.push({ role: item.role, text: textOf(item.content), calls: [] });
    }
  }
  return messages;
}

function textOf(content: z.infer<typeof Parts> | undefined): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
}
