import { z } from "zod";
import { canonicalJson } from "../domain/json.ts";
import { compareBytes, EXECUTABLE } from "./git-objects.ts";

/** What git's trees cannot hold, so that a checkout restores it. */
export const Manifest = z.object({
  version: z.literal(1),
  emptyDirectories: z.array(z.string()),
  /** Paths with permissions other than 644 and 755, in octal. */
  modes: z.array(z.tuple([z.string(), z.string().regex(/^[0-7]{1,3}$/)])),
});
export type Manifest = z.infer<typeof Manifest>;

/** Must be deterministic, because it is part of the snapshot's identity. */
export function encodeManifest(emptyDirectories: string[], modes: [path: string, permissions: number][]): Buffer {
  const manifest: Manifest = {
    version: 1,
    emptyDirectories: [...emptyDirectories].sort(compareBytes),
    modes: modes
      .map(([path, permissions]): [string, string] => [path, permissions.toString(8)])
      .sort(([a], [b]) => compareBytes(a, b)),
  };
  return Buffer.from(canonicalJson(manifest), "utf8");
}

export const decodeManifest = (content: Buffer): Manifest => Manifest.parse(JSON.parse(content.toString("utf8")));

/** The permissions of a file with this git mode if the manifest does not name it. */
export const usualPermissions = (gitMode: number): number => (gitMode === EXECUTABLE ? 0o755 : 0o644);
