import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunEnd, RunOptions } from "../src/app/run-options.ts";
import { App } from "../src/app.ts";
import { isDelta } from "../src/bus/bus.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { readPrompts } from "../src/config/prompts.ts";
import type { Settings } from "../src/domain/settings/settings.ts";
import type { Event } from "../src/domain/task/event.ts";
import type { TaskRequest } from "../src/domain/task/task.ts";
import { testSettings } from "./journal-builder.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";
import { temporaryDirectory } from "./temporary.ts";

/** The whole application on temporary directories, with a scripted HTTP server in the place of a model. */
export class AppBuilder {
  readonly directory: string;
  readonly dataDirectory: string;
  readonly events: Event[] = [];
  readonly server: ModelServer;
  readonly prompts = readPrompts(packageRoot(), []);

  private constructor(directory: string, dataDirectory: string, server: ModelServer) {
    this.directory = directory;
    this.dataDirectory = dataDirectory;
    this.server = server;
  }

  static async create(script: Script, files: Record<string, string> = {}): Promise<AppBuilder> {
    const server = await startModelServer(script);
    onTestFinished(() => server.close());
    return AppBuilder.at(temporaryDirectory("miracle-app-"), server, files);
  }

  /** In a directory and with a server that are the caller's to end. */
  static at(root: string, server: ModelServer, files: Record<string, string>): AppBuilder {
    const builder = new AppBuilder(join(root, "project"), join(root, "data"), server);
    mkdirSync(builder.directory, { recursive: true });
    builder.write(files);
    return builder;
  }

  /** The same project with these files alone, and the data of its tasks once more at `root`. */
  copy(root: string, files: Record<string, string>): AppBuilder {
    const copy = new AppBuilder(this.directory, join(root, "data"), this.server);
    cpSync(this.dataDirectory, copy.dataDirectory, { recursive: true, verbatimSymlinks: true });
    rmSync(copy.directory, { recursive: true });
    mkdirSync(copy.directory);
    copy.write(files);
    return copy;
  }

  write(files: Record<string, string>): void {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.directory, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }

  /** The project's files with their contents. */
  files(): Record<string, string> {
    const names = readdirSync(this.directory, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
    return Object.fromEntries(paths.map((path) => [path.slice(this.directory.length + 1), readFileSync(path, "utf8")]));
  }

  settings(change: Partial<Settings> = {}): Settings {
    const provider = {
      kind: "openai-compatible",
      baseUrl: this.server.baseUrl,
      toolCalling: true,
    } as const;
    return { ...testSettings, providers: { test: provider }, ...change };
  }

  /** Until the test is over. */
  async open(secrets: string[] = []): Promise<App> {
    const app = await this.openApp(secrets);
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  }

  async openApp(secrets: string[] = []): Promise<App> {
    const { dataDirectory } = this;
    // The system's own Python: whatever else a developer has on the PATH is not what these tests are about.
    const env = { PATH: "/usr/bin:/bin" };
    const app = await App.open({ dataDirectory, env, keys: () => "test-key", secrets, version: "0.0.0" });
    app.bus.subscribe((message) => {
      if (!isDelta(message)) this.events.push(message);
    });
    return app;
  }

  start(
    app: App,
    change: Partial<TaskRequest> = {},
    settings = this.settings(),
    options: Partial<RunOptions> = {},
  ): Promise<RunEnd> {
    const request = { goal: "do it", directory: this.directory, attachments: [], apply: true, ...change };
    return app.start(request, settings, this.prompts, { signal: new AbortController().signal, ...options });
  }

  /** As far as to the first event of this type: for tests that are not about what comes after it. */
  async startUntil(
    app: App,
    type: Event["type"],
    change: Partial<TaskRequest> = {},
    settings = this.settings(),
  ): Promise<RunEnd> {
    const reached = new AbortController();
    const unsubscribe = app.bus.subscribe((message) => {
      if (message.type === type) reached.abort();
    });
    const end = await this.start(app, change, settings, { signal: reached.signal });
    unsubscribe();
    if (!reached.signal.aborted) throw new Error(`it never came to ${type}: ${JSON.stringify(end)}`);
    return end;
  }
}

/** Answers in order, each a list of tool calls; the last one again when they run out. */
export const inOrder =
  (...answers: { name: string; arguments: object | string }[][]): Script =>
  (_, index) => ({ toolCalls: answers[Math.min(index, answers.length - 1)] ?? [] });

export const call = (name: string, args: object | string) => ({ name, arguments: args });
