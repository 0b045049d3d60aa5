import { randomBytes } from "node:crypto";
import type { Json } from "../domain/json.ts";
import type { Command, CommandResult } from "./sandbox.ts";

/**
 * A small program of ours that runs inside the sandbox beside a command, under the same limits, on the Node that runs
 * us. `main` is sent as its own source text, so it may use only its parameters, globals and `process.getBuiltinModule`.
 */
export interface Companion<Input extends Json> {
  main: (input: Input, say: (word: string) => void) => void;
  input: Input;
}

/** The companion's word that the command may start. Any other word is the reason why it may not. */
const READY = "ready";

/** The exit code of a command that was not started because its companion refused. */
const NOT_STARTED = 125;

const NODE = "/run/miracle/node";

/** Few threads, because they count against the limits of the command. */
const FLAGS = ["--v8-pool-size=1", "--no-warnings"];

/** A command with its companion, and how its result shows whether it was started. */
export interface Accompanied {
  command: Command;
  /** Why the command was not started. Null if it was started, or if a limit ended it, which the result says. */
  whyNot(result: CommandResult): string | null;
}

/**
 * Puts a companion before a command. The shell waits for the companion's word and then becomes the command. The
 * companion is a child of the namespace's first process and ends with it. A command must not be able to pretend that it
 * was never started. So the line that says so begins with a mark that only the shell knows. The shell gets the mark as
 * the first line of its input, because arguments can be read in /proc, and the shell is gone when the command runs.
 */
export function withCompanion<Input extends Json>(
  command: Command,
  companion: Companion<Input>,
  execPath: string,
): Accompanied {
  const mark = randomBytes(16).toString("hex");
  const program = `(${companion.main.toString()})(${JSON.stringify(companion.input)},${say.toString()})`;
  const script = [
    "IFS= read -r mark",
    // The pipe of the substitution closes when the companion releases it, not when the companion ends.
    `said=$(${assignments()} "$1" ${FLAGS.join(" ")} -e "$2" </dev/null 2>&1 &)`,
    `if [ "$said" != ${READY} ]; then printf '%s %s\\n' "$mark" "$said" >&2; exit ${NOT_STARTED}; fi`,
    "shift 2",
    'exec "$@"',
  ];
  return {
    command: {
      ...command,
      argv: ["/bin/sh", "-c", script.join("\n"), "sh", NODE, program, ...command.argv],
      mounts: [...(command.mounts ?? []).filter(({ to }) => to !== NODE), { from: execPath, to: NODE }],
      stdin: `${mark}\n${command.stdin ?? ""}`,
    },
    whyNot: ({ ending, exitCode, stderr }) => {
      const at = ending === "exited" && exitCode === NOT_STARTED ? stderr.indexOf(`${mark} `) : -1;
      return at === -1 ? null : stderr.slice(at + mark.length + 1).trimEnd();
    },
  };
}

/**
 * The command's own options for Node must not affect the companion. What the companion starts gets them: see
 * `keptVariable`.
 */
const assignments = () => NODE_VARIABLES.flatMap((name) => [`${keptVariable(name)}="$${name}"`, `${name}=`]).join(" ");

export const NODE_VARIABLES = ["NODE_OPTIONS", "NODE_USE_ENV_PROXY"];

/** The variable in which a companion finds the command's value of this name. */
export const keptVariable = (name: string): string => `MIRACLE_KEPT_${name}`;

/** Runs inside: says the one word, and leaves the streams to the command. */
function say(word: string): void {
  const { closeSync, openSync, writeSync } = process.getBuiltinModule("node:fs");
  writeSync(1, word);
  for (const descriptor of [0, 1, 2]) {
    closeSync(descriptor);
    openSync("/dev/null", "r+");
  }
}
