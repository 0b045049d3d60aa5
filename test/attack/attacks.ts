import type { Attack } from "./attack.ts";
import { guard } from "./guard.ts";
import { kernel } from "./kernel.ts";
import { leftovers } from "./leftovers.ts";
import { namespaces } from "./namespaces.ts";
import { network } from "./network.ts";
import { processes } from "./processes.ts";
import { resources } from "./resources.ts";

/** Everything that is tried on every backend that isolates. */
export const ATTACKS: readonly Attack[] = [
  ...network,
  ...processes,
  ...namespaces,
  ...kernel,
  ...resources,
  ...guard,
  ...leftovers,
];
