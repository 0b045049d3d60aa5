import { hashOpenFile, storeOpenFile } from "./large-blob.ts";
import type { ObjectBatch } from "./object-database.ts";

/** Where contents go. `large` gets an open file and its size. */
export interface ContentSink {
  blob(content: Buffer): string;
  large(file: number, size: number): Promise<string>;
  tree(content: Buffer): string;
}

/** Only hashes, to compare a directory with a snapshot. */
export const hashOnly = (hash: (type: "blob" | "tree", content: Buffer) => string): ContentSink => ({
  blob: (content) => hash("blob", content),
  large: async (file, size) => hashOpenFile(file, size),
  tree: (content) => hash("tree", content),
});

/** Writes into the store, each content only once. */
export function contentsInto(batch: ObjectBatch): ContentSink {
  return {
    blob: (content) => batch.put("blob", content),
    tree: (content) => batch.put("tree", content),
    large: async (file, size) => {
      const id = hashOpenFile(file, size);
      return batch.database.has(id) ? id : await storeOpenFile(batch.database, file, size);
    },
  };
}
