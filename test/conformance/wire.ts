import { expect, onTestFinished, test, vi } from "vitest";
import { News, type NewsItem } from "../../src/bus/news.ts";
import { Channel, type Wire } from "../../src/bus/wire.ts";

export interface TestWires {
  /** A wire as another process would open it: all of one test reach each other. */
  open(): Wire;
  /** Sends text that is none of ours, past the wire. */
  interfere?(channel: Channel, text: string): Promise<void>;
  /** Breaks all connections, or takes the server away and brings it back. */
  cut?(): Promise<void>;
}

const item = (number: number, channel: Channel = "workflow.events"): NewsItem => ({
  channel,
  type: "task-paused",
  number,
  at: number,
  correlation: { task: "t00000001", todo: null, step: "task/plan/1", request: "r1" },
});

/** News of one process, and what it heard on each channel. */
async function listener(wire: Wire): Promise<{ news: News; heard: NewsItem[]; numbers(): (number | null)[] }> {
  const news = await News.open(wire);
  onTestFinished(() => news[Symbol.asyncDispose]());
  const heard: NewsItem[] = [];
  for (const channel of Channel.options) news.listen(channel, (told) => heard.push(told));
  return { news, heard, numbers: () => heard.map(({ number }) => number) };
}

/** What every wire must do. */
export function wireConformance(wires: () => Promise<TestWires>): void {
  test("what one process tells, each of them hears once, in order and as it was told", async () => {
    const { open } = await wires();
    const [teller, other, third] = [await listener(open()), await listener(open()), await listener(open())];
    for (const number of [1, 2, 3, 4, 5]) teller.news.tell(item(number));
    expect(teller.numbers(), "at once").toEqual([1, 2, 3, 4, 5]);
    for (const { heard } of [other, third]) {
      await expect.poll(() => heard).toHaveLength(5);
      expect(heard).toEqual([1, 2, 3, 4, 5].map((number) => item(number)));
    }
    other.news.tell(item(6));
    await expect.poll(teller.numbers).toEqual([1, 2, 3, 4, 5, 6]);
    await expect.poll(third.numbers).toEqual([1, 2, 3, 4, 5, 6]);
    expect(other.numbers(), "nothing came back").toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("channels are told apart, and who has stopped listening hears nothing more", async () => {
    const { open } = await wires();
    const teller = await listener(open());
    const { news } = await listener(open());
    const heard: string[] = [];
    const stop = news.listen("audit.logs", ({ channel, number }) => heard.push(`${channel} ${number}`));
    for (const channel of Channel.options) teller.news.tell(item(1, channel));
    await expect.poll(() => heard).toEqual(["audit.logs 1"]);
    stop();
    const last = vi.fn();
    news.listen("workflow.events", last);
    teller.news.tell(item(2, "audit.logs"));
    teller.news.tell(item(3));
    await expect.poll(() => last.mock.calls).toEqual([[item(3)]]);
    expect(heard).toEqual(["audit.logs 1"]);
  });

  test("text that is none of ours is heard by nobody", async ({ skip }) => {
    const { open, interfere } = await wires();
    if (!interfere) return skip("nobody else is on this wire");
    const { news, numbers } = await listener(open());
    for (const text of ["", "no JSON", "{}", '{"channel":"workflow.events"}', "x".repeat(5000)]) {
      await interfere("workflow.events", text);
    }
    const other = await listener(open());
    other.news.tell(item(1));
    await expect.poll(numbers).toEqual([1]);
    news.tell(item(2));
    expect(numbers()).toEqual([1, 2]);
  });

  test("a connection that breaks is made again; telling meanwhile neither waits nor fails", async ({ skip }) => {
    const { open, cut } = await wires();
    if (!cut) return skip("there is no connection");
    const [teller, other] = [await listener(open()), await listener(open())];
    teller.news.tell(item(1));
    await expect.poll(other.numbers).toEqual([1]);
    const cutting = cut();
    teller.news.tell(item(2));
    expect(teller.numbers(), "who listens here hears it all the same").toEqual([1, 2]);
    await cutting;
    let number = 2;
    await expect
      .poll(
        () => {
          number += 1;
          teller.news.tell(item(number));
          return other.numbers().some((seen) => (seen ?? 0) > 2);
        },
        { timeout: 15_000, interval: 100 },
      )
      .toBe(true);
    const seen = other.numbers();
    expect(new Set(seen).size, "none twice").toBe(seen.length);
  });
}
