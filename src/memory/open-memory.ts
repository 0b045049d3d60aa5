import { randomBytes } from "node:crypto";
import { fail } from "../domain/failure.ts";
import type { Settings } from "../domain/settings/settings.ts";
import type { Redact } from "../journal/redact.ts";
import { HttpPoster } from "../llm/http-post.ts";
import type { SecretRules } from "../safety/secrets/secret-rule.ts";
import type { Store } from "../store/store.ts";
import { textCleaner } from "./clean-text.ts";
import type { Embedder } from "./embed/embedder.ts";
import { endpointEmbedder, type ReserveTexts } from "./embed/endpoint.ts";
import { hasSentenceModel, sentenceModel } from "./embed/sentence-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryIndex } from "./memory-index.ts";

export interface MemoryNeeds {
  store: Store;
  index: MemoryIndex;
  settings: Pick<Settings, "memory" | "providers" | "retry">;
  env: Record<string, string | undefined>;
  keys(variable: string): string | undefined;
  redact: Redact;
  secretRules: SecretRules;
  warn(message: string): void;
  /** Of a task: reserves each request to an endpoint in its budget. */
  reserve?: ReserveTexts | undefined;
}

export async function openMemory(needs: MemoryNeeds): Promise<Memory> {
  return Memory.open({
    store: needs.store,
    index: needs.index,
    prose: withThreshold(chooseEmbedder(needs), needs.settings.memory.threshold),
    clean: textCleaner(needs.redact, needs.secretRules),
    clock: Date.now,
    newId: () => `m${Date.now().toString(36)}${randomBytes(5).toString("hex")}`,
    warn: needs.warn,
    mostRecords: needs.settings.memory.maxRecords,
  });
}

/** The person's own threshold goes before that of the embedding. */
const withThreshold = (embedder: Embedder | null, threshold: number | undefined): Embedder | null =>
  embedder && threshold !== undefined ? { ...embedder, threshold } : embedder;

function chooseEmbedder({ settings, env, keys, reserve }: MemoryNeeds): Embedder | null {
  const { embeddings } = settings.memory;
  if (embeddings === null) return hasSentenceModel() ? sentenceModel() : null;
  if (embeddings.provider === "none") return null;
  const provider = settings.providers[embeddings.provider];
  const baseUrl = provider?.baseUrl ?? (provider?.kind === "openai" ? "https://api.openai.com/v1" : undefined);
  if (provider === undefined || baseUrl === undefined) {
    const why = provider === undefined ? "is not among the providers" : "has no baseUrl";
    throw fail("invalid-input", "memory.provider", `memory.embeddings.provider: ${embeddings.provider} ${why}`);
  }
  const key = provider.keyVariable === undefined ? undefined : keys(provider.keyVariable);
  if (provider.keyVariable !== undefined && key === undefined) {
    throw fail("environment", "memory.no-key", `${provider.keyVariable} is not set; memory.embeddings needs it`);
  }
  const { model, dimensions, threshold } = embeddings;
  const timeoutMs = settings.retry.requestTimeoutMs;
  const poster = new HttpPoster(env);
  return endpointEmbedder({ baseUrl, model, dimensions, threshold, key, timeoutMs, poster, reserve });
}
