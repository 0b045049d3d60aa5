import type { Command, CommandNode } from "unbash";

const ENDLESS_FILES = /^\/dev\/(zero|urandom|random|full)$/;
const BEFORE = new Set(["nohup", "nice", "command", "time", "timeout", "stdbuf", "env", "exec"]);

/** Output without end that lands in a file: `yes > x`, `cat /dev/zero | tee x`. Something that bounds it makes it harmless. */
export function fillsDisk(commands: readonly CommandNode[]): boolean {
  const stages = commands.flatMap((command) => (command.type === "Command" ? [command] : []));
  const [first] = stages;
  if (first === undefined || !isEndless(first)) return false;
  return !stages.some(isBound) && stages.some(writesFile);
}

/** Words without end for a program that starts another for each of them. */
export function startsWithoutEnd(commands: readonly CommandNode[]): boolean {
  const stages = commands.flatMap((command) => (command.type === "Command" ? [command] : []));
  const [first] = stages;
  if (first === undefined || !isEndless(first) || stages.some(isBound)) return false;
  return stages.some((stage) => /^(xargs|parallel)$/.test(wordsOf(stage)[0] ?? ""));
}

function isBound(stage: Command): boolean {
  const words = wordsOf(stage);
  return (
    words[0] === "head" ||
    words.some((word) => word.startsWith("count=")) ||
    words.includes("-m") ||
    words.includes("q")
  );
}

function isEndless(command: Command): boolean {
  const words = wordsOf(command);
  if (words[0] === "yes") return true;
  const isMany = words.some((word) => /^\d{9,}$/.test(word));
  if (isMany && (words[0] === "seq" || (words[0] === "openssl" && words[1] === "rand"))) return true;
  const readsEndless = command.redirects.some(
    (redirect) => redirect.type === "Redirect" && ENDLESS_FILES.test(redirect.target?.value ?? ""),
  );
  const opens = words.some((word, index) => index > 0 && ENDLESS_FILES.test(word));
  return (opens || readsEndless) && words[0] !== "head" && words[0] !== "dd" && words[0] !== "read";
}

function writesFile(command: Command): boolean {
  const [name, ...others] = wordsOf(command);
  if (name === "tee") return others.some((word) => !word.startsWith("-") && !word.startsWith("/dev/"));
  if (name === "dd") return others.some((word) => word.startsWith("of=") && !word.startsWith("of=/dev/"));
  return command.redirects.some(
    (redirect) =>
      redirect.type === "Redirect" &&
      redirect.operator.includes(">") &&
      !/^(\d|-|\/dev\/(null|std|fd))/.test(redirect.target?.value ?? "-"),
  );
}

/** The words as written, without what merely wraps the program. */
function wordsOf(command: Command): string[] {
  const words = [command.name, ...command.args].flatMap((word) => (word?.type === "Word" ? [word.value] : []));
  let start = 0;
  while (BEFORE.has(words[start] ?? "")) {
    start += 1;
    while (/^[-\d]/.test(words[start] ?? "")) start += 1;
  }
  return words.slice(start);
}
