import { readJson } from "../../domain/json.ts";
import type { Message } from "../../domain/message.ts";
import { clip } from "../tools/clip.ts";
import { tokensOfText } from "./tokens.ts";

/** What stays of old turns word for word, whatever a summary of them says. Found by rule, so no model can lose it. */
export interface KeptWords {
  /** Paths by what was done to them last. */
  files: { written: string[]; deleted: string[]; read: string[] };
  /** The last test run among these turns; empty: there is none. */
  tests: string;
  /** What the model said itself: its decisions. The oldest are left to the summary where they are too long. */
  said: string[];
}

/** How each tool that names a file answers when it did what it was asked for. */
const DONE = { create_file: "wrote ", edit_file: "edited ", delete_file: "deleted " };

/** `tokens`: how many the test run may take; what was said may take twice as many. */
export function keptWords(turns: readonly Message[], tokens: number): KeptWords {
  const tests = turns.findLast((message) => message.role === "tool" && message.name === "run_tests");
  const said = turns.flatMap((message) =>
    message.role === "assistant" && message.content.trim() !== "" ? [message.content.trim()] : [],
  );
  return {
    files: filesOf(turns),
    tests: tests?.role === "tool" ? clip(tests.content, tokens * 3) : "",
    said: newest(said, 2 * tokens),
  };
}

function newest(texts: string[], tokens: number): string[] {
  let left = tokens;
  const first = texts.findLastIndex((text) => {
    left -= tokensOfText(text);
    return left < 0;
  });
  return texts.slice(first + 1);
}

function filesOf(turns: readonly Message[]): KeptWords["files"] {
  const paths = pathsOf(turns);
  const last = new Map<string, keyof KeptWords["files"]>();
  for (const message of turns) {
    if (message.role !== "tool") continue;
    const path = paths.get(message.callId);
    if (path === undefined) continue;
    if (message.name === "read_file" && !last.has(path)) last.set(path, "read");
    const done = Object.entries(DONE).find(([name]) => name === message.name);
    if (done && message.content.startsWith(done[1]))
      last.set(path, message.name === "delete_file" ? "deleted" : "written");
  }
  const of = (what: keyof KeptWords["files"]) => [...last].flatMap(([path, was]) => (was === what ? [path] : []));
  return { written: of("written"), deleted: of("deleted"), read: of("read") };
}

function pathsOf(turns: readonly Message[]): Map<string, string> {
  const calls = turns.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return new Map(
    calls.flatMap(({ id, arguments: text }) => {
      const fields: unknown = readJson(text);
      const named = typeof fields === "object" && fields !== null && "path" in fields ? fields.path : undefined;
      return typeof named === "string" ? [[id, named] as const] : [];
    }),
  );
}
