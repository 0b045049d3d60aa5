import { lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import { type Command, type Guise, WORKSPACE } from "./sandbox.ts";
import { mountArguments, type StagedMount } from "./scratch-mounts.ts";

/**
 * File descriptors that the launcher hands over: bwrap's status, the small files of /etc, the filter of system calls.
 */
export const STATUS_DESCRIPTOR = 3;
const FILTER_DESCRIPTOR = 8;
/**
 * bwrap reads its options from this descriptor. On a command line every user of the machine would see variables and
 * paths.
 */
export const OPTIONS_DESCRIPTOR = 10;
export function etcFiles(guise: Guise | undefined): { path: string; descriptor: number; content: string }[] {
  const { user, fullName, home, host } = guise ?? { user: "sandbox", fullName: "", home: "/tmp", host: "sandbox" };
  return [
    { path: "/etc/passwd", descriptor: 4, content: `${user}:x:1000:1000:${fullName}:${home}:/bin/bash\n` },
    { path: "/etc/group", descriptor: 5, content: `${user}:x:1000:\n` },
    { path: "/etc/hosts", descriptor: 6, content: `127.0.0.1 localhost ${host}\n::1 localhost\n` },
  ];
}

const STANDARD_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];

/** Options that older versions lack and that may be omitted, with what is lost then. */
export const OPTIONAL_OPTIONS: Record<string, { values: number; loss: string }> = {
  "--disable-userns": { values: 0, loss: "nested user namespaces: not blocked" },
  "--size": { values: 1, loss: "size of /tmp: not enforced" },
};

/** What is to run, as bwrap will find it. */
interface Ordered extends Command {
  mounts?: StagedMount[];
}

/** All of bwrap's options for one command. Order matters: later mounts cover earlier ones. */
export function bubblewrapArguments(command: Ordered, limits: SandboxLimits, system: string[]): string[] {
  const temporary = temporaryBytes(limits);
  const { guise } = command;
  const place = guise?.directory ?? WORKSPACE;
  const inside = (path: string) => (isInWorkspace(path) ? place + path.slice(WORKSPACE.length) : path);
  const scratch = Math.min(temporary, 256 * MEGABYTE);
  return [
    ...["--unshare-all", "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"],
    ...["--hostname", guise?.host ?? "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--json-status-fd", String(STATUS_DESCRIPTOR), "--seccomp", String(FILTER_DESCRIPTOR)],
    "--clearenv",
    ...Object.entries(variables(command)).flatMap(([name, value]) => ["--setenv", name, value]),
    ...system,
    ...etcFiles(guise).flatMap(({ path, descriptor }) => ["--file", String(descriptor), path]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(temporary), "--tmpfs", "/tmp"],
    ...["--size", String(Math.min(temporary, 64 * MEGABYTE)), "--tmpfs", "/dev/shm"],
    ...(guise ? personal(guise, temporary) : []),
    ...["--bind", command.workspace, place],
    ...(command.mounts ?? []).flatMap((mount) => mountArguments({ ...mount, to: inside(mount.to) }, scratch)),
    // bwrap's own root and /dev are memory without a size limit, so nothing may be written there.
    ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ...["--chdir", join(place, command.cwd ?? ".")],
  ];
}

/** A home that can be written to, and the zone where a system keeps it. */
const personal = ({ home, zone }: Guise, size: number): string[] => [
  ...["--size", String(size), "--tmpfs", home],
  ...["--symlink", `/usr/share/zoneinfo/${zone}`, "/etc/localtime"],
];

const isInWorkspace = (path: string) => path === WORKSPACE || path.startsWith(`${WORKSPACE}/`);

/** Options in the form that bwrap reads from a file. A NUL inside one would begin another option. */
export function optionsFile(options: string[]): string {
  if (options.some((option) => option.includes("\0"))) {
    const message = "a path, a variable or a directory for the sandbox holds a NUL character: remove it";
    throw fail("invalid-input", "command.unusable", message);
  }
  return options.map((option) => `${option}\0`).join("");
}

/** The same on every backend, so that a command sees the same machine everywhere. */
export function environment(command: Command, home: string): Record<string, string> {
  const path = [...(command.path ?? []), ...STANDARD_PATH].join(":");
  return { PATH: path, HOME: home, LANG: "C.UTF-8", TZ: "UTC", TERM: "dumb", ...command.env };
}

/** In a guise the command's own variables are all there are, and the zone is the system's. */
function variables(command: Command): Record<string, string> {
  const { guise } = command;
  if (!guise) return environment(command, "/tmp");
  const { TZ: _, TERM: __, LANG: ___, ...named } = environment({ ...command, env: {} }, guise.home);
  const inside = (text: string) => text.replace(NAMED_WORKSPACE, () => guise.directory);
  const all = Object.entries({ ...named, ...command.env });
  return Object.fromEntries(all.map(([name, value]) => [name, inside(value)]));
}

const NAMED_WORKSPACE = new RegExp(`(?<![\\w.~/-])${WORKSPACE}(?![\\w.-])`, "g");

/** The read-only system: /usr, the links into it, and what the loader and Debian's alternatives need of /etc. */
export function systemMounts(): string[] {
  const top = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
    return stats ? ["--ro-bind", path, path] : [];
  });
  const etc = ["/etc/alternatives", "/etc/ld.so.cache"].flatMap((path) => ["--ro-bind-try", path, path]);
  return ["--ro-bind", "/usr", "/usr", ...top, ...etc];
}

const MEGABYTE = 1024 * 1024;

/** Limited by memory as well as disk: a full /tmp must fail the write, not end the command for lack of memory. */
const temporaryBytes = (limits: SandboxLimits) => Math.min(limits.diskMb, Math.ceil(limits.memoryMb / 2)) * MEGABYTE;
