import type { Lesson } from "../domain/memory/lesson.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Embedder } from "./embed/embedder.ts";
import { proseOf } from "./entry-of.ts";
import type { Meaning } from "./find.ts";
import type { Vector } from "./memory-index.ts";
import { type Signature, signatureOf } from "./signature/signature.ts";

/**
 * A sentence model reads prose and errors. Vectors of the two are never compared, so errors get their own model name.
 */
export const errorModel = (model: string): string => `${model}/said`;

/** What an error says in its own words, without the frames. */
const errorSentences = (signature: Pick<Signature, "lines">): string =>
  signature.lines
    .filter(({ role }) => role === "error")
    .map(({ text, said }) => (said ?? text).trim())
    .join(". ")
    .slice(0, LONGEST_ERROR);

const LONGEST_ERROR = 500;

/** The vectors of a sentence model for records: for their prose, and for what their errors say. */
export async function textVectors(
  embedder: Embedder,
  records: readonly (Lesson | Pattern)[],
): Promise<Map<string, Vector[]>> {
  const texts = records.flatMap((record) => {
    const error = record.kind === "lesson" ? errorSentences(signatureOf(record.error, record.language)) : "";
    return [
      { id: record.id, model: embedder.model, text: proseOf(record) },
      { id: record.id, model: errorModel(embedder.model), text: error },
    ].filter(({ text }) => text !== "");
  });
  const made = await embedder.embed(texts.map(({ text }) => text));
  const vectors = new Map<string, Vector[]>();
  for (const [at, { id, model }] of texts.entries()) {
    const vector = made[at];
    if (vector) vectors.set(id, [...(vectors.get(id) ?? []), { ...vector, model }]);
  }
  return vectors;
}

/** Reads an error on demand; null if there is no model, or no text. */
export function meaningOf(embedder: Embedder | null, signature: Signature): Meaning | null {
  const text = errorSentences(signature);
  if (embedder === null || text === "") return null;
  const model = errorModel(embedder.model);
  return {
    model,
    read: async () => {
      const [vector] = await embedder.embed([text]);
      return vector ? { ...vector, model } : null;
    },
  };
}
