import { join, resolve } from "node:path";
import { type BundleSources, bundleFiles, writeBundle } from "../../verify/evidence/bundle.ts";
import { MANIFEST_FILE } from "../../verify/evidence/manifest.ts";
import { signFile } from "../../verify/evidence/signature.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface Destination {
  output: string;
  force?: boolean | undefined;
  /** A private key to sign the manifest with. */
  sign?: string | undefined;
}

/** Writes evidence as a bundle, signed where a key is given. */
export async function writeEvidence(
  terminal: Terminal,
  sources: BundleSources,
  { output, force, sign }: Destination,
): Promise<{ directory: string; root: string }> {
  const directory = resolve(terminal.directory, output);
  const root = writeBundle(directory, await bundleFiles(sources), force === true);
  if (sign !== undefined)
    await signFile(join(directory, MANIFEST_FILE), resolve(terminal.directory, sign), terminal.env);
  return { directory, root };
}
