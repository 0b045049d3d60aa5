import type { EventBody } from "../../domain/task/event.ts";
import type { NetworkAccess } from "../../sandbox/sandbox.ts";

const MOST_TOLD = 20;

/**
 * Network access for one command: only to these hosts; refused requests are reported. Without hosts there is no
 * network.
 */
export function commandNetwork(
  hosts: string[],
  emit: (event: EventBody) => void,
  registries: NonNullable<NetworkAccess["registries"]> = {},
): { network?: NetworkAccess } {
  if (hosts.length === 0) return {};
  let told = 0;
  return {
    network: {
      hosts: [...new Set(hosts)],
      registries,
      onRequest: ({ host, port, method, allowed, reason }) => {
        if (allowed || told >= MOST_TOLD) return;
        told += 1;
        emit({ type: "network-refused", host, port, method, reason });
      },
    },
  };
}
