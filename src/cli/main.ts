import { homedir } from "node:os";
import { runCommandLine } from "./command-line.ts";

// `miracle history | head` closes the pipe early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  error: process.stderr,
  env: process.env,
  directory: process.cwd(),
  home: homedir(),
});
