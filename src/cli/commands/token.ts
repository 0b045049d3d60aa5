import { type Command, InvalidArgumentError } from "commander";
import { listTokens, makeToken, removeToken, Scope } from "../../server/access/tokens.ts";
import type { Store } from "../../store/store.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";

const HELP = `
Scopes: read looks, run starts and stops tasks and talks to them, approve answers questions, work lets a worker exchange
trees, admin may do all of it.
A token is printed once and kept as a hash; one that is removed ends at once, also on a server that runs.

Examples:
  miracle token add phone --scope read,approve
  miracle token remove phone`;

/** Who may ask a server. */
export function define(command: Command, { terminal }: CommandContext): void {
  command.addHelpText("after", HELP);
  const withStore = async (work: (store: Store) => Promise<void>) => {
    await using opened = await openApp(terminal, terminal.directory);
    await work(opened.app.store);
  };

  command
    .command("add <name>")
    .helpOption("-h, --help", "show help")
    .description("make a token and print it")
    .option("--scope <scopes>", `what it may do: ${Scope.options.join(", ")}`, scopes, ["read"])
    .action((name: string, flags: { scope: Scope[] }) =>
      withStore(async (store) => {
        terminal.output.write(`${await makeToken(store, name, flags.scope, Date.now())}\n`);
      }),
    );

  command
    .command("list")
    .helpOption("-h, --help", "show help")
    .description("names and scopes of all tokens")
    .option("--json", "one token per line")
    .action(({ json }: { json?: boolean }) =>
      withStore(async (store) => {
        const tokens = await listTokens(store);
        if (tokens.length === 0 && !json) terminal.error.write("no tokens yet; the first `miracle serve` makes one\n");
        for (const token of tokens) {
          const { name, scopes: allowed, createdAt } = token;
          const line = `${name}  ${allowed.join(",")}  ${new Date(createdAt).toISOString()}`;
          terminal.output.write(`${json ? JSON.stringify(token) : line}\n`);
        }
      }),
    );

  command
    .command("remove <name>")
    .helpOption("-h, --help", "show help")
    .description("end a token")
    .action((name: string) =>
      withStore(async (store) => {
        await removeToken(store, name);
        terminal.output.write(`token ${name} is removed\n`);
      }),
    );
}

function scopes(text: string): Scope[] {
  return text.split(",").map((word) => {
    const scope = Scope.safeParse(word.trim());
    if (!scope.success) throw new InvalidArgumentError(`expected some of ${Scope.options.join(", ")}`);
    return scope.data;
  });
}
