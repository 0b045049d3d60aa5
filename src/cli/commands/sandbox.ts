import { constants } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { openDataDirectory } from "../../config/data-directory.ts";
import { parseDuration } from "../../config/duration.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { duration, megabytes, oneOf, positiveInteger, positiveNumber } from "../../config/parse-setting.ts";
import { SandboxBackend, type SandboxLimits } from "../../domain/settings/settings.ts";
import type { CommandResult, NetworkAccess } from "../../sandbox/sandbox.ts";
import { workingDirectory } from "../input/directory.ts";
import { checked, collect } from "../input/options.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { passOutput } from "../terminal/pass-output.ts";
import { EXIT } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";

interface Flags {
  workspace?: string;
  network?: string[];
  memory?: number;
  cpus?: number;
  pids?: number;
  disk?: number;
  timeout?: string;
  env?: string[];
  services?: boolean;
  discard?: boolean;
  yes?: boolean;
  backend?: SandboxBackend;
}

const HELP = `
The command gets what a command of the agent gets: a checkout of the directory at /workspace, without .git and secret
files; the project's interpreters; its dependencies, read-only; an empty environment; no network but to the
hosts of your settings and those you name; an install reaches the registries of its packages through the mirror of
packages, and asks first where the agent would. What it changes is written into the directory when it ends, unless you say --discard. Limits come from your settings.

Examples:
  miracle sandbox -- pytest -x
  miracle sandbox -- npm install
  miracle sandbox --network registry.npmjs.org -- npm view left-pad
  miracle sandbox --memory 256m --timeout 10s --discard -- bash -c 'python3 eats_memory.py; echo $?'
  miracle sandbox --services -- curl -s http://localhost:8080/health

Exit code: the command's own, 128 + the number of the signal that ended it, or ${EXIT.stopped} when a limit did.`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .usage("[options] -- COMMAND [arguments...]")
    .option("--workspace <dir>", "the directory to run in; default: this one")
    .option(
      "--network <hosts>",
      "may be reached: example.org, *.example.org, example.org:8443; separated by commas",
      hosts,
    )
    .option("--memory <size>", "512m, 2g", checked(megabytes))
    .option("--cpus <n>", "processors, also a part of one: 0.5", checked(positiveNumber))
    .option("--pids <n>", "processes and threads at once", checked(positiveInteger))
    .option("--disk <size>", "what it may write: 512m, 2g", checked(megabytes))
    .option("--timeout <duration>", "30s, 5m", checked(duration))
    .option("--env <name=value>", "a variable for the command (may be repeated)", variable)
    .option("--services", "beside the services of .miracle/services.yaml, with the variables of .miracle/test.env")
    .option("-y, --yes", "install packages that are on no list without asking")
    .option("--discard", "throw away what the command changes")
    .addOption(
      new Option(
        "--backend <backend>",
        `${SandboxBackend.options.join(", ")}; process: with your own rights`,
      ).argParser(checked(oneOf(...SandboxBackend.options))),
    )
    .addHelpText("after", HELP)
    .action(async (argv: string[], flags: Flags) => {
      const { env, home } = terminal;
      const directory = workingDirectory(terminal.directory, flags.workspace);
      const { settings, warnings } = await loadConfig({ directory, env, home, root: packageRoot() });
      for (const warning of warnings) terminal.error.write(`warning: ${printable(warning)}\n`);
      const say = (text: string) => terminal.error.write(`miracle: ${printable(text)}\n`);
      const backend = flags.backend ?? settings.sandbox.backend;
      if (backend === "process") say("warning: no sandbox: the command runs with your own rights");
      const allowed = [...settings.safety.network, ...(flags.network ?? [])];
      const { installReach } = await import("../input/install-reach.ts");
      const asked = { yes: flags.yes === true, isOptional: flags.network !== undefined };
      const install = await installReach(terminal, argv, settings.safety, asked);
      const limits = limitsOf(flags, settings.sandbox.limits);
      const { runInSandbox } = await import("../../app/run-in-sandbox.ts");
      const output = passOutput(terminal);
      using interrupts = listenForInterrupts(() => say("stopped"));
      const { result } = await runInSandbox(
        { ...settings.sandbox, backend },
        openDataDirectory(env, home),
        env,
        {
          argv,
          directory,
          home,
          env: { ...install.env, ...Object.fromEntries((flags.env ?? []).map(splitVariable)) },
          network: networkAccess([...allowed, ...install.hosts], install.registries, say),
          limits,
          services: flags.services === true,
          keep: flags.discard !== true,
          input: terminal.input,
          onOutput: output.pass,
        },
        interrupts.signal,
      ).catch((error: unknown) => {
        if (error === interrupts.signal.reason) return { result: null };
        throw error;
      });
      output.end();
      if (result === null) {
        finish(EXIT.interrupted);
        return;
      }
      if (result.ending !== "exited") say(`the command was stopped: ${LIMITS_HIT[result.ending](limits)}`);
      finish(exitCodeOf(result));
    });
}

const LIMITS_HIT: Record<Exclude<CommandResult["ending"], "exited">, (limits: SandboxLimits) => string> = {
  timeout: ({ timeoutMs }) => `it took longer than ${timeoutMs / 1000} s (--timeout)`,
  "memory-limit": ({ memoryMb }) => `it needed more than ${memoryMb} MB of memory (--memory)`,
  "process-limit": ({ pids }) => `it started more than ${pids} processes and threads (--pids)`,
  "disk-limit": ({ diskMb }) => `it wrote more than ${diskMb} MB (--disk)`,
};

function exitCodeOf({ ending, exitCode, signal }: CommandResult): number {
  if (ending !== "exited") return EXIT.stopped;
  if (exitCode !== null) return exitCode;
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return number === undefined ? EXIT.internal : 128 + number;
}

function limitsOf(flags: Flags, limits: SandboxLimits): SandboxLimits {
  return {
    ...limits,
    ...(flags.memory && { memoryMb: flags.memory }),
    ...(flags.cpus && { cpus: flags.cpus }),
    ...(flags.pids && { pids: flags.pids }),
    ...(flags.disk && { diskMb: flags.disk }),
    ...(flags.timeout && { timeoutMs: parseDuration(flags.timeout) ?? limits.timeoutMs }),
  };
}

function networkAccess(
  hosts: string[],
  registries: NonNullable<NetworkAccess["registries"]>,
  say: (text: string) => void,
): NetworkAccess | null {
  if (hosts.length === 0) return null;
  return {
    hosts,
    registries,
    onRequest: ({ host, port, reason, allowed }) => {
      if (!allowed) say(`network to ${host}:${port} refused: ${reason}`);
    },
  };
}

const hosts = (text: string, previous: string[] = []): string[] => [
  ...previous,
  ...text
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== ""),
];

function variable(text: string, previous?: string[]): string[] {
  if (!/^[A-Za-z_]\w*=/.test(text)) throw new InvalidArgumentError(`expected NAME=value, got "${text.slice(0, 80)}"`);
  return collect(text, previous);
}

function splitVariable(text: string): [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}
