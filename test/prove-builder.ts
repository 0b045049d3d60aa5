import { onTestFinished } from "vitest";
import { environmentsPlace, housedLanguages } from "../src/app/housed-languages.ts";
import { packageRoot } from "../src/config/package-root.ts";
import type { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import { loadScanRules } from "../src/safety/scan/scan-rules.ts";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import { SyntaxParsers } from "../src/syntax/parse.ts";
import { bundleFiles } from "../src/verify/evidence/bundle.ts";
import { checkBundle } from "../src/verify/evidence/check-bundle.ts";
import { Measurements } from "../src/verify/prove/measurements.ts";
import { prove } from "../src/verify/prove/prove.ts";
import type { ProveParts, ProveRequest } from "../src/verify/prove/prove-parts.ts";
import { ArtifactStore } from "../src/workspace/artifact-store.ts";
import { CheckoutDirectories } from "../src/workspace/checkout-directory.ts";
import { removeTree } from "../src/workspace/remove-tree.ts";
import { derivingChange, written } from "./forged-bundle.ts";
import { testSettings } from "./journal-builder.ts";
import { indexSandbox, type PackageIndex } from "./package-index.ts";
import { temporaryDirectory } from "./temporary.ts";

const VERSION = "0.0.0";
const parsers = new SyntaxParsers();

/** Real parts for proving, on temporary directories. Packages are only to be had from an index of the test's. */
function proveParts(index?: PackageIndex): ProveParts {
  const data = temporaryDirectory("miracle-prove-");
  const artifacts = ArtifactStore.open(data);
  const owner = droppedIdentity();
  const directories = CheckoutDirectories.open(data, owner);
  const environments = environmentsPlace(data, directories, owner);
  const sandbox = index ? indexSandbox(data) : openSandbox({ backend: "bubblewrap" });
  onTestFinished(async () => {
    directories.remove("p1");
    removeTree(environments);
    artifacts.close();
    await sandbox[Symbol.asyncDispose]();
  });
  const surroundings = { env: { PATH: "/usr/bin:/bin" }, execPath: process.execPath, version: process.version };
  const limits = { ...testSettings.sandbox.limits, timeoutMs: 60_000 };
  const { signal } = new AbortController();
  const onProgress = () => {};
  const registries = index?.registries ?? {};
  return {
    task: "p1",
    artifacts,
    sandbox,
    limits,
    languages: housedLanguages(surroundings, undefined, {
      artifacts,
      sandbox,
      limits,
      owner,
      environments,
      registries,
      signal,
      onProgress,
    }),
    parsers,
    scanRules: () => loadScanRules(packageRoot()),
    checkout: async (name, tree) => {
      const directory = directories.path("p1", 0, name);
      removeTree(directory);
      await artifacts.checkout(tree, directory, owner ? { owner } : {});
      return directory;
    },
    version: VERSION,
    clock: () => 0,
    signal,
    onProgress,
  };
}

const requestFor = (directory: string, change: Partial<ProveRequest>): ProveRequest => ({
  directory,
  accept: [],
  superseded: [],
  leave: [],
  mutationScore: null,
  budgetMs: 30_000,
  ...change,
});

/** What a proof says. Its bundle must hold, whatever the change is: everything in it is made again and compared. */
export async function proveChange(
  directory: string,
  change: Partial<ProveRequest> = {},
  index?: PackageIndex,
): Promise<EvidenceDocument> {
  const files = await proveBundle(directory, change, index);
  const derive = { run: derivingChange, prove: derivingChange };
  const { document, faults, unchecked } = await checkBundle(written(files), { version: VERSION, derive });
  if (!document || faults.length + unchecked.length > 0)
    throw new Error(`its bundle does not hold:\n${[...faults, ...unchecked].join("\n")}`);
  return document;
}

/** The files of the bundle that `prove -o` writes. */
export async function proveBundle(
  directory: string,
  change: Partial<ProveRequest> = {},
  index?: PackageIndex,
): Promise<Map<string, Buffer>> {
  const parts = proveParts(index);
  const measurements = new Measurements();
  const document = await prove(requestFor(directory, change), parts, measurements);
  return bundleFiles({ document, artifacts: parts.artifacts, secrets: [], measurements: measurements.toText() });
}
