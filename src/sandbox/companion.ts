import type { Json } from "../domain/json.ts";
import type { Command } from "./sandbox.ts";

/**
 * A small program of ours that runs inside the sandbox beside a command and under the same limits, on the Node that runs us.
 * `main` is sent as its own text: it may use nothing but its parameters, globals and `process.getBuiltinModule`.
 */
export interface Companion<Input extends Json> {
  main: (input: Input, say: (word: string) => void) => void;
  input: Input;
}

/** What a companion says when the command may start. Anything else is why it may not. */
export const READY = "ready";

/** The exit code of a command that was not started because its companion said no. */
export const NOT_STARTED = 125;

const NODE = "/run/miracle/node";

/** Few threads and a small heap: they count against the limits of the command. */
const FLAGS = ["--v8-pool-size=1", "--max-old-space-size=64", "--max-semi-space-size=1", "--no-warnings"];

/**
 * The command with a companion before it. The shell waits until the companion has said its word, then becomes the command;
 * the companion is a child of the namespace's first process, and ends with it. `mark` begins the line of stderr that
 * says why the command was not started: only the shell knows it, and that is gone when the command runs.
 */
export function withCompanion<Input extends Json>(
  command: Command,
  companion: Companion<Input>,
  { mark, execPath }: { mark: string; execPath: string },
): Command {
  const program = `(${companion.main.toString()})(${JSON.stringify(companion.input)},${say.toString()})`;
  const script = [
    // The pipe of the substitution closes when the companion lets go of it, not when it ends.
    `said=$(NODE_OPTIONS= "$1" ${FLAGS.join(" ")} -e "$2" </dev/null 2>&1 &)`,
    `if [ "$said" != ${READY} ]; then printf '%s %s\\n' "$3" "$said" >&2; exit ${NOT_STARTED}; fi`,
    "shift 3",
    'exec "$@"',
  ];
  return {
    ...command,
    argv: ["/bin/sh", "-c", script.join("\n"), "sh", NODE, program, mark, ...command.argv],
    mounts: [...(command.mounts ?? []), { from: execPath, to: NODE }],
  };
}

/** Runs inside: says the one word, and leaves the streams to the command. */
function say(word: string): void {
  const { closeSync, openSync, writeSync } = process.getBuiltinModule("node:fs");
  writeSync(1, word);
  for (const descriptor of [0, 1, 2]) {
    closeSync(descriptor);
    openSync("/dev/null", "r+");
  }
}
