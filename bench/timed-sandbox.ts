import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Command, CommandResult, Sandbox } from "../src/sandbox/sandbox.ts";

const FILE = ".bench-times";
/** Whatever the command was, and then what it and all that it waited for took. */
const SHELL = `"$@"; ended=$?; times > ${FILE}; exit $ended`;

/** A sandbox that counts the processor time of its commands: what it costs, whatever else the machine does. */
export class TimedSandbox implements Sandbox {
  readonly backend: string;
  readonly #sandbox: Sandbox;
  processorMs = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.backend = sandbox.backend;
  }

  async run(command: Command, ...around: Parameters<Sandbox["run"]> extends [Command, ...infer Rest] ? Rest : never) {
    const argv = ["bash", "-c", SHELL, "bash", ...command.argv];
    const result: CommandResult = await this.#sandbox.run({ ...command, argv }, ...around);
    const file = join(command.workspace, FILE);
    try {
      for (const [, minutes, seconds] of readFileSync(file, "utf8").matchAll(/(\d+)m([\d.]+)s/g))
        this.processorMs += (Number(minutes) * 60 + Number(seconds)) * 1000;
    } catch {
      // A command that was ended counts for nothing.
    }
    rmSync(file, { force: true });
    return result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#sandbox[Symbol.asyncDispose]());
  }
}
