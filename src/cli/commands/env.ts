import type { Command } from "commander";
import { builtEnvironments, withEnvironments } from "../../app/open-environments.ts";
import { openDataDirectory } from "../../config/data-directory.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { fail } from "../../domain/failure.ts";
import { ENVIRONMENT_FILE } from "../../domain/settings/environment-file.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { EnvironmentRecord, Housing } from "../../environments/environment.ts";
import type { Environments } from "../../environments/environments.ts";
import { recipesOf } from "../../environments/recipes-of-directory.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import { workingDirectory } from "../input/directory.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { age, count, elapsed } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";

const HELP = `
An environment holds the packages that a project's manifests and lockfiles name, installed once under a name made of
interpreter, manifest and lockfile. \`run\` and \`prove\` build what is missing themselves, through the mirror of packages
and without scripts of packages, and show it read-only. A .venv or node_modules of yours that fits is used as it is.
Read are: requirements files, pyproject.toml, setup.cfg, setup.py, the lockfiles of uv, poetry, pdm and pipenv;
package.json with the lockfile of npm, pnpm or yarn, workspaces too; go.mod and go.sum.

What no manifest says goes into .miracle/environment.yaml:
  system: [libpq5]                     must be installed on the machine; never installed by Miracle
  commands: [pip install -r ci/x.txt]  after the manifests' packages, where only the registry can be reached
  variables: { MODE: test }            for these commands and for everything that runs in the environment

Examples:
  miracle env show                     what the code of this directory runs in
  miracle env build                    install it now, for example before you are offline
  miracle env remove python-0123456789abcdef`;

/** Built environments: what is there, and what this directory needs. */
export function define(command: Command, { terminal }: CommandContext): void {
  command.addHelpText("after", HELP);

  sub(command, "list", "what was built, last used first")
    .option("--json", "one record per line")
    .action(async ({ json }: { json?: boolean }) => {
      const directories = builtEnvironments(await settingsOf(terminal), openDataDirectory(terminal.env, terminal.home));
      const all = directories.list();
      for (const { record, usedAt } of all)
        terminal.output.write(json ? `${JSON.stringify({ ...record, usedAt })}\n` : `${line(record, usedAt)}\n`);
      if (all.length === 0 && !json) terminal.error.write("no environment was built yet\n");
    });

  sub(command, "show [name]", "one environment, or what this directory runs in")
    .option("--dir <path>", "the project; default: here")
    .option("--json", "as JSON")
    .action(async (name: string | undefined, flags: Flags) => {
      const settings = await settingsOf(terminal);
      const directories = builtEnvironments(settings, openDataDirectory(terminal.env, terminal.home));
      if (name !== undefined) {
        const record = directories.find(name);
        if (!record) throw unknown(name);
        terminal.output.write(flags.json ? `${JSON.stringify(record)}\n` : recordText(record));
        return;
      }
      await inDirectory(terminal, flags, settings, async ({ language, found, environments }) => {
        const { recipe, fits } = found;
        const record = environments.built(found);
        const state = fits ? "what is installed fits" : record ? "built" : "not built: miracle env build";
        const { name, from } = record ?? recipe;
        if (flags.json) terminal.output.write(`${JSON.stringify({ language, name, from, fits, record })}\n`);
        else terminal.output.write(printable(`${language}: ${from.join(", ")}: ${state} (${name})`).concat("\n"));
      });
    });

  sub(command, "build", "install what this directory needs")
    .option("--dir <path>", "the project; default: here")
    .option("--json", "as JSON")
    .action(async (flags: Flags) => {
      await inDirectory(terminal, flags, await settingsOf(terminal), async ({ language, found, environments }) => {
        const housing: Housing = found.fits ? { kind: "own" } : await environments.build(found, true);
        if (housing.kind === "missing") throw fail("environment", "environment.missing", housing.problem);
        if (flags.json) terminal.output.write(`${JSON.stringify({ language, ...housing })}\n`);
        else
          terminal.output.write(
            housing.kind === "built" ? recordText(housing.record) : `${language}: what is installed fits\n`,
          );
      });
    });

  sub(command, "remove <names...>", "delete environments; they are built again where they are needed").action(
    async (names: string[]) => {
      const directories = builtEnvironments(await settingsOf(terminal), openDataDirectory(terminal.env, terminal.home));
      for (const name of names) if (!directories.remove(name)) throw unknown(name);
      terminal.output.write(`removed ${count(names.length, "environment")}\n`);
    },
  );
}

interface Flags {
  dir?: string;
  json?: boolean;
}

const sub = (command: Command, usage: string, summary: string): Command =>
  command.command(usage).description(summary).helpOption("-h, --help", "show help").copyInheritedSettings(command);

async function settingsOf({ directory, env, home }: Terminal): Promise<Pick<Settings, "sandbox" | "safety">> {
  return (await loadConfig({ directory, env, home, root: packageRoot() })).settings;
}

interface Needed {
  language: string;
  found: NonNullable<ReturnType<Environments["recipe"]>>;
  environments: Environments;
}

/** For each language whose packages the manifests of the directory name. */
async function inDirectory(
  terminal: Terminal,
  flags: Flags,
  settings: Pick<Settings, "sandbox" | "safety">,
  work: (needed: Needed) => Promise<void>,
): Promise<void> {
  const { env, home } = terminal;
  const directory = workingDirectory(terminal.directory, flags.dir);
  using interrupts = listenForInterrupts(() => {});
  const place = { dataDirectory: openDataDirectory(env, home), env, signal: interrupts.signal };
  const say = (text: string) => terminal.error.write(`${printable(text)}\n`);
  await withEnvironments(settings, place, say, async (environments) => {
    const languages = openLanguages({ env, execPath: process.execPath, version: process.version });
    const needed = recipesOf(environments, languages, directory);
    for (const { language, found } of needed) await work({ language, found, environments });
    if (needed.length === 0)
      say(`nothing in ${directory} names packages that Miracle could install; ${ENVIRONMENT_FILE} can`);
  });
}

const line = ({ name, from, packages }: EnvironmentRecord, usedAt: number): string =>
  printable(
    `${name}  ${count(Object.keys(packages).length, "package")}, from ${from.join(", ")}, used ${age(Date.now() - usedAt)}`,
  );

function recordText(record: EnvironmentRecord): string {
  const { name, interpreter, from, left, packages, scripted, durationMs, command } = record;
  const lines = [
    `${name}: ${interpreter}, from ${from.join(", ")}, built in ${elapsed(durationMs)}`,
    ...Object.entries(packages).map(([name, version]) => `  ${name} ${version}`),
    ...left.map((line) => `  not installed: ${line}`),
    ...scripted.map((one) => `  not run: the install scripts of ${one}`),
    ...command.split("\n").map((line) => `  $ ${line}`),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

const unknown = (name: string) =>
  fail("invalid-input", "environment.unknown", `there is no environment ${name}; \`miracle env list\` lists them`);
