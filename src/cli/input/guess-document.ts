import { parseDocument } from "yaml";
import type { DocumentName } from "./document-kinds.ts";

/** Which kind of document a text is, by its name and its keys, also when it does not hold. Null: it could be anything. */
export function guessDocument(file: string, text: string): DocumentName | "lessons" | "template" | null {
  if (file.endsWith(".jsonl")) return "lessons";
  const value: unknown = parseDocument(text, { logLevel: "silent" }).toJS();
  if (typeof value !== "object" || value === null) return null;
  const has = (...keys: string[]) => keys.every((key) => Object.hasOwn(value, key));
  const format = "format" in value ? String(value.format) : "";
  if (format.startsWith("miracle-contract/") || has("functions") || has("openapi")) return "contract";
  if (format.startsWith("miracle-test-report/") || has("report")) return "report";
  if (has("name", "summary")) return "template";
  return has("todos") || has("requirements") ? "plan" : null;
}
