import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { probeSandbox } from "../../sandbox/probe.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { printable } from "../text/printable.ts";
import { reason } from "./machine-check.ts";

/** In one line: what can be done on this machine as it is. */
export async function readiness({ directory, env, home }: Terminal): Promise<string> {
  const { usable, problem } = await probeSandbox();
  if (!usable) return printable(`not ready: ${problem}`);
  try {
    const { settings, keys, wishes } = await loadConfig({ directory, env, home, root: packageRoot() });
    const models = wishes.model ?? keys.present(settings.providers)[0];
    if (models !== undefined) return printable(`ready for prove and run (${models})`);
    const [variable] = Object.values(settings.providers).flatMap(({ keyVariable }) => keyVariable ?? []);
    return `ready for prove; run needs a model: set ${variable} or another key (miracle doctor)`;
  } catch (error) {
    return printable(`the settings have a mistake: ${reason(error)}`);
  }
}
