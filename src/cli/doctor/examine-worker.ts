import { databaseUrl } from "../../config/database-url.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { ownLabels } from "../../server/work/own-labels.ts";
import { probeRemote } from "../../workspace/probe-remote.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { version } from "../text/version.ts";
import { type MachineCheck, machineCheck, optionalCheck, reason } from "./machine-check.ts";

/** What this machine needs beside everything else to take tasks from the team's queue. */
export async function examineWorker(terminal: Terminal): Promise<MachineCheck[]> {
  const { directory, env } = terminal;
  const labels = ownLabels({ directories: null, at: directory, version: version(), env });
  return [
    examineQueue(terminal),
    await examineTrees(terminal),
    machineCheck("worker, tasks", true, `takes those that need nothing but ${labels.join(", ")}, and its --labels`, ""),
  ];
}

function examineQueue({ env }: Terminal): MachineCheck {
  const url = databaseUrl(env);
  const remedy = "set DATABASE_URL to the address of the PostgreSQL that `miracle serve --queue` uses";
  const text = url === undefined ? "no DATABASE_URL" : "DATABASE_URL is set; whether it answers is said at `database`";
  return machineCheck("worker, queue", url !== undefined, text, remedy);
}

async function examineTrees({ directory, env, home }: Terminal): Promise<MachineCheck> {
  const name = "worker, trees";
  try {
    const { server } = await loadConfig({ directory, env, home, root: packageRoot() });
    if (server.trees === null) {
      const text = "no MIRACLE_TREES: it works only with the server's own data directory (MIRACLE_HOME)";
      return optionalCheck(name, false, text, "set MIRACLE_TREES=http://SERVER:8000/trees, and MIRACLE_TOKEN");
    }
    await probeRemote({ address: server.trees, token: env.MIRACLE_TOKEN?.trim() });
    return machineCheck(name, true, `${server.trees} answers`, "");
  } catch (error) {
    return machineCheck(name, false, reason(error), "`miracle token add NAME --scope work` makes a token for it");
  }
}
