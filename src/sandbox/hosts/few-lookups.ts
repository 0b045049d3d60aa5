import type { Resolve } from "./choose-address.ts";

/**
 * Limits concurrent look-ups. The system's resolver occupies one of the few threads of this process while it waits, and
 * sandboxed code chooses how many names it asks for. Without the limit everything else here would stop.
 */
export function withFewLookups(resolve: Resolve, most: number): Resolve {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (host) => {
    if (running >= most) await new Promise<void>((next) => waiting.push(next));
    else running += 1;
    try {
      return await resolve(host);
    } finally {
      // The next look-up in the queue takes this place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
