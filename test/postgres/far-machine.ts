import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";

/** Takes connections on its own loopback and passes them on to a socket file, which no cable concerns. */
const PASSING_ON = `
const { connect, createServer } = require("node:net");
const [port, path] = process.argv.slice(1);
createServer((from) => {
  const to = connect(path);
  from.pipe(to).pipe(from);
  for (const socket of [from, to]) socket.on("error", () => { from.destroy(); to.destroy(); });
}).listen(Number(port), "127.0.0.1", () => console.log("listens"));
`;

/**
 * A machine of its own as far as the network goes (a namespace of the kernel), joined to this one by one cable (a veth
 * pair) that can be cut. Nothing of it is told then: connections stay open, and nobody answers.
 */
export class FarMachine implements AsyncDisposable {
  /** The address of this machine at its end of the cable. */
  readonly here: string;
  /** What starts a command over there. */
  readonly within: string[];
  readonly #name: string;
  readonly #directory = mkdtempSync("/var/tmp/miracle-far-");
  readonly #servers: Server[] = [];
  readonly #processes: { kill(): unknown }[] = [];

  private constructor(name: string, network: string) {
    this.#name = name;
    this.here = `${network}.1`;
    this.within = ["ip", "netns", "exec", name];
  }

  /** A machine, or the reason why there can be none. */
  static open(): FarMachine | string {
    const name = `far${process.pid}`;
    const network = `10.213.${process.pid % 250}`;
    const ip = (...args: string[]) => void execFileSync("ip", args, { stdio: "pipe" });
    try {
      ip("netns", "add", name);
    } catch (error) {
      return `no network namespace can be made here: ${error instanceof Error ? error.message.trim() : error}`;
    }
    const machine = new FarMachine(name, network);
    try {
      ip("link", "add", `${name}h`, "type", "veth", "peer", "name", "cable", "netns", name);
      ip("addr", "add", `${network}.1/30`, "dev", `${name}h`);
      ip("link", "set", `${name}h`, "up");
      ip("-n", name, "addr", "add", `${network}.2/30`, "dev", "cable");
      for (const device of ["lo", "cable"]) ip("-n", name, "link", "set", device, "up");
      return machine;
    } catch (error) {
      machine.#remove();
      return `no cable between network namespaces here: ${error instanceof Error ? error.message.trim() : error}`;
    }
  }

  /** Lets it reach a port of this machine's loopback by the cable, at `here`. */
  async join(port: number): Promise<void> {
    await this.#passOn(port, { host: this.here, port });
  }

  /** Lets it reach a port of this machine's loopback on its own, whatever happens to the cable. */
  async lend(port: number): Promise<void> {
    const path = join(this.#directory, String(port));
    await this.#passOn(port, { path });
    const [program = "", ...rest] = [...this.within, process.execPath, "-e", PASSING_ON, String(port), path];
    const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
    this.#processes.push(child);
    await new Promise((resolve, reject) => {
      child.stdout.once("data", resolve);
      child.once("exit", reject);
    });
  }

  cut(): void {
    execFileSync("ip", ["link", "set", `${this.#name}h`, "down"]);
  }

  mend(): void {
    execFileSync("ip", ["link", "set", `${this.#name}h`, "up"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#processes) child.kill();
    for (const server of this.#servers) server.close();
    this.#remove();
  }

  async #passOn(port: number, at: { host: string; port: number } | { path: string }): Promise<void> {
    const server = createServer((from) => {
      const to = connect(port, "127.0.0.1");
      from.pipe(to).pipe(from);
      for (const socket of [from, to]) {
        socket.on("error", () => {
          from.destroy();
          to.destroy();
        });
      }
    });
    this.#servers.push(server.unref());
    await new Promise<void>((resolve) => server.listen(at, resolve));
  }

  #remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
    execFileSync("ip", ["netns", "del", this.#name]);
  }
}
