import { expect, onTestFinished, test } from "vitest";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { News } from "../../bus/news.ts";
import { LocalWire } from "../../bus/wire.ts";
import { appendEvent } from "../../journal/append-event.ts";
import { EventTail } from "./event-tail.ts";

const TASK = "t00000001";
const never = new AbortController().signal;

test("whatever a follower has seen, the next event it gets is the one after it", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  const store = await builder.store();
  onTestFinished(() => store[Symbol.asyncDispose]());
  await builder.create(store, TASK);
  const news = await News.open(new LocalWire());
  using tail = await EventTail.open(store, news, TASK);
  await store.write(async (tx) => {
    for (let round = 0; round < 1500; round += 1) {
      await appendEvent(tx, TASK, { type: "task-paused", reason: String(round) }, { at: 1 });
    }
  });
  const correlation = { task: TASK, todo: null, step: null, request: null };
  news.tell({ channel: "workflow.events", type: "task-paused", number: 1500, at: 1, correlation });
  expect(await tail.changed(1499, 60_000, never)).toBe(true);
  // The newest thousand are kept, from 501 on: before, at and behind that border.
  for (const seen of [0, 1, 498, 499, 500, 501, 502, 1000, 1499]) {
    const frames = await tail.after(seen);
    expect(frames[0]?.number).toBe(seen + 1);
    expect(frames.at(-1)?.number).toBe(seen + frames.length);
  }
  expect(await tail.after(1500)).toEqual([]);
  expect(await tail.changed(1500, 1, never)).toBe(false);
});
