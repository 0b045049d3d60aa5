import { z } from "zod";
import { type Dialect, event, type FullAnswer, pieces, type ReadMessage } from "./dialect.ts";

const Part = z.looseObject({
  text: z.string().optional(),
  functionCall: z.looseObject({ name: z.string() }).optional(),
  functionResponse: z.looseObject({ name: z.string(), response: z.unknown() }).optional(),
});
const Body = z.looseObject({
  systemInstruction: z.object({ parts: z.array(Part) }).optional(),
  contents: z.array(z.object({ role: z.enum(["user", "model"]), parts: z.array(Part) })),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) }))
    .default([]),
  generationConfig: z.looseObject({ maxOutputTokens: z.int().optional() }).default({}),
});

export const geminiContent: Dialect = {
  name: "gemini",
  textEvent: 0,
  serves: (path) => /:(streamG|g)enerateContent$/.test(path),
  read: (value, path) => {
    const body = Body.parse(value);
    return {
      model: path.split("/").at(-1)?.split(":")[0] ?? "",
      stream: path.endsWith(":streamGenerateContent"),
      system: (body.systemInstruction?.parts ?? []).map((part) => part.text ?? "").join("\n"),
      messages: body.contents.flatMap(({ role, parts }) => readMessages(role, parts)),
      tools: body.tools.flatMap((tool) => tool.functionDeclarations.map((declaration) => declaration.name)),
      maxOutputTokens: body.generationConfig.maxOutputTokens,
    };
  },
  whole: (answer) =>
    chunk(answer, [...(answer.text === "" ? [] : [{ text: answer.text }]), ...callParts(answer)], true),
  events: (answer) => [
    ...pieces(answer.text).map((text) => event(chunk(answer, [{ text }], false))),
    event(chunk(answer, callParts(answer), true)),
  ],
};

/** Gemini's arguments are objects on the wire: a broken text cannot happen there and is sent as a string inside. */
function callParts(answer: FullAnswer) {
  return answer.toolCalls.map(({ name, arguments: text }) => ({ functionCall: { name, args: argumentsOf(text) } }));
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

function chunk(answer: FullAnswer, parts: object[], last: boolean) {
  const finishReason = answer.finish === "length" ? "MAX_TOKENS" : "STOP";
  return {
    responseId: answer.id,
    candidates: [{ index: 0, content: { role: "model", parts }, ...(last && { finishReason }) }],
    ...(last &&
      answer.usage && {
        usageMetadata: {
          promptTokenCount: answer.usage.input,
          candidatesTokenCount: answer.usage.output,
          cachedContentTokenCount: answer.usage.cached ?? 0,
          totalTokenCount: answer.usage.input + answer.usage.output,
        },
      }),
  };
}

function readMessages(role: "user" | "model", parts: z.infer<typeof Part>[]): ReadMessage[] {
  const results = parts.flatMap((part) => part.functionResponse ?? []);
  const rest = parts.filter((part) => !part.functionResponse);
  const calls = rest.flatMap((part) => part.functionCall?.name ?? []);
  const text = rest.flatMap((part) => part.text ?? []).join("\n");
  return [
    ...results.map((result): ReadMessage => ({ role: "tool", text: JSON.stringify(result.response), calls: [] })),
    ...(rest.length === 0 ? [] : [{ role: role === "model" ? ("assistant" as const) : role, text, calls }]),
  ];
}
