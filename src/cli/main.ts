import { config } from "zod";
import { homeDirectory } from "../workspace/home-directory.ts";
import { runCommandLine } from "./command-line.ts";
import { EXIT } from "./text/exit-codes.ts";

// A run parses each shape a few times: compiling a parser for it would take longer than it saves.
config({ jitless: true });

// `miracle history | head` closes the pipe early: that is no error. A run that nobody follows any more was interrupted.
const RUNS_A_TASK = new Set(["run", "resume", "continue", "fork", "mcp", "acp"]);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(RUNS_A_TASK.has(process.argv[2] ?? "") ? EXIT.interrupted : EXIT.done);
  throw error;
});

/** Somebody may have removed it under us. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write("miracle: the directory you are in is gone; change to another one\n");
    process.exit(EXIT.environment);
  }
}

const terminal = {
  // Reading the property opens the stream, and most runs never read it.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  error: process.stderr,
  env: process.env,
  directory: currentDirectory(),
  home: homeDirectory(),
};
void runCommandLine(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
