import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import { AttemptFault } from "../../llm/attempt-fault.ts";
import type { HttpPoster } from "../../llm/http-post.ts";
import type { Embedder } from "./embedder.ts";
import { toUnitLength } from "./unit-length.ts";

export interface EndpointOptions {
  /** Up to and without `/embeddings`. */
  baseUrl: string;
  model: string;
  dimensions: number;
  key: string | undefined;
  threshold: number;
  timeoutMs: number;
  poster: HttpPoster;
  /** Of a task with a budget: reserves a request before it leaves. */
  reserve?: ReserveTexts | undefined;
}

/** Reserves the worst case of a request with so many bytes. What it gives takes the tokens that were billed. */
export type ReserveTexts = (bytes: number) => Promise<(tokens: number) => Promise<void>>;

const Reply = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.int().nonnegative() }).optional().catch(undefined),
});

/** Texts in one request: far below every provider's limit. */
const BATCH = 64;
const LONGEST = 8_000;

/** Any server with OpenAI's embeddings. The size is requested, and an answer of another size is refused. */
export function endpointEmbedder(options: EndpointOptions): Embedder {
  const name = `${options.model}-${options.dimensions}`;
  return {
    model: name,
    threshold: options.threshold,
    embed: async (texts, signal = new AbortController().signal) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        vectors.push(...(await ask(options, texts.slice(at, at + BATCH), signal)));
      }
      return vectors.map((values) => ({ model: name, values: toUnitLength(values) }));
    },
  };
}

async function ask(options: EndpointOptions, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
  const { baseUrl, model, dimensions, key, timeoutMs, poster } = options;
  const input = texts.map((text) => (text === "" ? " " : text.slice(0, LONGEST)));
  const posting = {
    url: `${baseUrl.replace(/\/+$/, "")}/embeddings`,
    headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, input, dimensions, encoding_format: "float" }),
  };
  const settle = await options.reserve?.(Buffer.byteLength(posting.body));
  const chunks: Uint8Array[] = [];
  try {
    const { body } = await poster.post(posting, { signal, timeoutMs });
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof AttemptFault)) throw error;
    throw fail("transient", "memory.endpoint", `${host(baseUrl)} gave no embeddings: ${error.message}`, {
      cause: error,
    });
  }
  const { vectors, tokens } = read(Buffer.concat(chunks).toString("utf8"), texts.length, options);
  // An answer without a bill counts with its worst case.
  if (tokens !== undefined) await settle?.(tokens);
  return vectors;
}

function read(
  body: string,
  count: number,
  { baseUrl, model, dimensions }: EndpointOptions,
): { vectors: Float32Array[]; tokens: number | undefined } {
  const unusable = (why: string, cause?: unknown) =>
    fail(
      "environment",
      "memory.endpoint-answer",
      `${host(baseUrl)} answered for ${model} with ${why}; check memory.embeddings`,
      { cause },
    );
  let reply: z.infer<typeof Reply>;
  try {
    reply = Reply.parse(JSON.parse(body));
  } catch (error) {
    throw unusable("something that is no list of embeddings", error);
  }
  const found: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const { index, embedding } of reply.data) found[index] = Float32Array.from(embedding);
  const vectors = Array.from({ length: count }, (_, index) => {
    const vector = found[index];
    if (vector === undefined) throw unusable("fewer embeddings than texts");
    if (vector.length !== dimensions) throw unusable(`${vector.length} dimensions instead of ${dimensions}`);
    return vector;
  });
  return { vectors, tokens: reply.usage?.total_tokens };
}

const host = (url: string): string => (URL.canParse(url) ? new URL(url).host : "the embeddings endpoint");
