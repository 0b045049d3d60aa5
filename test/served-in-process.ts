import { mkdirSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openApp } from "../src/cli/task/open-app.ts";
import { keepRule } from "../src/config/keep-rule.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { makeToken, type Scope } from "../src/server/access/tokens.ts";
import { type ServeOptions, serve } from "../src/server/serve.ts";
import type { Store } from "../src/store/store.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A server of this process, whose limits a test may choose, and which can be asked anything, byte for byte. */
export class ServedInProcess {
  readonly origin: string;
  readonly store: Store;
  /** What the server could not explain. */
  readonly reported: unknown[];

  private constructor(origin: string, store: Store, reported: unknown[]) {
    this.origin = origin;
    this.store = store;
    this.reported = reported;
  }

  static async start(options: Partial<ServeOptions> = {}): Promise<ServedInProcess> {
    const root = temporaryDirectory("miracle-served-");
    const project = join(root, "project");
    mkdirSync(project);
    const env = {
      PATH: "/usr/bin:/bin",
      MIRACLE_HOME: join(root, "data"),
      MIRACLE_BASE_URL: "http://127.0.0.1:9/v1",
      MIRACLE_MODEL: "local/none",
    };
    const terminal = fakeTerminal({ env, directory: project, home: root });
    const home = await openApp(terminal, project);
    const reported: unknown[] = [];
    const server = await serve({
      host: "127.0.0.1",
      port: 0,
      directories: { project },
      names: [],
      parallel: 1,
      tokens: true,
      version: "0.0.0",
      page: join(root, "web"),
      home,
      open: (directory) => openApp(terminal, directory),
      configure: (directory, flags) => loadConfig({ directory, env, home: root, root: packageRoot(), flags }),
      keepRule: (rule) => void keepRule(rule, { env, home: root }),
      report: (error) => reported.push(error),
      ...options,
    });
    onTestFinished(async () => {
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    });
    return new ServedInProcess(server.origin, home.app.store, reported);
  }

  token(...scopes: Scope[]): Promise<string> {
    return makeToken(this.store, scopes.join("-"), scopes, Date.now());
  }

  /** The path goes out as it is written: no client tidies it up. */
  ask(path: string, { method = "GET", headers = {}, body = "" }: RawRequest = {}): Promise<RawAnswer> {
    const { hostname, port } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
}
