import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandLine, type StartedCommand } from "../../test/command-line.ts";
import type { ModelServer } from "../../test/model-server.ts";
import type { FarMachine } from "../../test/postgres/far-machine.ts";

/** Dollars, for each task. A call that was cut off counts with the most that it could have cost. */
export const BUDGET = 5;

const SETTINGS = `direct: true
limits: { maxCost: ${BUDGET} }
prices: { local/scripted: { input: 1, cacheWrite: 1, cachedInput: 1, output: 5 } }
`;

/** What is there already where tasks are planned. */
const PLANNED: [path: string, content: string][] = [
  [".miracle/config.yaml", "direct: false\neffort: quick\narchitect: never\nlimits: { parallel: 2 }\n"],
  ["package.json", '{ "private": true, "type": "module", "scripts": { "test": "node --test" } }\n'],
];
export const isGiven = (path: string): boolean => PLANNED.some(([given]) => given === path);

export interface CrowdSize {
  workers: number;
  /** So many of the workers are for lent todos alone. Then the tasks of the first directory are planned. */
  helpers?: number;
  directories: number;
  /** The first worker stands there, joined to the database by a cable that can be cut. */
  far?: FarMachine | undefined;
  /** Tasks at once on each worker. */
  concurrency?: number;
  /** The server's settings, as YAML. */
  settings?: string;
}

/** A server that fills the queue, and workers of which each has a home and a data directory of its own. */
export class WorkerCrowd implements AsyncDisposable {
  readonly directories: string[];
  readonly #size: CrowdSize;
  readonly #root: string;
  readonly #env: Record<string, string>;
  readonly #databaseUrl: URL;
  readonly #model: ModelServer;
  readonly #lines: CommandLine[];
  readonly #workers: StartedCommand[] = [];
  readonly #running = new Set<StartedCommand>();
  #server: { origin: string; token: string } | undefined;
  #workerEnv: Record<string, string> = {};

  constructor(root: string, model: ModelServer, databaseUrl: string, size: CrowdSize) {
    this.#size = size;
    this.#root = root;
    this.#model = model;
    this.#env = { DATABASE_URL: databaseUrl };
    this.#databaseUrl = new URL(databaseUrl);
    this.directories = Array.from({ length: size.directories }, (_, index) => join(root, `project-${index}`));
    for (const directory of this.directories) mkdirSync(directory, { recursive: true });
    const [planned] = this.directories;
    if (planned !== undefined && size.helpers) {
      for (const [path, content] of PLANNED) {
        mkdirSync(dirname(join(planned, path)), { recursive: true });
        writeFileSync(join(planned, path), content);
      }
    }
    this.#lines = Array.from({ length: size.workers }, (_, index) => this.#home(`worker-${index}`));
  }

  /** Where trees lie: the server's, and each worker's. */
  get dataDirectories(): string[] {
    return [join(this.#root, "server", "home", "data"), ...this.#lines.map((line) => line.dataDirectory)];
  }

  async start(): Promise<void> {
    const line = this.#home("server");
    const place = join(line.home, ".config", "miracle");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "config.yaml"), this.#size.settings ?? SETTINGS);
    const flags = this.directories.flatMap((directory) => ["--dir", directory]);
    const server = this.#start(line, ["serve", "--queue", "--port", "0", ...flags], this.#env);
    const [, origin = "", token = ""] = await server.line(/serving at (http:\S+?)\/#token=(\S+)\n/);
    this.#server = { origin, token };
    const made = await line.run(["token", "add", "worker", "--scope", "work"], this.#env);
    this.#workerEnv = { ...this.#env, MIRACLE_TREES: `${origin}/trees`, MIRACLE_TOKEN: made.stdout.trim() };
    const { far } = this.#size;
    await far?.join(Number(this.#databaseUrl.port));
    for (const address of [origin, this.#model.baseUrl]) await far?.lend(Number(new URL(address).port));
    for (const [index] of this.#lines.entries()) this.#startWorker(index);
    await Promise.all(this.#workers.map((worker) => worker.line(/takes tasks for all directories\n/)));
  }

  /** Asks for a task, and answers its id. */
  async ask(goal: string, directory: number): Promise<string> {
    const { origin, token } = this.#server ?? { origin: "", token: "" };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ goal, directory: `project-${directory}` });
    for (;;) {
      const response = await fetch(`${origin}/tasks`, { method: "POST", headers, body });
      const said: unknown = await response.json();
      if (response.ok && typeof said === "object" && said !== null && "id" in said) return String(said.id);
      if (response.status !== 429) throw new Error(`${response.status} ${JSON.stringify(said)}`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  /** Kills a worker as a power cut would, and starts it again with the same data directory. */
  async replace(index: number): Promise<void> {
    const worker = this.#workers[index];
    if (!worker) return;
    worker.kill("SIGKILL");
    await worker.end;
    this.#running.delete(worker);
    this.#startWorker(index);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const command of this.#running) command.kill("SIGKILL");
    await Promise.all([...this.#running].map((command) => command.end));
  }

  #home(name: string): CommandLine {
    return new CommandLine(join(this.#root, name), this.#model.baseUrl);
  }

  #startWorker(index: number): void {
    const line = this.#lines[index];
    const { workers, helpers = 0, concurrency = 2, far } = this.#size;
    const roles = helpers === 0 ? [] : ["--roles", index < workers - helpers ? "tasks" : "todos"];
    const flags = ["--concurrency", String(concurrency), ...roles];
    if (!line) return;
    const args = ["worker", ...flags];
    if (!far || index > 0) this.#workers[index] = this.#start(line, args, this.#workerEnv);
    else {
      const byCable = Object.assign(new URL(this.#databaseUrl), { hostname: far.here }).href;
      this.#workers[index] = this.#start(line, args, { ...this.#workerEnv, DATABASE_URL: byCable }, far.within);
    }
  }

  #start(line: CommandLine, args: string[], env: Record<string, string>, within: string[] = []): StartedCommand {
    const command = line.start(args, { env, within });
    this.#running.add(command);
    return command;
  }
}
