import { randomBytes } from "node:crypto";
import type { Json } from "../domain/json.ts";
import type { Command, CommandResult } from "./sandbox.ts";

/**
 * A small program of ours that runs inside the sandbox beside a command and under the same limits, on the Node that runs us.
 * `main` is sent as its own text: it may use nothing but its parameters, globals and `process.getBuiltinModule`.
 */
export interface Companion<Input extends Json> {
  main: (input: Input, say: (word: string) => void) => void;
  input: Input;
}

/** What a companion says when the command may start. Anything else is why it may not. */
const READY = "ready";

/** The exit code of a command that was not started because its companion said no. */
const NOT_STARTED = 125;

const NODE = "/run/miracle/node";

/** Few threads: they count against the limits of the command. */
const FLAGS = ["--v8-pool-size=1", "--no-warnings"];

/** A command with its companion, and how to tell from its result whether it was started. */
export interface Accompanied {
  command: Command;
  /** Why the command was not started; null when it was, and when a limit ended it: the result says that then. */
  whyNot(result: CommandResult): string | null;
}

/**
 * The command with a companion before it. The shell waits until the companion has said its word, then becomes the command;
 * the companion is a child of the namespace's first process, and ends with it.
 * A command must not be able to pretend that it was never started. So the line that says so begins with a mark that only
 * the shell gets to know, as the first line of its input (arguments can be read in /proc), and the shell is gone then.
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
    // The pipe of the substitution closes when the companion lets go of it, not when it ends.
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

/** The command's own options for Node must not steer the companion, but what it starts gets them: see `keptVariable`. */
const assignments = () => NODE_VARIABLES.flatMap((name) => [`${keptVariable(name)}="$${name}"`, `${name}=`]).join(" ");

export const NODE_VARIABLES = ["NODE_OPTIONS", "NODE_USE_ENV_PROXY"];

/** Where a companion finds what the command's variable of this name says. */
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
