import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/config/package-root.ts";

export interface CommandEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
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
  }

  get database(): string {
    return join(this.home, "data", "miracle.db");
  }

  /** Runs `miracle …` to its end. Nothing of the developer's environment reaches it. */
  run(args: string[], env: Record<string, string> = {}, stdin = ""): Promise<CommandEnd> {
    const child = spawn(process.execPath, [join(packageRoot(), "bin", "miracle.js"), ...args], {
      cwd: this.project,
      env: {
        PATH: "/usr/bin:/bin",
        HOME: this.home,
        MIRACLE_HOME: join(this.home, "data"),
        MIRACLE_BASE_URL: this.#baseUrl,
        MIRACLE_MODEL: "local/scripted",
        ...env,
      },
    });
    child.stdin.end(stdin);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  }
}
