import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { App } from "../../app.ts";
import { dataDirectoryPath } from "../../config/data-directory.ts";
import type { Configuration } from "../../config/load-config.ts";
import { readSetting } from "../../config/parse-setting.ts";
import { fail } from "../../domain/failure.ts";
import { pruneTasks } from "../../journal/prune.ts";
import { droppedIdentity } from "../../sandbox/identity.ts";
import { countAudit, pruneAudit } from "../../store/audit.ts";
import { findTask, listTasks } from "../../store/tasks.ts";
import { CheckoutDirectories } from "../../workspace/checkout-directory.ts";
import { ageSetting } from "../input/age-setting.ts";
import { checked } from "../input/options.ts";
import { openToLook } from "../task/open-app.ts";
import { confirm } from "../terminal/ask.ts";
import { personName } from "../terminal/ask-approval.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { isInteractive, type Terminal } from "../terminal/terminal.ts";
import { count } from "../text/amounts.ts";

interface Flags {
  olderThan?: number | undefined;
  audit?: boolean;
  policy?: boolean;
  dryRun?: boolean | undefined;
  yes?: boolean | undefined;
}

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--older-than <age>", "all tasks untouched for this long: 30d, 12h", checked(ageSetting))
    .option("--audit", "entries of the servers' audit instead of tasks; with --older-than")
    .option("--policy", "tasks and entries older than the settings say: retention.tasks, retention.audit")
    .option("--dry-run", "only say what would go")
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      "\nDeletes the journal, the trees and the logs of tasks for good. Needs ids, or --older-than. The audit keeps an entry that says who deleted how many.",
    )
    .action(async (ids: string[], flags: Flags) => {
      await using opened = await openToLook(terminal);
      const { app, config } = opened;
      if (flags.policy) return await followPolicy(terminal, app, config.retention, ids, flags);
      if (flags.audit) return await pruneEntries(terminal, app, ids, flags);
      await pruneOldTasks(terminal, app, ids, flags);
    });
}

/** What the settings say of how long things are kept; where they say nothing, it is kept. */
async function followPolicy(
  terminal: Terminal,
  app: App,
  retention: Configuration["retention"],
  ids: string[],
  { olderThan, audit, ...flags }: Flags,
): Promise<void> {
  if (ids.length > 0 || audit || olderThan !== undefined) {
    throw fail("invalid-input", "prune.policy", "--policy goes by the settings alone: no ids, --audit or --older-than");
  }
  if (retention.tasks === null && retention.audit === null) {
    throw fail("invalid-input", "prune.policy", "everything is kept: set retention.tasks or retention.audit");
  }
  const age = (text: string) => readSetting("retention", () => ageSetting(text));
  if (retention.tasks !== null) await pruneOldTasks(terminal, app, [], { ...flags, olderThan: age(retention.tasks) });
  if (retention.audit !== null) await pruneEntries(terminal, app, [], { ...flags, olderThan: age(retention.audit) });
}

async function pruneOldTasks(
  terminal: Terminal,
  app: App,
  ids: string[],
  { olderThan, dryRun, yes }: Flags,
): Promise<void> {
  const tasks = await tasksToDelete(app, ids, olderThan);
  const what = count(tasks.length, "task");
  if (tasks.length === 0 || dryRun) {
    terminal.output.write(
      `${dryRun ? `would delete ${what}` : "nothing to delete"}\n${dryRun ? tasks.map((id) => `  ${id}\n`).join("") : ""}`,
    );
    return;
  }
  await agree(terminal, what, yes);
  const pruned = await pruneTasks(app.store, tasks);
  const data = dataDirectoryPath(terminal.env, terminal.home);
  const checkouts = [null, droppedIdentity()].map((owner) => CheckoutDirectories.open(data, owner));
  for (const task of tasks) {
    app.artifacts.deleteRefs(task);
    for (const directories of checkouts) directories.remove(task);
    for (const file of [`${task}.jsonl`, `${task}.jsonl.1`]) rmSync(join(data, "logs", file), { force: true });
  }
  await app.artifacts.collect();
  terminal.output.write(`deleted ${count(pruned.tasks, "task")} and ${count(pruned.blobs, "blob")}\n`);
}

async function pruneEntries(
  terminal: Terminal,
  { store }: App,
  ids: string[],
  { olderThan, dryRun, yes }: Flags,
): Promise<void> {
  if (ids.length > 0 || olderThan === undefined) {
    throw fail("invalid-input", "prune.nothing", "--audit goes by age alone: give --older-than 90d, and no ids");
  }
  const until = Date.now() - olderThan;
  const what = (number: number) => `${count(number, "entry", "entries")} of the audit`;
  const found = await countAudit(store, until);
  if (found === 0 || dryRun) {
    terminal.output.write(`${dryRun ? `would delete ${what(found)}` : "nothing to delete"}\n`);
    return;
  }
  await agree(terminal, what(found), yes);
  const gone = await pruneAudit(store, until, { by: personName(terminal.env), at: Date.now() });
  terminal.output.write(`deleted ${what(gone)}\n`);
}

async function agree(terminal: Terminal, what: string, yes = false): Promise<void> {
  if (yes || (isInteractive(terminal) && (await confirm(terminal, `Delete ${what} for good?`)))) return;
  throw fail("policy", "prune.declined", `${what} would be deleted for good; --yes says so without asking`);
}

async function tasksToDelete(app: App, ids: string[], olderThan: number | undefined): Promise<string[]> {
  if (ids.length === 0 && olderThan === undefined) {
    throw fail("invalid-input", "prune.nothing", "what to delete? give ids, or --older-than 30d");
  }
  const found = new Set<string>();
  for (const id of ids) found.add((await findTask(app.store, id)).id);
  if (olderThan !== undefined) {
    const until = Date.now() - olderThan;
    for (let before: { createdAt: number; id: string } | undefined; ; ) {
      const page = await listTasks(app.store, { limit: 500, ...(before && { before }) });
      for (const task of page.tasks) if (task.updatedAt < until) found.add(task.id);
      before = page.next;
      if (!before) break;
    }
  }
  return [...found];
}
