import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** What of the host an attack could have changed, in a form that can be compared. */
export interface HostState {
  files: Record<string, string>;
  kernel: Record<string, string>;
  mounts: string[];
  strayFiles: string[];
  ipc: string[];
  keys: string[];
  victim: string;
  processes: string[];
  connections: number;
  clockRunsOn: boolean;
}

export interface Look {
  /** The user that sandboxed code is on the host. */
  owner: number;
  /** In the name of everything that attacks make by name. */
  token: string;
  directory: string;
  /** Directories whose content must stay. */
  watched: string[];
  processes: string[];
  victim: number;
  connections: number;
}

const SETTINGS = ["core_pattern", "hostname", "domainname", "modprobe", "randomize_va_space", "sysrq", "printk"];
const SYSTEM_FILES = ["/dev/null", "/usr/bin/bwrap", "/bin/sh", "/usr/bin/python3", "/etc/passwd", "/etc/ld.so.cache"];
const PUBLIC = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/", "/etc", "/dev"];
const IPC_KEY = String(0x6d697261);

export function hostState(look: Look): HostState {
  const paths = [
    ...SYSTEM_FILES,
    ...look.watched.flatMap((path) => [path, ...namesIn(path).map((name) => join(path, name))]),
  ];
  return {
    files: Object.fromEntries(paths.map((path) => [path, describe(path)])),
    kernel: Object.fromEntries(SETTINGS.map((name) => [name, read(`/proc/sys/kernel/${name}`)])),
    mounts: linesOf("/proc/self/mountinfo").filter(
      (line) => line.includes(look.directory) || line.includes(look.token),
    ),
    strayFiles: PUBLIC.flatMap((place) => namesIn(place).filter((name) => name.includes(look.token))),
    ipc: ["shm", "msg", "sem"].flatMap((kind) =>
      linesOf(`/proc/sysvipc/${kind}`).filter((line) => line.trim().split(/\s+/)[0] === IPC_KEY),
    ),
    keys: linesOf("/proc/keys").filter((line) => line.includes(look.token)),
    // Under way, asleep or waiting for a disk, as it happens: what an attack could do is to stop or end it.
    victim: /^State:\t(\S)/m.exec(read(`/proc/${look.victim}/status`))?.[1]?.replace(/[RSD]/, "alive") ?? "gone",
    processes: look.processes,
    connections: look.connections,
    clockRunsOn: Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 60_000,
  };
}

/** Processes that have this workspace as theirs, stand in it, or name the token: whatever they did to hide. */
export function processesIn(workspace: string, token: string): string[] {
  const own = statsOf(() => lstatSync(workspace));
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const inside = statsOf(() => statSync(`/proc/${pid}/root/workspace`));
      const isSame = own !== undefined && inside?.ino === own.ino && inside.dev === own.dev;
      return (
        isSame ||
        linkOf(`/proc/${pid}/cwd`).startsWith(workspace || "\0") ||
        read(`/proc/${pid}/cmdline`).includes(token)
      );
    })
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 200)}`);
}

function describe(path: string): string {
  const stats = statsOf(() => lstatSync(path));
  if (stats === undefined) return "absent";
  const { mode, uid, gid, size, mtimeMs, nlink } = stats;
  const isSteady = stats.isFile() || stats.isDirectory();
  const content = stats.isFile() && size < 100 ? read(path) : "";
  return [mode.toString(8), uid, gid, isSteady ? `${nlink} ${size} ${mtimeMs}` : "", content].join(" ");
}

const linesOf = (path: string) => read(path).split("\n");

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function statsOf(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
