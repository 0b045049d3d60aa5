import type { PortableTree } from "../workspace/portable-tree.ts";

/** Paths of the files whose content or name holds one of these values: such a tree must not leave the machine. */
export function filesWithSecrets({ files }: PortableTree, secrets: string[]): string[] {
  const holds = (text: string) => secrets.some((secret) => text.includes(secret));
  return files
    .filter(({ path, encoding, content }) => {
      if (encoding === "utf8") return holds(content) || holds(path);
      // Secrets are compared as bytes there.
      const bytes = Buffer.from(content, "base64");
      return holds(path) || secrets.some((secret) => bytes.includes(secret));
    })
    .map(({ path }) => path);
}
