import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { keepRule } from "../../config/keep-rule.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { listTokens, makeToken, removeToken } from "../../server/access/tokens.ts";
import { serve } from "../../server/serve.ts";
import type { Store } from "../../store/store.ts";
import { directoriesOf, repositoriesOf } from "../input/directories.ts";
import { collect } from "../input/options.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { EXIT } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";
import { version } from "../text/version.ts";

export interface ServeFlags {
  host?: string;
  port?: number;
  dir?: string[];
  /** False: `--no-token`. */
  token?: boolean;
  queue?: boolean;
}

const HELP = `
Requests name a directory, never a path: those of --dir, or of server.directories in your settings, or the one where you
are. The first start makes a token and prints it once, as a link that signs your browser in; \`miracle token\` makes
others. GET /docs and /openapi.json describe all routes. Ctrl-C pauses running tasks at a step, and the next start goes
on with them. Servers on one database (DATABASE_URL) share the work, and tell each other what is new over it, or over
Redis (REDIS_URL, or REDIS_HOST and REDIS_PORT). server.webhook, notify and server.desktop tell you of what waits or ended.

Examples:
  miracle serve
  miracle serve --dir shop=~/shop --dir blog=~/blog --port 9000
  curl -H "Authorization: Bearer $TOKEN" -d '{"goal":"…"}' -H content-type:application/json localhost:8000/tasks`;

export function define(command: Command, context: CommandContext): void {
  serveOptions(command)
    .addHelpText("after", HELP)
    .action((flags: ServeFlags) =>
      serveUntilStopped(context, flags, async ({ origin, store, tokens }) => {
        const { output, error } = context.terminal;
        const first = tokens && (await listTokens(store)).length === 0;
        // Behind #: it is sent to nobody, and stands in no log.
        const link = first ? `/#token=${await makeToken(store, "first", ["admin"], Date.now())}` : "/";
        output.write(`serving at ${origin}${link}\n`);
        if (first) error.write("the token is shown this once; `miracle token` makes others\n");
      }),
    );
}

export const serveOptions = (command: Command): Command =>
  command
    .option("--host <address>", "listen here; default: server.host, 127.0.0.1")
    .option("--port <n>", "the port to listen at (default: 8000; 0: any free one)", port)
    .option("--dir <[name=]path>", "work for this directory (may be repeated)", collect)
    .option("--queue", "leave tasks to the team's queue and its workers (miracle worker); needs DATABASE_URL")
    .option("--no-token", "ask for no token: whoever reaches it may do everything; only on this machine");

export interface Serving {
  origin: string;
  store: Store;
  tokens: boolean;
}

/** Serves until it is interrupted; `ready` is told once it listens. */
export async function serveUntilStopped(
  { terminal, finish }: CommandContext,
  flags: ServeFlags,
  ready: (serving: Serving) => Promise<void>,
): Promise<void> {
  await using home = await openApp(terminal, terminal.directory);
  const { webhook: url, webhookSecretVariable, desktop, ...server } = home.config.server;
  const tokens = flags.token !== false;
  using interrupts = listenForInterrupts(() => terminal.error.write("stopping: running tasks pause at a step\n"));
  await using running = await serve({
    ...server,
    ...(flags.host !== undefined && { host: flags.host }),
    ...(flags.port !== undefined && { port: flags.port }),
    directories: directoriesOf(flags.dir, server.directories, terminal.directory, server.repositories),
    repositories: repositoriesOf(terminal, server.repositories),
    tokens,
    queue: flags.queue === true,
    version: version(),
    page: join(packageRoot(), "dist", "web"),
    home,
    open: (directory) => openApp(terminal, directory),
    configure: (directory, configFlags) => {
      const { env, home } = terminal;
      return loadConfig({ directory, env, home, root: packageRoot(), flags: configFlags });
    },
    keepRule: (rule) => void keepRule(rule, terminal),
    notify: {
      webhook: url === null ? null : { url, secret: terminal.env[webhookSecretVariable] },
      command: home.config.notify,
      desktop,
      env: terminal.env,
    },
    report: (error) => {
      const text = error instanceof Error ? error.message : String(error);
      terminal.error.write(`miracle: ${printable(text)}\n`);
    },
  });
  await ready({ origin: running.origin, store: home.app.store, tokens });
  await new Promise<void>((stop) => interrupts.signal.addEventListener("abort", () => stop(), { once: true }));
  finish(EXIT.done);
}

/** The page's address with a token of its own: the one of the last time ends with it. */
export async function signedInLink({ origin, store, tokens }: Serving): Promise<string> {
  if (!tokens) return `${origin}/`;
  const name = "dashboard";
  if ((await listTokens(store)).some((token) => token.name === name)) await removeToken(store, name);
  return `${origin}/#token=${await makeToken(store, name, ["admin"], Date.now())}`;
}

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (number < 0 || number > 65_535) throw new InvalidArgumentError("expected a number up to 65535");
  return number;
}
