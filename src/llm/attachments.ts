import type { z } from "zod";
import type { FilePart, ModelRequest, TextPart } from "../domain/message.ts";

type File = z.infer<typeof FilePart>;
type Part = z.infer<typeof TextPart> | File;

const TEXT_TYPES = /^text\/|[/+](json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|sql)$/i;

/** Sends text files as text, which every model can read. Images and documents stay files. */
export function readablePart(part: Part): Part {
  if (part.type === "text" || !TEXT_TYPES.test(part.mediaType)) return part;
  const content = Buffer.from(part.data, "base64").toString("utf8");
  return { type: "text", text: `Attached file ${part.name}:\n\`\`\`\n${content}\n\`\`\`` };
}

/** The highest price of an image at any provider, in tokens, whatever its size in bytes. */
const IMAGE_TOKENS = 6_000;
const PAGE_TOKENS = 3_000;
const UNKNOWN_PAGES = 100;

/** Tokens that attachments may cost beyond their bytes: a small file can hold a large image. */
export function hiddenAttachmentTokens(request: ModelRequest): number {
  const parts = request.messages.flatMap((message) => (message.role === "user" ? message.content : []));
  return parts.reduce((sum, part) => sum + hiddenTokens(readablePart(part)), 0);
}

function hiddenTokens(part: Part): number {
  if (part.type === "text") return 0;
  return part.mediaType.startsWith("image/") ? IMAGE_TOKENS : pages(part) * PAGE_TOKENS;
}

function pages(part: File): number {
  const source = Buffer.from(part.data, "base64").toString("latin1");
  const counts = [...source.matchAll(/\/Count\s+(\d{1,5})/g)].map((match) => Number(match[1]));
  return counts.length === 0 ? UNKNOWN_PAGES : Math.max(1, ...counts);
}
