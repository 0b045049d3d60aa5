import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { shareKeptCode } from "./kept-code.ts";
import { programFor } from "./ordinary-user.ts";

export interface CommandEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  env?: Record<string, string>;
  /** Null: it stays open, for `type`. */
  stdin?: string | null;
  /** Where the person stands; default: the project. */
  cwd?: string;
  /** Whose process it is, when not ours. */
  uid?: number;
  /** Program and arguments that start the command in surroundings of their own. */
  within?: string[];
}

/** A process, as it is started. */
interface CommandCall {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** A person's terminal: a project, a data directory, and the built command. */
export class CommandLine {
  readonly project: string;
  readonly home: string;
  readonly #baseUrl: string;

  constructor(root: string, baseUrl: string) {
    this.project = join(root, "project");
    this.home = join(root, "home");
    this.#baseUrl = baseUrl;
    mkdirSync(this.project, { recursive: true });
    mkdirSync(this.home, { recursive: true });
    shareKeptCode(this.home);
  }

  get dataDirectory(): string {
    return join(this.home, "data");
  }

  get database(): string {
    return join(this.dataDirectory, "miracle.db");
  }

  /** Runs `miracle …` to its end. */
  run(args: string[], env: Record<string, string> = {}, stdin = ""): Promise<CommandEnd> {
    return this.start(args, { env, stdin }).end;
  }

  /** Starts `miracle …`. Nothing of the developer's environment reaches it. */
  start(args: string[], options: CommandOptions = {}): StartedCommand {
    const { stdin = "", uid } = options;
    const { command, args: rest, cwd, env } = this.call(args, options);
    const child = spawn(command, rest, { cwd, env, ...(uid !== undefined && { uid, gid: uid }) });
    // A command that refuses its input before it has read it closes the pipe: that is its good right.
    child.stdin.on("error", () => {});
    if (stdin !== null) child.stdin.end(stdin);
    return new StartedCommand(child);
  }

  /** How `miracle …` is started here, for whoever starts it otherwise. */
  call(args: string[], { env, cwd = this.project, uid, within = [] }: CommandOptions = {}): CommandCall {
    const { node, root } = programFor(uid);
    const [command = "", ...rest] = [...within, node, join(root, "bin", "miracle.js"), ...args];
    return {
      command,
      args: rest,
      cwd,
      env: {
        PATH: "/usr/bin:/bin",
        HOME: this.home,
        MIRACLE_HOME: this.dataDirectory,
        MIRACLE_BASE_URL: this.#baseUrl,
        MIRACLE_MODEL: "local/scripted",
        // What remembers has tests of its own.
        MIRACLE_MEMORY: "off",
        ...env,
      },
    };
  }
}

/** `miracle …` while it runs. */
export class StartedCommand {
  readonly end: Promise<CommandEnd>;
  readonly #child: ChildProcess;
  readonly #waiting: { text: string; resolve: () => void }[] = [];
  #stdout = "";
  #stderr = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
      this.#tell();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      this.#tell();
    });
    this.end = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** What it printed on stdout, once it matches. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    const found = new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const match = pattern.exec(this.#stdout);
        if (match) resolve(match);
      };
      this.#child.stdout?.on("data", look);
      look();
    });
    const ended = this.end.then(({ stdout, stderr }): never => {
      throw new Error(`it ended without ${pattern}: ${stderr}${stdout}`);
    });
    return Promise.race([found, ended]);
  }

  /** Resolves when it has printed this, on stdout or stderr; rejects when it ends without. */
  prints(text: string): Promise<void> {
    const printed = new Promise<void>((resolve) => this.#waiting.push({ text, resolve }));
    this.#tell();
    const ended = this.end.then(({ stdout, stderr }) => {
      if (!`${stdout}\n${stderr}`.includes(text)) throw new Error(`it ended without "${text}": ${stderr}${stdout}`);
    });
    return Promise.race([printed, ended]);
  }

  #tell(): void {
    for (const { text, resolve } of this.#waiting) {
      if (this.#stdout.includes(text) || this.#stderr.includes(text)) resolve();
    }
  }
}
