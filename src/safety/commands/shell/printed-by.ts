import type { CommandExpansionPart } from "unbash";
import type { Piece } from "./field.ts";
import type { Surroundings } from "./surroundings.ts";

/** Programs that print one or more words without a slash. */
const TAME = new Set([
  "date",
  "nproc",
  "seq",
  "wc",
  "uname",
  "hostname",
  "whoami",
  "id",
  "basename",
  "expr",
  "ls",
  "tput",
]);
const TAME_GIT = /^(rev-parse( --short)?( --abbrev-ref)? HEAD|describe|rev-list --count)/;

/** What stands for `$(…)`: nearly always anything, but a few programs are so common that ordinary work needs them told apart. */
export function printedBy(part: CommandExpansionPart, { directories }: Pick<Surroundings, "directories">): Piece[] {
  const anything: Piece[] = [{ kind: "computed", text: part.text }];
  const command = part.script?.commands.length === 1 ? part.script.commands[0]?.command : undefined;
  if (command?.type !== "Command" || command.redirects.length > 0 || command.prefix.length > 0) return anything;
  const words = command.args.flatMap((arg) => (arg.type === "Word" ? [arg.value] : []));
  const name = command.name?.parts === undefined ? command.name?.value : undefined;
  if (name === "pwd") return directories.map((text) => ({ kind: "text", text }));
  if (name === "mktemp" && !words.some((word) => /^-[pu]|^--(tmpdir|dry-run)|\//.test(word)))
    return [{ kind: "text", text: "/tmp/tmp.made" }];
  if (name === "git" && words.join(" ") === "rev-parse --show-toplevel") return [{ kind: "text", text: "/workspace" }];
  if (name === "git" && TAME_GIT.test(words.join(" "))) return [{ kind: "tame", text: part.text }];
  // `basename /..` prints two dots, and `ls /` the names of what is not ours: only what stays below is tame.
  const isBelow = words.every((word) => !word.startsWith("/") && !word.includes("..") && !word.startsWith("~"));
  if (name !== undefined && TAME.has(name) && (isBelow || name === "date")) return [{ kind: "tame", text: part.text }];
  return anything;
}
