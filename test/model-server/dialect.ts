/** A scripted answer with nothing left open. */
export interface FullAnswer {
  id: string;
  text: string;
  toolCalls: { id: string; name: string; arguments: string }[];
  usage: { input: number; output: number; cached?: number } | null;
  finish: "stop" | "length";
}

/** What every dialect's request says. */
export interface ReadRequest {
  model: string;
  stream: boolean;
  system: string;
  messages: ReadMessage[];
  tools: string[];
  maxOutputTokens: number | undefined;
}

export interface ReadMessage {
  role: "user" | "assistant" | "tool";
  text: string;
  /** Names of the tools that an assistant message calls. */
  calls: string[];
}

/** One provider's wire format, seen from the server. */
export interface Dialect {
  name: string;
  serves(path: string): boolean;
  read(body: unknown, path: string): ReadRequest;
  whole(answer: FullAnswer, request: ReadRequest): object;
  /** The events of a stream, each with its closing empty line. */
  events(answer: FullAnswer, request: ReadRequest): string[];
  /** Which of the events carries the first text. */
  textEvent: number;
}

export const event = (data: object, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** A text in two pieces, so that clients must put it together. */
export function pieces(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== "");
}
