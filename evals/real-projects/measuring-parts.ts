import { environmentsPlace, housedLanguages } from "../../src/app/housed-languages.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { droppedIdentity } from "../../src/sandbox/identity.ts";
import { NetworkedSandbox } from "../../src/sandbox/network/networked-sandbox.ts";
import { type NetworkParts, networkParts } from "../../src/sandbox/network/run-with-network.ts";
import { openBubblewrap } from "../../src/sandbox/open-sandbox.ts";
import { secureByTls } from "../../src/sandbox/packages/ask-registry.ts";
import { packagePlaces } from "../../src/sandbox/packages/package-places.ts";
import type { ProveParts } from "../../src/verify/prove/prove-parts.ts";
import { ArtifactStore } from "../../src/workspace/artifact-store.ts";
import { CheckoutDirectories } from "../../src/workspace/checkout-directory.ts";
import { removeTree } from "../../src/workspace/remove-tree.ts";
import { WHEELS_HOST } from "./wheel-index.ts";

export type MeasuringParts = Pick<
  ProveParts,
  "task" | "artifacts" | "sandbox" | "limits" | "languages" | "checkout" | "signal" | "onProgress"
>;

/** Where packages are asked for, beside what the product does. */
export interface Places {
  /** The registries may have private addresses: a mirror of the house answers. The product asks public ones alone. */
  houseMirror: boolean;
  /** The port of an index of wheels on this machine, in the place of Python's. */
  wheels: number | null;
}

/** The parts of the product that set a project up and run its suite. */
export async function withMeasuringParts<T>(
  { sandbox: choice, safety }: Pick<Settings, "sandbox" | "safety">,
  data: string,
  { houseMirror, wheels }: Places,
  work: (parts: MeasuringParts) => Promise<T>,
): Promise<T> {
  const task = "p1";
  const { PATH, HOME } = process.env;
  const artifacts = ArtifactStore.open(data);
  const owner = droppedIdentity();
  const directories = CheckoutDirectories.open(data, owner);
  const usual = networkParts();
  const network: NetworkParts = {
    ...usual,
    ...(houseMirror && { isPublic: () => true }),
    ...(wheels !== null && {
      isPublic: () => true,
      resolve: async (host) => (host === WHEELS_HOST ? ["127.0.0.1"] : usual.resolve(host)),
      secure: async (socket, host) => (host === WHEELS_HOST ? socket : secureByTls(socket, host)),
    }),
  };
  const registries = { ...safety.registries, ...(wheels !== null && { python: [`${WHEELS_HOST}:${wheels}`] }) };
  // Packages come from the registry or from an earlier measurement, and not from what somebody once fetched.
  const { directory, own } = packagePlaces(data, {}, data);
  await using sandbox = new NetworkedSandbox(openBubblewrap(), { directory, own }, network);
  const { limits } = choice;
  const { signal } = new AbortController();
  const onProgress = () => {};
  try {
    return await work({
      task,
      artifacts,
      sandbox,
      limits,
      languages: housedLanguages(
        { env: { PATH, HOME }, execPath: process.execPath, version: process.version },
        undefined,
        {
          artifacts,
          sandbox,
          limits,
          owner,
          environments: environmentsPlace(data, directories, owner),
          registries,
          signal,
          onProgress,
        },
      ),
      checkout: async (name, tree) => {
        const place = directories.path(task, 0, name);
        removeTree(place);
        await artifacts.checkout(tree, place, owner ? { owner } : {});
        return place;
      },
      signal,
      onProgress,
    });
  } finally {
    directories.remove(task);
    artifacts.deleteRefs(task);
    artifacts.close();
  }
}
