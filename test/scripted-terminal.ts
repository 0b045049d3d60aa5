import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished } from "vitest";
import type { ExitCode } from "../src/cli/text/exit-codes.ts";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { CheckoutDirectories } from "../src/workspace/checkout-directory.ts";
import { describeTree } from "./awkward-tree.ts";
import { type CommandEnd, CommandLine, type CommandOptions, type StartedCommand } from "./command-line.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";
import { removeCopiedProgram } from "./ordinary-user.ts";
import { temporaryDirectory } from "./temporary.ts";

interface Waiting {
  count: number;
  resolve: () => void;
}

/** A person's terminal beside a scripted model; all of it is gone when the test is over. */
export class ScriptedTerminal {
  readonly server: ModelServer;
  readonly root: string;
  readonly line: CommandLine;
  readonly #waiting: Waiting[];

  private constructor(server: ModelServer, waiting: Waiting[], place: string | undefined) {
    this.server = server;
    this.root = temporaryDirectory("miracle-terminal-", place);
    this.line = new CommandLine(this.root, server.baseUrl);
    this.#waiting = waiting;
  }

  static async open(
    script: Script,
    files: Record<string, string | Buffer> = {},
    place?: string,
  ): Promise<ScriptedTerminal> {
    const waiting: Waiting[] = [];
    const server: ModelServer = await startModelServer(script, {
      onRequest: () => {
        for (const { count, resolve } of waiting) if (server.requests.length >= count) resolve();
      },
    });
    const terminal = new ScriptedTerminal(server, waiting, place);
    onTestFinished(() => server.close());
    onTestFinished(() => terminal.#removeCheckouts());
    onTestFinished(removeCopiedProgram);
    terminal.write(files);
    return terminal;
  }

  get project(): string {
    return this.line.project;
  }

  write(files: Record<string, string | Buffer>, root = this.project): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  }

  /** The person's own settings. */
  configure(yaml: string): void {
    this.write({ ".config/miracle/config.yaml": yaml }, this.line.home);
  }

  run(args: string[], options: CommandOptions = {}): Promise<CommandEnd> {
    return this.start(args, options).end;
  }

  start(args: string[], options: CommandOptions = {}): StartedCommand {
    return this.line.start(args, options);
  }

  /** Resolves when the model has been asked so many times. */
  asked(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.server.requests.length >= count) resolve();
      else this.#waiting.push({ count, resolve });
    });
  }

  /** The project without `.git`, as one comparable value: contents, modes, links, empty directories. */
  tree(): Record<string, string> {
    return { ...describeTree(this.project) };
  }

  tasks(): { id: string; status: string }[] {
    using database = new DatabaseSync(this.line.database, { readOnly: true, timeout: 10_000 });
    const rows = database.prepare("select id, status from tasks order by created_at").all();
    return rows.map(({ id, status }) => ({ id: String(id), status: String(status) }));
  }

  /** The newest task's id. */
  get task(): string {
    return this.tasks().at(-1)?.id ?? "";
  }

  /** As root they stand elsewhere, and a task that was not finished keeps them. */
  #removeCheckouts(): void {
    if (readdirSync(this.line.home).includes("data")) {
      const { root } = CheckoutDirectories.open(this.line.dataDirectory, droppedIdentity());
      rmSync(root, { recursive: true, force: true });
    }
  }
}

/** The command ended with this code and one line on stderr, which says what was wrong. */
export function expectRefusal(end: CommandEnd, code: ExitCode, words: string | RegExp): void {
  expect(end.stderr.trimEnd().split("\n"), end.stdout).toEqual([
    typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words),
  ]);
  expect(end.stderr).toMatch(/^miracle: (?!internal error)/);
  expect(end.code).toBe(code);
}
