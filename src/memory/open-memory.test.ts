import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { testSettings } from "../../test/journal-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { packageRoot } from "../config/package-root.ts";
import { loadScanRules } from "../safety/scan/scan-rules.ts";
import { sqliteDialect } from "../store/sqlite.ts";
import { Store } from "../store/store.ts";
import { openMemory } from "./open-memory.ts";
import { SqliteMemoryIndex } from "./sqlite-index.ts";

/** Texts about dates are 0.8 alike, and nothing like others. */
async function serveVectors(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { input } = z.object({ input: z.array(z.string()) }).parse(JSON.parse(Buffer.concat(chunks).toString()));
    const vectorOf = (text: string) =>
      /Parse/.test(text) ? [1, 0, 0] : /dates/.test(text) ? [0.8, 0.6, 0] : [0, 0, 1];
    response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
}

test.each([
  { threshold: undefined, found: ["parsing"] },
  { threshold: 0.7, found: ["parsing"] },
  { threshold: 0.9, found: [] },
])("a threshold of the person's ($threshold) goes before that of an embedding (0.6)", async ({ threshold, found }) => {
  const baseUrl = await serveVectors();
  const { secrets } = await loadScanRules(packageRoot());
  await using store = await Store.open(sqliteDialect(join(temporaryDirectory(), "miracle.db")));
  const embeddings = { provider: "near", model: "text", dimensions: 3, threshold: 0.6 };
  const memory = await openMemory({
    store,
    index: new SqliteMemoryIndex(store),
    settings: {
      ...testSettings,
      providers: { near: { kind: "openai-compatible", baseUrl, toolCalling: true } },
      memory: { ...testSettings.memory, embeddings, ...(threshold !== undefined && { threshold }) },
    },
    env: {},
    keys: () => undefined,
    redact: (value) => value,
    secretRules: secrets,
    warn: () => {},
  });
  await memory.keep([
    { kind: "pattern", problemType: "parsing", description: "Parse what logs say of time", project: "p1" },
    { kind: "pattern", problemType: "web", description: "Serve files over HTTP", project: "p1" },
  ]);
  const hits = await memory.find({ kind: "pattern", prose: "dates", for: "any", limit: 5 });
  expect(hits.map(({ record }) => record.kind === "pattern" && record.problemType)).toEqual(found);
});
