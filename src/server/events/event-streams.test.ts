import { expect, onTestFinished, test } from "vitest";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { News } from "../../bus/news.ts";
import { LocalWire } from "../../bus/wire.ts";
import { appendEvent } from "../../journal/append-event.ts";
import type { Store } from "../../store/store.ts";
import { EventStreams } from "./event-streams.ts";

const TASK = "t00000001";

async function openStore(): Promise<Store> {
  const builder = new JournalBuilder(temporaryDirectory());
  const store = await builder.store();
  await builder.create(store, TASK);
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** In one transaction, as a step does it. */
async function append(store: Store, count: number): Promise<void> {
  await store.write(async (tx) => {
    for (let round = 0; round < count; round += 1) {
      await appendEvent(tx, TASK, { type: "task-paused", reason: `line\n${round}` }, { at: 1 });
    }
  });
}

const numbersIn = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Reads until the event of this number came. */
async function readUntil(stream: ReadableStream<Uint8Array>, last: number): Promise<number[]> {
  const numbers: number[] = [];
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    numbers.push(...numbersIn(chunk));
    if (numbers.includes(last)) break;
  }
  return numbers;
}

const correlation = { task: TASK, todo: null, step: null, request: null };
const something = { channel: "workflow.events", type: "task-paused", number: 1, at: 1, correlation } as const;
const never = new AbortController().signal;

test("many followers at different places get each event once and in order, while more are written", async () => {
  const store = await openStore();
  const news = await News.open(new LocalWire());
  const streams = new EventStreams({ store, news, maxStreams: 100 });
  await append(store, 1200);
  const starts = [0, 0, 1, 499, 500, 700, 1199, 1200];
  const reading = starts.map((after) => readUntil(streams.follow(TASK, after, never), 3000));
  for (let round = 0; round < 18; round += 1) {
    await append(store, 100);
    news.tell(something);
  }
  expect(await Promise.all(reading)).toEqual(starts.map((after) => upTo(3000, after + 1)));
});

test("a message that is lost loses nothing", async () => {
  const store = await openStore();
  const streams = new EventStreams({ store, news: await News.open(new LocalWire()), maxStreams: 1 });
  const reading = readUntil(streams.follow(TASK, 0, never), 5);
  await append(store, 5);
  expect(await reading).toEqual(upTo(5));
});

test("there are only so many streams; one that ends makes room, however it ends", async () => {
  const store = await openStore();
  const streams = new EventStreams({ store, news: await News.open(new LocalWire()), maxStreams: 2 });
  const stop = new AbortController();
  await append(store, 1);
  const first = streams.follow(TASK, 0, stop.signal).getReader();
  const second = streams.follow(TASK, 0, never).getReader();
  await Promise.all([first.read(), second.read()]);
  expect(() => streams.follow(TASK, 0, never)).toThrow("2 streams are open already");
  stop.abort();
  while (!(await first.read()).done);
  expect(streams.open).toBe(1);
  await second.cancel();
  await expect.poll(() => streams.open).toBe(0);
  expect(await readUntil(streams.follow(TASK, 0, never), 1)).toEqual([1]);
});

test("a follower that does not read takes no memory for what it has not read", async () => {
  const store = await openStore();
  const streams = new EventStreams({ store, news: await News.open(new LocalWire()), maxStreams: 1 });
  await append(store, 2000);
  const reader = streams.follow(TASK, 0, never).getReader();
  const { value } = await reader.read();
  const more = await reader.read();
  // The greeting, then one page; the rest stays in the database until it is asked for.
  expect(numbersIn(new TextDecoder().decode(value))).toEqual([]);
  expect(numbersIn(new TextDecoder().decode(more.value))).toEqual(upTo(500));
  await reader.cancel();
});
