import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";

/** What a person wrote in their editor, as one text. Files that they point to are named; the agent reads them itself. */
export const promptText = (prompt: readonly ContentBlock[], directory: string): string =>
  prompt.map((block) => textOf(block, directory)).join("");

function textOf(block: ContentBlock, directory: string): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return pathOf(block.uri, directory);
  if (block.type === "resource") return pathOf(block.resource.uri, directory);
  // We did not say that we can take others.
  return "";
}

/** Below the directory as a path in it; whatever else it is, as it was given. */
function pathOf(uri: string, directory: string): string {
  if (!URL.canParse(uri) || new URL(uri).protocol !== "file:") return uri;
  const path = fileURLToPath(uri);
  const inside = relative(directory, path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}
