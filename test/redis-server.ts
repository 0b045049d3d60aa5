import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { freePort } from "./free-port.ts";
import { installPackages } from "./install-packages.ts";

const PROGRAM = "/usr/bin/redis-server";

/** A real Redis on a loopback port. It keeps nothing, and ends with the tests. */
export class RedisServer implements AsyncDisposable {
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  /** A running server, or the reason why there can be none. */
  static async start(): Promise<RedisServer | string> {
    const problem = existsSync(PROGRAM) ? null : installPackages(["redis-server"]);
    if (problem !== null || !existsSync(PROGRAM)) return `no Redis server: ${problem ?? "not where Debian puts it"}`;
    const server = new RedisServer(await freePort());
    await server.run();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it, also once more after `stop`. */
  run(): Promise<void> {
    const settings = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const child = spawn("setpriv", ["--pdeathsig=KILL", PROGRAM, ...settings], { stdio: ["ignore", "pipe", "ignore"] });
    this.#child = child;
    return new Promise((resolve, reject) => {
      let said = "";
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`redis ended with ${code}: ${said.slice(-600)}`)));
      child.stdout.on("data", (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-4000);
        if (/ready to accept connections/i.test(said)) resolve();
      });
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
