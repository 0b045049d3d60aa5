import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { HttpPoster } from "../../llm/http-post.ts";
import { endpointEmbedder } from "./endpoint.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const Asked = z.object({ model: z.string(), dimensions: z.int(), input: z.array(z.string()) });

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closers.push(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1/`;
}

const embedder = (baseUrl: string, dimensions = 3) =>
  endpointEmbedder({
    baseUrl,
    model: "text-embedding-3-large",
    dimensions,
    key: "sk-test",
    threshold: 0.6,
    timeoutMs: 5000,
    poster: new HttpPoster({}),
  });

/** Answers each text with its length in the first dimension, in reverse order. */
const answering =
  (seen: { url: string; authorization: string; body: z.infer<typeof Asked> }[], size = 3): RequestListener =>
  async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Asked.parse(JSON.parse(Buffer.concat(chunks).toString()));
    seen.push({ url: request.url ?? "", authorization: request.headers.authorization ?? "", body });
    const data = body.input.map((text, index) => ({
      index,
      embedding: [text.length, ...Array.from({ length: size - 1 }, () => 1)],
    }));
    response.end(JSON.stringify({ data: data.reverse() }));
  };

describe("an embeddings endpoint", () => {
  test("is asked for model and size with the key, in batches, and answers in the order of the texts", async () => {
    const seen: Parameters<typeof answering>[0] = [];
    const texts = Array.from({ length: 70 }, (_, at) => "x".repeat(at + 1));
    const vectors = await embedder(await serve(answering(seen))).embed(texts);
    expect(seen.map(({ body }) => body.input.length)).toEqual([64, 6]);
    expect(seen[0]).toMatchObject({
      url: "/v1/embeddings",
      authorization: "Bearer sk-test",
      body: { model: "text-embedding-3-large", dimensions: 3 },
    });
    expect(vectors.length).toBe(70);
    for (const [at, { model, values }] of vectors.entries()) {
      expect(model).toBe("text-embedding-3-large-3");
      expect((values[0] ?? 0) / (values[1] ?? 1)).toBeCloseTo(at + 1, 3);
      expect(Math.hypot(...values)).toBeCloseTo(1, 5);
    }
  });

  test("that answers with another size, with too little or with no JSON is refused with what to check", async () => {
    const replies = [
      JSON.stringify({ data: [{ index: 0, embedding: [1, 2] }] }),
      JSON.stringify({ data: [] }),
      "<html>",
      JSON.stringify({ data: [{ index: 0, embedding: ["a"] }] }),
    ];
    for (const reply of replies) {
      const url = await serve((_, response) => void response.end(reply));
      await expect(embedder(url).embed(["a"])).rejects.toMatchObject({ failure: { code: "memory.endpoint-answer" } });
    }
  });

  test("that refuses is told of in one line, without the key", async () => {
    const url = await serve((_, response) => void response.writeHead(401).end("bad key sk-test"));
    const error = await embedder(url)
      .embed(["a"])
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ failure: { code: "memory.endpoint" } });
    expect(String(error)).not.toContain("sk-test");
  });

  test("reserves each request before it leaves, and settles what was billed", async () => {
    const order: string[] = [];
    const usage = { total_tokens: 7 };
    const reply = (withBill: boolean) =>
      JSON.stringify({ data: [{ index: 0, embedding: [1, 2, 3] }], ...(withBill && { usage }) });
    const asking = (withBill: boolean) =>
      serve((_, response) => {
        order.push("asked");
        response.end(reply(withBill));
      });
    const reserving = async (baseUrl: string) =>
      endpointEmbedder({
        baseUrl,
        model: "m",
        dimensions: 3,
        key: undefined,
        threshold: 0.6,
        timeoutMs: 5000,
        poster: new HttpPoster({}),
        reserve: async (bytes) => {
          expect(bytes).toBeGreaterThan(40);
          order.push("reserved");
          return async (tokens) => void order.push(`settled ${tokens}`);
        },
      }).embed(["a text"]);
    await reserving(await asking(true));
    expect(order.splice(0)).toEqual(["reserved", "asked", "settled 7"]);
    await reserving(await asking(false));
    expect(order.splice(0), "an answer without a bill stays at its worst case").toEqual(["reserved", "asked"]);
  });

  test("sends nothing that does not fit into the budget", async () => {
    let asked = 0;
    const baseUrl = await serve((_, response) => {
      asked += 1;
      response.end("{}");
    });
    const options = { baseUrl, model: "m", dimensions: 3, key: undefined, threshold: 0.6, timeoutMs: 5000 };
    const reserve = () => Promise.reject(new Error("no money"));
    await expect(endpointEmbedder({ ...options, poster: new HttpPoster({}), reserve }).embed(["a"])).rejects.toThrow(
      "no money",
    );
    expect(asked).toBe(0);
  });
});
