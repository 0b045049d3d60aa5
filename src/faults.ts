/** Named moments at which a test may end the process. In production nothing listens. */
export interface Faults {
  reach(point: FaultPoint): void;
}

type FaultPoint = "write:before" | "write:after" | "apply:rename" | "branch:ref";

export const noFaults: Faults = { reach: () => {} };

/**
 * `MIRACLE_FAULT=N`: the N-th moment reached kills this process with SIGKILL, as a power cut would.
 * `MIRACLE_FAULT=count:FILE` writes how many moments there were. For crash tests.
 */
export function faultsFrom(setting: string | undefined, countTo: (count: number) => void): Faults {
  if (setting === undefined) return noFaults;
  const target = setting.startsWith("count:") ? Number.POSITIVE_INFINITY : Number(setting);
  let count = 0;
  return {
    reach: () => {
      count += 1;
      if (setting.startsWith("count:")) countTo(count);
      if (count === target) process.kill(process.pid, "SIGKILL");
    },
  };
}
