import { readdirSync, readFileSync } from "node:fs";

const PAGE_BYTES = 4096;
const SAMPLE_MS = 10;

/** Follows the memory of a process and everything below it; `peak` is the highest sum of resident sets, in bytes. */
export function watchMemory(pid: number): { peak: () => number; stop: () => void } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, SAMPLE_MS);
  return { peak: () => peak, stop: () => clearInterval(timer) };
}

/** Pages that processes share count once for each. */
function residentBytes(root: number): number {
  const all = processes();
  const below = new Set([root]);
  // A child has nearly always a higher number than its parent, but numbers start again from the bottom.
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.reduce((sum, { pid, resident }) => (below.has(pid) ? sum + resident : sum), 0);
}

function processes(): { pid: number; parent: number; resident: number }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readOr(`/proc/${name}/stat`);
    // Fields from the third on; the second, the program's name, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [{ pid: Number(name), parent: Number(fields[1]), resident: Number(fields[21]) * PAGE_BYTES }];
  });
}

/** Processes end while we look. */
function readOr(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
