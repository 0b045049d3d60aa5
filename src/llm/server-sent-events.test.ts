import fc from "fast-check";
import { expect, test } from "vitest";
import { eventData } from "./server-sent-events.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(text: string, size = 1 << 20): Promise<string[]> {
  const events: string[] = [];
  for await (const data of eventData(chunksOf(Buffer.from(text), size))) events.push(data);
  return events;
}

test("reads data lines, joins those of one event, and skips comments and names", async () => {
  expect(await read(': hello\n\nevent: x\nid: 1\ndata: {"a":\ndata:1}\n\ndata: two\r\n\r\n')).toEqual([
    '{"a":\n1}',
    "two",
  ]);
});

test("gives the last event also without its empty line", async () => {
  expect(await read("data: one\n\ndata: two")).toEqual(["one", "two"]);
});

test("the events are the same however the bytes are cut", async () => {
  const line = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => `a${text.replace(/[\r\n]/g, "")}`);
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 7 }), async (events, size) => {
      expect(await read(events.map((text) => `data: ${text}\n\n`).join(""), size)).toEqual(events);
    }),
  );
});
