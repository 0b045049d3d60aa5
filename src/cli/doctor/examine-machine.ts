import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { dataDirectoryPath, freeBytes, openDataDirectory } from "../../config/data-directory.ts";
import { databaseUrl } from "../../config/database-url.ts";
import { type Configuration, loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { anyGo } from "../../languages/go/find-go.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import { findEngine } from "../../sandbox/docker/find-engine.ts";
import { probeSandbox } from "../../sandbox/probe.ts";
import { SCHEMA_VERSION } from "../../store/store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { examinePackages } from "./examine-packages.ts";
import { type MachineCheck, machineCheck, optionalCheck, reason } from "./machine-check.ts";

/** Looks at everything, whatever is missing, and never prints a secret. */
export async function examine(terminal: Terminal): Promise<MachineCheck[]> {
  const [languages, ...rest] = await Promise.all([examineLanguages(terminal), examineGit(), examineSandbox()]);
  return [
    examineNode(),
    await examineSqlite(),
    ...rest.flat(),
    examineContainers(terminal),
    ...languages,
    ...(await examinePackages(terminal)),
    ...(await examineDatabases(terminal)),
    ...(await examineConfig(terminal)),
    examineData(terminal),
    ...(await examineStore(terminal)),
  ];
}

async function examineDatabases({ directory }: Terminal): Promise<MachineCheck[]> {
  const databases = await import("./examine-databases.ts");
  return databases.examineDatabases(directory);
}

function examineNode(): MachineCheck {
  const ok = Number.parseInt(process.versions.node, 10) >= 24;
  return machineCheck("Node", ok, process.version, "install Node 24");
}

async function examineSqlite(): Promise<MachineCheck> {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    using database = new DatabaseSync(":memory:");
    return machineCheck(
      "SQLite",
      true,
      String(database.prepare("select sqlite_version() as version").get()?.version),
      "",
    );
  } catch (error) {
    return machineCheck("SQLite", false, reason(error), "Node 24 brings it");
  }
}

async function examineGit(): Promise<MachineCheck[]> {
  const version = await firstLine("git", ["--version"]);
  return [machineCheck("git", version !== null, version ?? "not found", "apt-get install git")];
}

async function examineSandbox(): Promise<MachineCheck[]> {
  const { usable, problem, guarantees } = await probeSandbox();
  const held = guarantees.filter(({ holds }) => holds);
  const text = usable ? `bubblewrap works, and limits ${held.map(({ name }) => name).join(", ")}` : problem;
  const weak = guarantees.filter(({ holds }) => !holds);
  return [
    { ...machineCheck("sandbox", usable, text, ""), detail: held.map(({ name, how }) => `${name}: ${how}`) },
    ...weak.map(({ name, how, remedy }) => optionalCheck(`sandbox, ${name}`, false, how, remedy)),
  ];
}

/** Only `--sandbox docker` needs it. */
function examineContainers({ env }: Terminal): MachineCheck {
  try {
    return optionalCheck("containers", true, `an engine at ${findEngine(env)}`, "");
  } catch (error) {
    return optionalCheck("containers", false, reason(error), "");
  }
}

/** The same search as a task's: what is found here is what runs the tests. */
async function examineLanguages({ env, directory }: Terminal): Promise<MachineCheck[]> {
  const optional = (name: string, found: string | undefined, remedy: string): MachineCheck =>
    optionalCheck(name, found !== undefined, found ?? "not found", remedy);
  const languages = openLanguages({ env, execPath: process.execPath, version: process.version });
  const python = await languages.toolchain(languages.named("python"), directory).then(
    ({ versions }) => [
      optional("python3", versions.python, ""),
      optional("pytest", versions.pytest, ""),
      optional("hypothesis", versions.hypothesis, "for property tests: apt-get install python3-hypothesis"),
    ],
    (error: unknown) => [optional("python3 with pytest", undefined, `for Python goals: ${reason(error)}`)],
  );
  // Looked for and no more: a task may have to compile something first.
  return [...python, optional("go", anyGo(env)?.versions.go, "for Go goals: apt-get install golang-go")];
}

async function examineConfig({ directory, env, home }: Terminal): Promise<MachineCheck[]> {
  let config: Configuration;
  try {
    config = await loadConfig({ directory, env, home, root: packageRoot() });
  } catch (error) {
    return [machineCheck("config", false, reason(error), "")];
  }
  const { settings, keys, wishes, warnings } = config;
  const present = keys.present(settings.providers);
  const variables = Object.values(settings.providers).flatMap(({ keyVariable }) => keyVariable ?? []);
  const found = present.map((name) => {
    const variable = settings.providers[name]?.keyVariable ?? "";
    return `${name} (${variable}, ${keys.origin(variable)})`;
  });
  const without = wishes.model === null ? "none" : `none, but the model ${wishes.model} is chosen`;
  const ok = present.length > 0 || wishes.model !== null;
  const remedy = `for run and plan (prove needs none): set one of ${variables.join(", ")}, or name a local server with --base-url`;
  return [
    machineCheck("config", true, warnings.length === 0 ? "valid" : warnings.join("; "), ""),
    optionalCheck("keys", ok, found.length > 0 ? found.join(", ") : without, remedy),
  ];
}

function examineData({ env, home }: Terminal): MachineCheck {
  try {
    const directory = openDataDirectory(env, home);
    return machineCheck("data directory", true, `${directory}, ${Math.floor(freeBytes(directory) / 1e9)} GB free`, "");
  } catch (error) {
    return machineCheck("data directory", false, reason(error), "");
  }
}

async function examineStore(terminal: Terminal): Promise<MachineCheck[]> {
  const { directory, env, home } = terminal;
  // What is wrong with the settings is said by their own check.
  const config = await loadConfig({ directory, env, home, root: packageRoot() }).catch(() => null);
  const url = databaseUrl(env, config?.team.databaseUrl);
  if (url === undefined) return [await examineDatabase(terminal)];
  const { examinePostgres } = await import("./examine-postgres.ts");
  return examinePostgres(url);
}

async function examineDatabase({ env, home }: Terminal): Promise<MachineCheck> {
  const file = join(dataDirectoryPath(env, home), "miracle.db");
  if (!existsSync(file)) return machineCheck("database", true, `none yet (version ${SCHEMA_VERSION} will be made)`, "");
  try {
    const { DatabaseSync } = await import("node:sqlite");
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const version = Number(database.prepare("pragma user_version").get()?.user_version ?? 0);
    const remedy = "it was written by a newer Miracle: update this one, or set MIRACLE_HOME";
    return machineCheck(
      "database",
      version <= SCHEMA_VERSION,
      `version ${version}, this Miracle knows ${SCHEMA_VERSION}`,
      remedy,
    );
  } catch (error) {
    return machineCheck("database", false, reason(error), `move ${file} away, or set MIRACLE_HOME`);
  }
}

async function firstLine(program: string, args: string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: 10_000 });
    return stdout.split("\n")[0]?.trim() ?? "";
  } catch {
    return null;
  }
}
