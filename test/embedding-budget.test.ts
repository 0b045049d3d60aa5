import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { isDelta } from "../src/bus/bus.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole } from "./scripted-goal.ts";

const goal = "Write a module that adds two numbers";
const BILLED = 7;

/** Embeddings of a provider's, each answer with its bill. */
async function serveEmbeddings() {
  const asked: string[][] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { input } = z.object({ input: z.array(z.string()) }).parse(JSON.parse(Buffer.concat(chunks).toString()));
    asked.push(input);
    const data = input.map((_, index) => ({ index, embedding: [1, 0, 0] }));
    response.end(JSON.stringify({ data, usage: { prompt_tokens: BILLED, total_tokens: BILLED } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { asked, baseUrl: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1` };
}

async function withEmbeddings() {
  const { asked, baseUrl } = await serveEmbeddings();
  const builder = await AppBuilder.create(byRole(addGoal));
  const app = await builder.open();
  const bare = builder.settings();
  const settings = builder.settings({
    providers: { ...bare.providers, near: { kind: "openai-compatible", baseUrl, toolCalling: true } },
    prices: { "test/*": { input: 1, output: 1 } },
    memory: {
      embeddings: { provider: "near", model: "text", dimensions: 3, threshold: 0.6 },
      maxRecords: 1000,
      use: { control: 0, tokens: 500, scope: "project" },
    },
  });
  return { asked, app, builder, settings };
}

test("what a task has embedded is reserved and settled in its budget like any call", async () => {
  const { asked, app, builder, settings } = await withEmbeddings();
  const end = await builder.start(app, { goal }, settings);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(asked.length).toBeGreaterThan(0);
  const rows = await app.store.read.selectFrom("reservations").selectAll().execute();
  const embedded = rows.filter(({ path }) => path === "memory/embed");
  expect(embedded.map(({ tokens, settled }) => [Number(tokens), Number(settled)])).toEqual(
    asked.map(() => [BILLED, 1]),
  );
  const [{ spent_tokens: spent } = { spent_tokens: 0 }] = await app.store.read
    .selectFrom("tasks")
    .select("spent_tokens")
    .execute();
  expect(Number(spent)).toBe(rows.reduce((sum, { tokens }) => sum + Number(tokens), 0));
});

test("under a month's budget nothing is embedded that has no price: the work goes on, and it is said what to do", async () => {
  const { asked, app, builder, settings } = await withEmbeddings();
  const notices: string[] = [];
  app.bus.subscribe((message) => {
    if (isDelta(message) && message.type === "notice") notices.push(message.text);
  });
  await app.store.write((tx) => tx.insertInto("budgets").values({ holder: "all", micros: 50_000_000 }).execute());
  const end = await builder.start(app, { goal }, settings);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(asked).toEqual([]);
  expect(notices.join("\n")).toContain("near/text has no price");
});
