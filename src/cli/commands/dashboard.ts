import type { Command } from "commander";
import { openDataDirectory } from "../../config/data-directory.ts";
import { fail } from "../../domain/failure.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { openPage } from "../terminal/open-page.ts";
import { EXIT } from "../text/exit-codes.ts";
import { type ServeFlags, serveOptions, serveUntilStopped, signedInLink } from "./serve.ts";

interface Flags extends ServeFlags {
  /** False: `--no-open`. */
  open?: boolean;
}

const HELP = `
Opens the page of the server that runs at this address and knows this machine's tasks; where none does, it is one itself,
as \`miracle serve\` is. The link signs you in, and the one of the last time ends.

Examples:
  miracle dashboard
  miracle dashboard --dir shop=~/shop --dir blog=~/blog`;

export function define(command: Command, context: CommandContext): void {
  serveOptions(command)
    .option("--no-open", "print the link, and open no browser")
    .addHelpText("after", HELP)
    .action(async (flags: Flags) => {
      const { terminal, finish } = context;
      const show = (link: string) => {
        terminal.output.write(`dashboard at ${link}\n`);
        if (flags.open !== false) openPage(terminal, openDataDirectory(terminal.env, terminal.home), link);
      };
      const link = await linkOfRunning(context, flags);
      if (link === null) {
        return serveUntilStopped(context, flags, async (serving) => show(await signedInLink(serving)));
      }
      show(link);
      finish(EXIT.done);
    });
}

/** Null: nothing answers at this address. */
async function linkOfRunning({ terminal }: CommandContext, flags: Flags): Promise<string | null> {
  await using home = await openApp(terminal, terminal.directory);
  const { host, port } = { ...home.config.server, ...flags };
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (port === 0 || !(await answers(`${origin}/health`))) return null;
  const link = await signedInLink({ origin, store: home.app.store, tokens: flags.token !== false });
  const token = link.split("#token=")[1] ?? "";
  if (await answers(`${origin}/session`, { authorization: `Bearer ${token}` })) return link;
  const message = `another server is at ${origin}, which knows nothing of this machine's tasks; --port gives another`;
  throw fail("environment", "server.other", message);
}

const answers = (url: string, headers: Record<string, string> = {}): Promise<boolean> =>
  fetch(url, { headers, signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );
