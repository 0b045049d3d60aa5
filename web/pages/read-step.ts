/** One thing that was said in a conversation with a model. */
export interface Said {
  by: string;
  text: string;
}

/** The conversation that a model was shown; nothing for a step of another kind. */
export function readConversation(input: unknown): Said[] {
  const { messages } = fields(input);
  if (!Array.isArray(messages)) return [];
  return messages.map((message) => {
    const { role, name, content, toolCalls } = fields(message);
    const by = role === "tool" ? `tool ${String(name ?? "")}` : String(role ?? "");
    return { by, text: [textOf(content), ...callsOf(toolCalls)].filter((part) => part !== "").join("\n\n") };
  });
}

/** What a model answered: its words, then the tools it calls. */
export function readAnswer(output: unknown): Said[] {
  const { text, toolCalls } = fields(output);
  if (typeof text !== "string" || !Array.isArray(toolCalls)) return [];
  return [
    ...(text === "" ? [] : [{ by: "answer", text }]),
    ...callsOf(toolCalls).map((call) => ({ by: "tool call", text: call })),
  ];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => {
      const { type, text, name } = fields(part);
      return type === "text" ? String(text) : `(file ${String(name ?? "")})`;
    })
    .join("\n");
}

function callsOf(calls: unknown): string[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call) => {
    const { name, arguments: given } = fields(call);
    return `${String(name)}\n${laidOut(String(given ?? ""))}`;
  });
}

/** Arguments are a JSON text that may be broken. Texts in them are shown as the lines they are. */
function laidOut(json: string): string {
  try {
    const given: unknown = JSON.parse(json);
    return Object.entries(fields(given))
      .map(([key, value]) => {
        const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
        return text.includes("\n") ? `${key}:\n${text}` : `${key}: ${text}`;
      })
      .join("\n");
  } catch {
    return json;
  }
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
