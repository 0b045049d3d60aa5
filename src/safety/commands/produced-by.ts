import type { Command, SyntaxNode } from "unbash";
import type { CommandRules } from "./judging/command-rules.ts";
import { readFind } from "./judging/find-arguments.ts";
import type { Input, Setting } from "./judging/judging.ts";
import { placeOf } from "./judging/place.ts";
import { readingsOf } from "./shell/command-readings.ts";
import { expandParts } from "./shell/expand-word.ts";
import { type Field, literal } from "./shell/field.ts";

/** Programs that hand on some of the lines they read, unchanged. */
const FILTERS = new Set(["sort", "uniq", "head", "tail", "grep", "cat", "tee", "shuf", "tac"]);

/** What the next command of a pipeline reads, as far as it matters: literal text, a list of paths, or anything. */
export function producedBy(node: SyntaxNode, setting: Setting, rules: CommandRules): Input {
  const anything: Input = { kind: "pipe" };
  if (node.type !== "Command") return anything;
  const readings = readingsOf(node, setting.around);
  const words = readings?.length === 1 ? readings[0] : undefined;
  const [name, ...others] = words ?? [];
  const program = literal(name);
  if (program === undefined || setting.around.scope.functions.has(program)) return anything;

  const text = outputOf(node, setting);
  if (text !== undefined)
    return { kind: "text", field: { pieces: [{ kind: "text", text }], ...range(node, setting) }, piped: true };
  const isInside = (fields: Field[]) =>
    fields.every((field) => ["inside", "root"].includes(placeOf(field, setting.around.directories, rules).place));
  if (program === "find") {
    const find = readFind(others);
    return { kind: "listing", narrowed: isInside(find.roots), recursive: find.isNarrowed };
  }
  const operands = others.filter((field) => !literal(field)?.startsWith("-"));
  const lists =
    program === "ls" ||
    (program === "git" && literal(others[0]) === "ls-files") ||
    (["grep", "rg", "egrep"].includes(program) &&
      others.some((field) => /^-\w*l|^--files-with/.test(literal(field) ?? "")));
  if (lists) return { kind: "listing", narrowed: isInside(operands.slice(program === "ls" ? 0 : 1)), recursive: false };
  return FILTERS.has(program) && setting.input.kind === "listing" ? setting.input : anything;
}

/** The text that echo, printf or `cat <<EOF` print, when it is known to the letter. */
export function outputOf(command: Command, setting: Setting): string | undefined {
  const words = readingsOf(command, setting.around);
  const [name, ...others] = words?.length === 1 ? (words[0] ?? []) : [];
  const program = literal(name);
  if (program === "cat" && others.length === 0) {
    const [document] = command.redirects.filter((redirect) => redirect.type === "HereDoc");
    if (document?.type !== "HereDoc") return undefined;
    const { text, parts } = document.body;
    if (parts === undefined) return text;
    return literal({ pieces: expandParts(parts, setting.around), from: 0, to: 0 });
  }
  if (program !== "echo" && program !== "printf") return undefined;
  const texts = others.map(literal);
  if (texts.some((text) => text === undefined)) return undefined;
  const shown = program === "echo" ? texts.filter((text, index) => index > 0 || !/^-[neE]+$/.test(text ?? "")) : texts;
  // Escapes that printf and echo -e decode; `%s` is where the words go.
  return shown.join(" ").replaceAll("%s", " ").replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll("\\0", "\n");
}

const range = (node: Command, { around }: Setting): { from: number; to: number } =>
  around.within ?? { from: node.pos, to: node.end };
