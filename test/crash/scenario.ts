import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { droppedIdentity } from "../../src/sandbox/identity.ts";
import { CheckoutDirectories } from "../../src/workspace/checkout-directory.ts";
import { CommandLine } from "../command-line.ts";
import { type ModelServer, type Script, startModelServer } from "../model-server.ts";
import { quickPlace } from "../temporary.ts";

export interface Scenario {
  goal: string;
  flags: string[];
  files: Record<string, string>;
  /** The project is a git repository, and its files are committed. */
  committed?: boolean;
  env?: Record<string, string>;
  /** Answers from the request alone, so that a crash cannot disturb the order. */
  script: Script;
  /** Model calls that may be under way at once. */
  inFlight?: number;
}

export interface Finished {
  files: Record<string, string>;
  tree: string;
  status: string;
  requests: number;
}

/** One project, one data directory, one model server; used for one crash. */
export class CrashRun implements AsyncDisposable {
  readonly #scenario: Scenario;
  readonly #root: string;
  readonly #server: ModelServer;
  readonly line: CommandLine;

  private constructor(scenario: Scenario, root: string, server: ModelServer) {
    this.#scenario = scenario;
    this.#root = root;
    this.#server = server;
    this.line = new CommandLine(root, server.baseUrl);
    for (const [path, content] of Object.entries(scenario.files)) writeFileSync(join(this.line.project, path), content);
    if (!scenario.committed) return;
    for (const args of [
      ["init", "-q", "-b", "main"],
      ["add", "-A"],
      ["commit", "-q", "-m", "start"],
    ])
      this.git(...args);
  }

  static async create(scenario: Scenario): Promise<CrashRun> {
    const root = mkdtempSync(join(quickPlace(), "miracle-crash-"));
    return new CrashRun(scenario, root, await startModelServer(scenario.script));
  }

  /** What a person sees of their repository. */
  git(...args: string[]): string {
    const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
    const who = ["-c", "user.name=Sample", "-c", "user.email=sample@localhost"];
    return execFileSync("git", ["-C", this.line.project, ...who, ...args], { env, encoding: "utf8", stdio: "pipe" });
  }

  get requests(): number {
    return this.#server.requests.length;
  }

  /** How many moments a run without a crash passes. */
  async countMoments(): Promise<number> {
    const file = join(this.#root, "moments");
    const end = await this.start({ MIRACLE_FAULT: `count:${file}` });
    if (end.code !== 0) throw new Error(`the run without a crash failed: ${end.stderr}${end.stdout}`);
    return Number(readFileSync(file, "utf8"));
  }

  start(env: Record<string, string> = {}) {
    const { goal, flags, env: own } = this.#scenario;
    return this.line.run(["run", goal, "--quiet", ...flags], { ...own, ...env });
  }

  /** What a person does after a crash: resume, or begin if nothing was begun. */
  goOn(env: Record<string, string> = {}) {
    return this.tasks().length === 0 ? this.start(env) : this.line.run(["resume", "--last", "--quiet"], env);
  }

  recordedModelCalls(): number {
    return Number(this.query("select count(*) as n from steps where kind = 'model'")[0]?.n ?? 0);
  }

  /** How often something was taken back. */
  undone(): number {
    return Number(this.query("select count(*) as n from steps where kind = 'compensation'")[0]?.n ?? 0);
  }

  tasks(): { status: string; tree: string }[] {
    return this.query("select status, final_code as tree from tasks").map(({ status, tree }) => ({
      status: String(status),
      tree: String(tree),
    }));
  }

  /** Checkouts of any task of this data directory. */
  checkouts(): string[] {
    const { root } = CheckoutDirectories.open(this.line.dataDirectory, droppedIdentity());
    return existsSync(root) ? readdirSync(root) : [];
  }

  /** The id of its only task. */
  get task(): string {
    return String(this.query("select id from tasks")[0]?.id ?? "");
  }

  files(): Record<string, string> {
    const { project } = this.line;
    const entries = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
    return Object.fromEntries(paths.map((path) => [path.slice(project.length + 1), readFileSync(path, "utf8")]));
  }

  finished(): Finished {
    const [task] = this.tasks();
    return { files: this.files(), tree: task?.tree ?? "", status: task?.status ?? "", requests: this.requests };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Of the database as it is; nothing before there are tables. */
  query(sql: string): Record<string, unknown>[] {
    if (!existsSync(this.line.database)) return [];
    const database = new DatabaseSync(this.line.database, { timeout: 10_000 });
    try {
      const known = database.prepare("select name from sqlite_master where name = 'tasks'").get();
      return known ? database.prepare(sql).all() : [];
    } finally {
      database.close();
    }
  }
}
