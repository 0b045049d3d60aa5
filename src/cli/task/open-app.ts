import { join } from "node:path";
import type { App } from "../../app.ts";
import { openDataDirectory } from "../../config/data-directory.ts";
import { databaseUrl } from "../../config/database-url.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { type Configuration, loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { redactor } from "../../journal/redact.ts";
import { Log } from "../../logs/log.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { version } from "../text/version.ts";

export interface OpenedApp extends AsyncDisposable {
  app: App;
  config: Configuration;
}

/** Config, data directory, database and log, for a command in this directory. */
export async function openApp(terminal: Terminal, directory: string, flags: ConfigFlags = {}): Promise<OpenedApp> {
  const { env, home } = terminal;
  const config = await loadConfig({ directory, env, home, root: packageRoot(), flags });
  const dataDirectory = openDataDirectory(env, home);
  const { App } = await import("../../app.ts");
  const { keys, secrets } = config;
  const app = await App.open({
    dataDirectory,
    databaseUrl: databaseUrl(env, config.database),
    env,
    keys: (variable) => keys.get(variable),
    secrets,
    version: version(),
  });
  app.bus.subscribe(
    new Log({ directory: join(dataDirectory, "logs"), redact: redactor(secrets), level: config.logLevel }).write,
  );
  return { app, config, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}
