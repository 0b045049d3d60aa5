import { homedir } from "node:os";
import { config } from "zod";
import { runCommandLine } from "./command-line.ts";

// A run parses each shape a few times: compiling a parser for it would take longer than it saves.
config({ jitless: true });

// `miracle history | head` closes the pipe early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const terminal = {
  // Opened by the first look at it, which most runs never take.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  error: process.stderr,
  env: process.env,
  directory: process.cwd(),
  home: homedir(),
};
void runCommandLine(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
