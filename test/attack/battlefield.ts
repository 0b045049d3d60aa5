import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { hashOnly } from "../../src/workspace/content-sink.ts";
import { objectId } from "../../src/workspace/git-objects.ts";
import { removeTree } from "../../src/workspace/remove-tree.ts";
import { scan } from "../../src/workspace/scan.ts";
import { type HostState, hostState, processesIn } from "./host-state.ts";

/** In the environment and the files of the host; nothing that comes out of a sandbox may hold it. */
export const SECRET = "not-for-the-sandbox";

export interface FieldOptions {
  /** Who sandboxed code is on the host; workspaces belong to it. */
  owner: number;
  /** True: the kernel counts memory and processes of the whole command. */
  groups: boolean;
  /** True: what is mounted stands where only root can enter. */
  closed?: boolean;
}

/**
 * The host as an attack finds it: a place beside the workspace that only the sandbox bars, since its user may write there;
 * servers on every address; a process of the same user. And whether all of it is as before.
 */
export class Battlefield implements AsyncDisposable {
  readonly token = randomUUID();
  readonly directory: string;
  readonly outside: string;
  readonly mounted: string;
  /** The kernel counts memory and processes of the whole command. */
  readonly groups: boolean;
  readonly #owner: number;
  readonly #victim: ChildProcess;
  readonly #servers: (Server | Socket)[] = [];
  #port = 0;
  #connections = 0;
  #before: HostState | undefined;
  #workspace = "";

  private constructor({ owner, groups, closed }: FieldOptions) {
    this.#owner = owner;
    this.groups = groups;
    this.directory = mkdtempSync(join(tmpdir(), "miracle-attack-"));
    chmodSync(this.directory, 0o755);
    this.outside = this.#openDirectory("outside", SECRET);
    mkdirSync(join(this.directory, "around"), { mode: closed ? 0o700 : 0o755 });
    this.mounted = this.#openDirectory("around/mounted", "canary");
    const env = { MIRACLE_TEST_KEY: SECRET };
    this.#victim = spawn("sleep", ["600"], { uid: owner, gid: owner, env, cwd: "/", stdio: "ignore" });
  }

  static async open(options: FieldOptions): Promise<Battlefield> {
    const field = new Battlefield(options);
    await field.#listen();
    return field;
  }

  get workspace(): string {
    return this.#workspace;
  }

  /** What the attacker knows of the host. */
  get env(): Record<string, string> {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    return {
      ATTACK_TOKEN: this.token,
      ATTACK_OUTSIDE: this.outside,
      ATTACK_HOST_PID: String(process.pid),
      ATTACK_VICTIM: String(this.#victim.pid),
      ATTACK_PORT: String(this.#port),
      ATTACK_ADDRESSES: addresses.map(({ address }) => address).join(" "),
    };
  }

  /** A fresh workspace, and a look at the host. */
  begin(): void {
    this.#workspace = this.#openDirectory(`workspace-${randomUUID()}`);
    this.#before = this.#state();
  }

  /** Everything that is not as before, in words. */
  async harm(): Promise<{ now: HostState; before: HostState | undefined; inWorkspace: string[] }> {
    const now = this.#state();
    const inWorkspace = dangerous(this.#workspace);
    const rules = { leaveOut: () => null, markers: false, opens: true, maxFiles: 1e6, maxBytes: 1e10 };
    await scan(this.#workspace, null, rules, hashOnly(objectId));
    removeTree(this.#workspace);
    return { now, before: this.#before, inWorkspace };
  }

  /** Throws when something inside still holds the lock. */
  lockCanary(): void {
    const { status } = spawnSync("flock", ["-n", join(this.mounted, "canary"), "true"]);
    if (status !== 0) throw new Error("a lock of the sandbox outlives it");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#victim, "exit");
    this.#victim.kill("SIGKILL");
    await ended;
    for (const server of this.#servers) server.close();
    removeTree(this.directory);
  }

  #state(): HostState {
    const { pid } = this.#victim;
    return hostState({
      owner: this.#owner,
      token: this.token,
      directory: this.directory,
      watched: [this.outside, this.mounted],
      processes: processesIn(this.#workspace, this.token),
      victim: pid ?? 0,
      connections: this.#connections,
    });
  }

  #openDirectory(name: string, canary?: string): string {
    const path = join(this.directory, name);
    mkdirSync(path);
    chmodSync(path, 0o777);
    if (canary !== undefined) writeFileSync(join(path, "canary"), canary);
    for (const item of [path, ...namesIn(path).map((entry) => join(path, entry))])
      chownSync(item, this.#owner, this.#owner);
    return path;
  }

  async #listen(): Promise<void> {
    const count = () => {
      this.#connections += 1;
    };
    const serve = async (where: { host: string; port: number } | { path: string }) => {
      const server = createServer((socket) => {
        count();
        socket.end(SECRET);
      });
      this.#servers.push(server);
      server.listen(where);
      await once(server, "listening");
      return server.address();
    };
    const address = await serve({ host: "0.0.0.0", port: 0 });
    this.#port = typeof address === "object" ? (address?.port ?? 0) : 0;
    await serve({ host: "::1", port: this.#port }).catch(() => {}); // not every machine has IPv6
    await serve({ path: `\0miracle-attack-${this.token}` });
    await serve({ path: join(this.outside, "socket") });
    chmodSync(join(this.outside, "socket"), 0o777);
    const datagrams = createSocket("udp4").on("message", count);
    this.#servers.push(datagrams);
    datagrams.bind(this.#port, "0.0.0.0");
    await once(datagrams, "listening");
  }
}

/** Devices, and files that give the rights of their owner away. Follows no link, looks as deep as a path can say. */
function dangerous(directory: string): string[] {
  const found: string[] = [];
  const pending = [Buffer.from(directory)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of rawNamesIn(next)) {
      const path = Buffer.concat([next, Buffer.from("/"), name]);
      if (path.length > 4_000) continue;
      const stats = lstatSync(path);
      if (stats.isDirectory()) pending.push(path);
      if (stats.isBlockDevice() || stats.isCharacterDevice()) found.push(`${path} is a device`);
      if (stats.isFile() && (stats.mode & 0o6000) !== 0) found.push(`${path} has mode ${stats.mode.toString(8)}`);
    }
  }
  return found;
}

function rawNamesIn(directory: Buffer): Buffer[] {
  try {
    return readdirSync(directory, { encoding: "buffer" });
  } catch {
    return []; // closed to us: then it is opened, read and removed by what follows
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
