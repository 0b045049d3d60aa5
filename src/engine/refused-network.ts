import type { EventBody } from "../domain/event.ts";
import type { NetworkAccess } from "../sandbox/sandbox.ts";

/** So many different hosts of one command are told of: a program that tries them all must not fill the journal. */
const MOST_TOLD = 20;

/** Network to these hosts; every other one that a command asks for is an event, once. */
export function networkTo(hosts: string[], emit: (event: EventBody) => void): NetworkAccess {
  const told = new Set<string>();
  return {
    hosts,
    onRequest: ({ host, port, method, allowed, reason }) => {
      const place = `${host}:${port}`;
      if (allowed || told.has(place) || told.size >= MOST_TOLD) return;
      told.add(place);
      emit({ type: "network-refused", host, port, method, reason });
    },
  };
}
