import { isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { fail, type TerminalFailure } from "../../domain/failure.ts";

/** A rules file as its schema wants it. Every problem names the file, the line and the key; the first one is the message. */
export function parseRules<T extends z.ZodType>(schema: T, text: string, file: string): z.output<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number, message: string): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}: ${message}`;
  };
  if (document.errors.length > 0)
    throw refuse(document.errors.map((error) => place(error.pos[0], oneLine(error.message))));
  const parsed = schema.safeParse(plainValue());
  if (parsed.success) return parsed.data;
  throw refuse(
    parsed.error.issues.flatMap((issue) => {
      const path = issue.path.map(String);
      if (issue.code === "unrecognized_keys")
        return issue.keys.map((key) => place(offsetOf([...path, key]), `unknown key ${[...path, key].join(".")}`));
      const what = issue.message.replace(/^Invalid (input|option): /, "");
      return [
        place(offsetOf(path), path.length === 0 ? `${what} at the top of the file` : `${path.join(".")}: ${what}`),
      ];
    }),
  );

  /** Of the key where there is one, else of the nearest thing above it. */
  function offsetOf(path: string[]): number {
    const parent = document.getIn(path.slice(0, -1), true);
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1));
      if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const node = document.getIn(path, true) ?? parent;
    return isNode(node) ? (node.range?.[0] ?? 0) : 0;
  }

  function plainValue(): unknown {
    try {
      return document.toJS() ?? {};
    } catch (error) {
      // An alias that expands without end fails only here.
      throw refuse([place(0, oneLine(error instanceof Error ? error.message : String(error)))]);
    }
  }
}

function refuse([first = "", ...others]: string[]): TerminalFailure {
  return fail(
    "invalid-input",
    "safety.rules-invalid",
    first,
    others.length > 0 ? { detail: others.join("\n") } : undefined,
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
