import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { fail } from "../../domain/failure.ts";

/** One YAML file of rules, checked. A problem is one line with file, place, key and what was expected. */
export function parseRuleFile<Shape extends z.ZodType>(text: string, file: string, schema: Shape): z.infer<Shape> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) throw refuse(file, lines, error.pos[0], error.message);
  const parsed = schema.safeParse(document.toJS() ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map((key) => (typeof key === "symbol" ? String(key) : key));
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const what = `${path.join(".") || "the file"}: ${issue?.message.replace(/^Invalid (input|option): /, "") ?? "not valid"}`;
  throw refuse(file, lines, isNode(node) ? (node.range?.[0] ?? 0) : 0, what);
}

function refuse(file: string, lines: LineCounter, offset: number, message: string): Error {
  const { line, col } = lines.linePos(offset);
  return fail(
    "invalid-input",
    "safety.invalid-rules",
    `${file}:${line}:${col}: ${message.replace(/\s+/g, " ").trim()}`,
  );
}
