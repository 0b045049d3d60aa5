import type { Resolve } from "./choose-address.ts";

/**
 * At most so many look-ups at once. The system's resolver holds one of the few threads of this process while it waits,
 * and sandboxed code chooses how many names it asks for: everything else here would come to a stop.
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
      // Whoever waits takes this place over.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
