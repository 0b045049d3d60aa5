import { posix } from "node:path";
import { NOWHERE } from "./judging/place.ts";
import { type Field, literal } from "./shell/field.ts";

/**
 * Where the next command may run, after success and after failure: `cd x && rm -rf *` is another thing than
 * `cd x; rm -rf *`, which empties the workspace when there is no x.
 */
export interface Flow {
  done: string[];
  failed: string[];
}

export const still = (directories: string[]): Flow => ({ done: directories, failed: directories });

export const union = (a: string[], b: string[]): string[] => [...new Set([...a, ...b])].slice(0, 8);

/** Where a command leaves the shell. */
export function flowOf(words: Field[], directories: string[]): Flow {
  const [name, ...others] = words;
  const program = literal(name);
  if (program === "exit" || program === "return") return { done: [], failed: [] };
  if (program === "popd" || program === "dirs") return still([NOWHERE, ...directories]);
  if (program !== "cd" && program !== "pushd") return still(directories);
  const operand = others.find((field) => !/^-[LPe@]+$|^--$/.test(literal(field) ?? ""));
  const target = operand === undefined ? "~" : literal(operand);
  if (target === undefined || target === "-" || target.startsWith("+") || target.startsWith("~"))
    return { done: [NOWHERE], failed: directories };
  const done = directories.map((directory) => {
    if (directory === NOWHERE && !target.startsWith("/")) return NOWHERE;
    const path = posix.resolve(directory === NOWHERE ? "/" : directory, target);
    // Nobody works so deep.
    return path.length > 512 ? NOWHERE : path;
  });
  return { done, failed: directories };
}
