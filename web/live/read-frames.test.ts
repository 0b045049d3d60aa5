import { expect, test } from "vitest";
import { FrameReader } from "./read-frames.ts";

const event = (number: number) => ({ task: "t00000001", number, at: 1, step: "", type: "task-paused", reason: "\n\n" });
const frame = (number: number) => `id: ${number}\nevent: task-paused\ndata: ${JSON.stringify(event(number))}\n\n`;

test("events are read one by one, however the text is cut", () => {
  const text = `retry: 1000\n\n${frame(1)}:\n\n${frame(2)}`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const reader = new FrameReader();
    expect([...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))]).toEqual([event(1), event(2)]);
  }
});

test("half an event is none yet", () => {
  const reader = new FrameReader();
  expect(reader.push(frame(1).slice(0, -1))).toEqual([]);
  expect(reader.push("\n")).toEqual([event(1)]);
});
