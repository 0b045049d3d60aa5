import type { Lesson } from "../../domain/memory/lesson.ts";
import type { Pattern } from "../../domain/memory/pattern.ts";
import type { Found } from "../../memory/find.ts";
import { printable } from "./printable.ts";

const WIDEST = 100;

/** One line for a list. */
export function recordLine(record: Lesson | Pattern, found?: Found): string {
  const scope = record.scope === "language" ? `language ${record.language}` : record.scope;
  const state = record.status === "active" ? "" : ` ${record.status}`;
  const head = record.kind === "lesson" ? errorLine(record) : `${record.problemType}: ${record.description}`;
  const like = found?.similarity === null || found === undefined ? "" : ` ${found.similarity.toFixed(2)}`;
  const fixed = record.kind === "lesson" && record.reason !== null ? `\n    ${clip(record.reason)}` : "";
  return `${record.id} ${like} ${record.kind}, ${scope}${state}\n    ${clip(head)}${fixed}`
    .split("\n")
    .map(printable)
    .join("\n")
    .concat("\n");
}

/** Everything that is known of one. */
export function recordText(record: Lesson | Pattern): string {
  const { id, kind, scope, language, origin, trust, status, createdAt, updatedAt } = record;
  const head = [
    `${id}  ${kind}, ${scope}${language === "" ? "" : `, ${language}`}, ${status}`,
    `origin ${origin}, trust ${trust}, since ${day(createdAt)}, last met ${day(updatedAt)}`,
  ];
  const parts: [string, string | null][] =
    record.kind === "lesson"
      ? [
          ["error", record.error],
          ["signature", record.signature],
          ["goal", record.goal],
          ["context", record.context],
          ["code", record.failedCode],
          ["reason", record.reason],
          ["diff", record.diff],
        ]
      : [
          ["problem", `${record.problemType}: ${record.description}`],
          ["plan", record.plan],
          ["interfaces", record.interfaces],
          ["code", record.codeTemplate],
          ["tests", record.testTemplate],
        ];
  const told = parts.flatMap(([name, text]) =>
    text === null || text === "" ? [] : ["", name, ...text.split("\n").map((line) => `    ${line}`)],
  );
  return `${[...head, ...told].map(printable).join("\n")}\n`;
}

/** The line that names the type, where there is one; never a call on the way there. */
function errorLine({ signature, errorType, error }: Lesson): string {
  const lines = signature.split("\n").filter((line) => line !== "");
  const named = lines.findLast((line) => line.includes(errorType));
  if (named !== undefined) return named;
  const last = lines.findLast((line) => !line.startsWith("in ")) ?? error.trim().split("\n").at(-1) ?? "";
  return errorType === "unknown" ? last : `${errorType}: ${last}`;
}

const clip = (text: string): string => (text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`);
const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
