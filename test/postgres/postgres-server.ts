import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { installPackages } from "../install-packages.ts";

/**
 * A real PostgreSQL server with data of its own, on a loopback port; its order of text is that of English, not of bytes.
 * It flushes as any other: tests that kill depend on it.
 */
export class PostgresServer implements AsyncDisposable {
  readonly password = randomBytes(12).toString("hex");
  readonly port: number;
  /** Where its socket lies. */
  readonly directory: string;
  readonly #programs: string;
  readonly #user: { uid?: number; gid?: number };
  #child: ChildProcess | undefined;

  private constructor(programs: string, port: number) {
    this.#programs = programs;
    this.port = port;
    this.directory = mkdtempSync("/var/tmp/miracle-postgres-");
    this.#user = serverUser();
    if (this.#user.uid !== undefined) chownSync(this.directory, this.#user.uid, this.#user.gid ?? this.#user.uid);
  }

  /** A running server, or the reason why there can be none. */
  static async start(): Promise<PostgresServer | string> {
    const programs =
      findPrograms() ?? installPackages(["postgresql"]) ?? findPrograms() ?? "PostgreSQL is not where Debian puts it";
    if (!existsSync(programs)) return `no PostgreSQL server: ${programs}`;
    const server = new PostgresServer(programs, await freePort());
    try {
      server.#makeCluster();
      await server.run();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      return `no PostgreSQL server can be started here: ${error instanceof Error ? error.message : error}`;
    }
  }

  url(database = "postgres", user = "miracle", password = this.password): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it, also once more after `kill` or `stop`. */
  run(): Promise<void> {
    const { port, directory } = this;
    const settings = { listen_addresses: "127.0.0.1", port, unix_socket_directories: directory, max_connections: 100 };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const [program = "", ...rest] = this.#endsWithUs([join(this.#programs, "postgres"), "-D", join(directory, "data")]);
    const child = spawn(program, [...rest, ...args], { stdio: ["ignore", "ignore", "pipe"], cwd: directory });
    this.#child = child;
    return new Promise((resolve, reject) => {
      let said = "";
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${said.slice(-600)}`)));
      child.stderr.on("data", (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-4000);
        if (said.includes("ready to accept connections")) resolve();
      });
    });
  }

  /** Ends it and every session: `SIGINT` as an administrator would, `SIGQUIT` as a crash. */
  async stop(signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** As the server's user, and stopped by the kernel when the tests are killed. */
  #endsWithUs(command: string[]): string[] {
    const { uid, gid } = this.#user;
    const user = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid ?? uid}`, "--clear-groups"];
    return ["setpriv", "--pdeathsig=INT", ...user, ...command];
  }

  #makeCluster(): void {
    const passwordFile = join(this.directory, "password");
    writeFileSync(passwordFile, this.password);
    if (this.#user.uid !== undefined) chownSync(passwordFile, this.#user.uid, this.#user.gid ?? this.#user.uid);
    const options = ["--username=miracle", `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--encoding=UTF8"];
    const order = ["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"];
    execFileSync(join(this.#programs, "initdb"), ["-D", join(this.directory, "data"), ...options, ...order], {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: this.directory,
      ...this.#user,
    });
  }
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function findPrograms(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  const newest = Math.max(...versions.filter((version) => existsSync(join(root, String(version), "bin/postgres"))));
  return newest >= 15 ? join(root, String(newest), "bin") : undefined;
}
