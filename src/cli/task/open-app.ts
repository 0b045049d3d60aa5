import { join } from "node:path";
import type { OpenedApp } from "../../app.ts";
import { openDataDirectory } from "../../config/data-directory.ts";
import { databaseUrl } from "../../config/database-url.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { type Configuration, loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { redactor } from "../../journal/redact.ts";
import { Log } from "../../logs/log.ts";
import { say } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { version } from "../text/version.ts";

/** Config, data directory, database and log, for a command in this directory. */
export async function openApp(terminal: Terminal, directory: string, flags: ConfigFlags = {}): Promise<OpenedApp> {
  const { env, home } = terminal;
  return open(terminal, await loadConfig({ directory, env, home, root: packageRoot(), flags }));
}

/** For commands that settings do not steer: a mistake in a file of settings is told, and nobody is kept from looking. */
export async function openToLook(terminal: Terminal): Promise<OpenedApp> {
  const { directory, env, home } = terminal;
  const config = await loadConfig({ directory, env, home, root: packageRoot(), lenient: true });
  for (const warning of config.warnings) say(terminal, `warning: ${warning}`);
  return open(terminal, config);
}

async function open({ env, home }: Terminal, config: Configuration): Promise<OpenedApp> {
  const dataDirectory = openDataDirectory(env, home);
  const { App } = await import("../../app.ts");
  const { keys, secrets } = config;
  const app = await App.open({
    dataDirectory,
    databaseUrl: databaseUrl(env, config.team.databaseUrl),
    team: config.team,
    env,
    keys: (variable) => keys.get(variable),
    secrets,
    version: version(),
    ...(config.server.trees !== null && { trees: { address: config.server.trees, token: env.MIRACLE_TOKEN?.trim() } }),
  });
  app.bus.subscribe(
    new Log({ directory: join(dataDirectory, "logs"), redact: redactor(secrets), level: config.logLevel }).write,
  );
  return { app, config, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}
