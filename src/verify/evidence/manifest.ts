import { sha256 } from "../../journal/hash.ts";

/** The file that names every other one of a bundle. Its own hash is the bundle's root hash. */
export const MANIFEST_FILE = "manifest.sha256";

/** As `sha256sum` writes and `sha256sum --check` reads it: a bundle can be checked without Miracle. */
export function renderManifest(files: ReadonlyMap<string, Buffer>): string {
  return renderLines([...files].map(([name, content]) => [name, sha256(content)]));
}

function renderLines(hashes: (readonly [name: string, hash: string])[]): string {
  const sorted = hashes.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, hash]) => line(name, hash)).join("");
}

/** Names with a line break or a backslash are escaped, and the line says so by a backslash at its start. */
function line(name: string, hash: string): string {
  const escaped = name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `${escaped === name ? "" : "\\"}${hash}  ${escaped}\n`;
}

/** Null when the text is not exactly what `renderManifest` would have written. */
export function parseManifest(text: string): Map<string, string> | null {
  const hashes = new Map<string, string>();
  for (const one of text.split("\n").slice(0, -1)) {
    const [, escaped, hash = "", name = ""] = /^(\\?)([0-9a-f]{64}) {2}(.+)$/.exec(one) ?? [];
    if (name === "") return null;
    hashes.set(escaped === "\\" ? plainName(name) : name, hash);
  }
  return renderLines([...hashes]) === text ? hashes : null;
}

const plainName = (name: string): string =>
  name.replace(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter === "r" ? "\r" : letter));
