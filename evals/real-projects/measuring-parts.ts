import { environmentsPlace, housedLanguages } from "../../src/app/housed-languages.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { droppedIdentity } from "../../src/sandbox/identity.ts";
import { NetworkedSandbox } from "../../src/sandbox/network/networked-sandbox.ts";
import { networkParts } from "../../src/sandbox/network/run-with-network.ts";
import { openBubblewrap } from "../../src/sandbox/open-sandbox.ts";
import { packagePlaces } from "../../src/sandbox/packages/package-places.ts";
import type { ProveParts } from "../../src/verify/prove/prove-parts.ts";
import { ArtifactStore } from "../../src/workspace/artifact-store.ts";
import { CheckoutDirectories } from "../../src/workspace/checkout-directory.ts";
import { removeTree } from "../../src/workspace/remove-tree.ts";

export type MeasuringParts = Pick<
  ProveParts,
  "task" | "artifacts" | "sandbox" | "limits" | "languages" | "checkout" | "signal" | "onProgress"
>;

/**
 * The parts of the product that set a project up and run its suite. `houseMirror`: the registries may have private
 * addresses, as where a mirror of the house answers in their name; the product itself asks public ones alone.
 */
export async function withMeasuringParts<T>(
  { sandbox: choice, safety }: Pick<Settings, "sandbox" | "safety">,
  data: string,
  houseMirror: boolean,
  work: (parts: MeasuringParts) => Promise<T>,
): Promise<T> {
  const task = "p1";
  const { PATH, HOME } = process.env;
  const artifacts = ArtifactStore.open(data);
  const owner = droppedIdentity();
  const directories = CheckoutDirectories.open(data, owner);
  const network = { ...networkParts(), ...(houseMirror && { isPublic: () => true }) };
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
          registries: safety.registries,
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
