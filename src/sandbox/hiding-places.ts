import { readFileSync, readlinkSync, statfsSync, statSync } from "node:fs";
import { isGone, namesIn, namespaceProcesses } from "./namespace-processes.ts";

export const TMPFS = 0x0102_1994;

/**
 * Whether a process of this namespace may hold file content that neither a name nor an open file shows: a file that was
 * mapped, closed and deleted, a file on its way through a socket, or anything where we may not look.
 */
export function hasHidingPlace(firstProcess: number): boolean {
  const memory = memoryDevices(firstProcess);
  return namespaceProcesses(firstProcess).some((pid) => mapsDeleted(pid, memory) || sendsFiles(pid));
}

/** Mapped memory without a name on a disk. */
const MEMORY = /^\/(?:memfd:|SYSV|dev\/zero)/;

function mapsDeleted(pid: string, memory: Set<string>): boolean {
  const maps = readText(`/proc/${pid}/maps`);
  if (maps === null) return true;
  return maps.split("\n").some((line) => {
    const [, device = "", path] = /^\S+ \S+ \S+ (\S+) \d+ +(.*) \(deleted\)$/.exec(line) ?? [];
    return path !== undefined && !MEMORY.test(path) && !memory.has(device);
  });
}

/** The sandbox's own file systems in memory, which have their own limits. In the notation of /proc maps. */
function memoryDevices(firstProcess: number): Set<string> {
  const devices = ["tmp", "dev/shm"].flatMap((place) => {
    const path = `/proc/${firstProcess}/root/${place}`;
    try {
      return statfsSync(path).type === TMPFS ? [deviceName(statSync(path).dev)] : [];
    } catch {
      return []; // it is over
    }
  });
  return new Set(devices);
}

function deviceName(device: number): string {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return [major, minor].map((part) => part.toString(16).padStart(2, "0")).join(":");
}

function sendsFiles(pid: string): boolean {
  const descriptors = namesIn(`/proc/${pid}/fd`);
  if (descriptors === null) return true;
  return descriptors.some((descriptor) => {
    if (!isSocket(`/proc/${pid}/fd/${descriptor}`)) return false;
    const told = readText(`/proc/${pid}/fdinfo/${descriptor}`);
    return told === null || /^scm_fds:\s*[1-9]/m.test(told);
  });
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    return false;
  }
}

/** Null when it may not be read. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return isGone(error) ? "" : null;
  }
}
