import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fail } from "../../src/domain/failure.ts";
import type { SandboxLimits } from "../../src/domain/settings/settings.ts";
import type { Command, CommandResult, Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Answer, Request } from "./serve-sandbox.ts";

/** A user without any rights: no control group to write, nothing of root's to read. */
export const ORDINARY_UID = 54_321;

/** A real sandbox in a process of an ordinary user, reached over its standard input and output. */
export class OrdinaryUserSandbox implements Sandbox {
  readonly backend = "bubblewrap";
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;

  /** `node` and `root` are Node and this repository where that user can reach them. */
  constructor({ node, root }: { node: string; root: string }, env: Record<string, string>) {
    const server = join(root, "test", "conformance", "serve-sandbox.ts");
    // A descriptor far from the others, left open by whoever starts it: the sandbox must not pass it on.
    const stdio: ("pipe" | "inherit" | "ignore")[] = ["pipe", "pipe", "inherit"];
    while (stdio.length < 40) stdio.push("ignore");
    stdio.push("pipe");
    this.#child = spawn(node, [server], { uid: ORDINARY_UID, gid: ORDINARY_UID, env, cwd: "/", stdio });
    if (!this.#child.stdout) throw new Error("no pipe to the sandbox of the ordinary user");
    createInterface(this.#child.stdout).on("line", (line) => {
      const answer: Answer = JSON.parse(line);
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  async run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    signal.throwIfAborted();
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    signal.addEventListener("abort", () => this.#send({ id, type: "abort" }));
    this.#send({ id, type: "run", command, limits });
    const answer = await promise;
    signal.throwIfAborted();
    if (answer.type === "failed") throw fail("environment", answer.code, answer.message);
    return answer.result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    await once(this.#child, "close");
  }

  #send(request: Request): void {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
  }
}
