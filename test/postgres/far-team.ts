import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { StartedCommand } from "../command-line.ts";
import type { Script } from "../model-server.ts";
import { heldGoal } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { ServedApi } from "../served-api.ts";
import { administer, newDatabase } from "./shared-server.ts";

export type Machine = StartedCommand & { data: string };

/** A server that fills a queue, and workers that share only database, network and git with it. */
export async function openTeam(other?: Script) {
  const { script: held, release } = heldGoal();
  const script = other ?? held;
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure("direct: true\n");
  const url = await newDatabase();
  const env = { DATABASE_URL: url };
  const api = await ServedApi.start(terminal, { env, flags: ["--queue"] });
  const token = (await terminal.run(["token", "add", "worker", "--scope", "work"], { env })).stdout.trim();
  const reach = { MIRACLE_TREES: `${api.origin}/trees`, MIRACLE_TOKEN: token };
  /** A worker in a home of its own, where the project is not. */
  const machine = async (name: string, flags: string[] = []): Promise<Machine> => {
    const home = join(terminal.root, name);
    terminal.write({ ".keep": "" }, home);
    const data = join(home, "data");
    const worker = terminal.start(["worker", ...flags], {
      cwd: home,
      env: { ...env, ...reach, HOME: home, MIRACLE_HOME: data },
    });
    onTestFinished(async () => {
      worker.kill("SIGKILL");
      await worker.end;
    });
    await worker.line(/worker \d+ takes tasks for all directories\n/);
    expect(existsSync(data)).toBe(true);
    return Object.assign(worker, { data });
  };
  return { terminal, release, api, env, reach, machine, query: (sql: string) => administer(sql, url) };
}
