import { createServer, type ServerResponse } from "node:http";
import { serve } from "@hono/node-server";
import { News } from "../src/bus/news.ts";
import { LocalWire } from "../src/bus/wire.ts";
import { appendEvent } from "../src/journal/append-event.ts";
import { EventStreams } from "../src/server/events/event-streams.ts";
import { newsOfEvent } from "../src/server/events/news-of-event.ts";
import { JournalBuilder } from "../test/journal-builder.ts";

/*
 * A process of its own for `measure-followers.ts`: a server of events, ours or the least that can be. It is told to begin,
 * makes so many events a second for so long, and tells how much memory it took.
 */

const [kind = "", directory = "", rate = "", seconds = ""] = process.argv.slice(2);
const TASK = "t00000001";

interface Events {
  port: number;
  make(number: number): Promise<void>;
}

const events = kind === "bare" ? await bare() : await ours();
process.send?.({ port: events.port });
process.once("message", () => void makeAll());

async function makeAll(): Promise<void> {
  const start = performance.now();
  const wanted = Number(rate) * Number(seconds);
  let made = 0;
  while (made < wanted) {
    const due = Math.min(wanted, Math.floor(((performance.now() - start) / 1000) * Number(rate)));
    while (made < due) {
      made += 1;
      await events.make(made);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  process.send?.({ rss: process.memoryUsage().rss, tookMs: performance.now() - start });
}

/** Journal, database, one reader for all followers: what `miracle serve` does behind its checks. */
async function ours(): Promise<Events> {
  const builder = new JournalBuilder(directory);
  const store = await builder.store();
  await builder.create(store, TASK);
  const news = await News.open(new LocalWire());
  const streams = new EventStreams({ store, news, maxStreams: 256 });
  const fetch = ({ signal }: Request) =>
    new Response(streams.follow(TASK, 0, signal), { headers: { "content-type": "text/event-stream" } });
  const port = await new Promise<number>((resolve) => {
    serve({ fetch, hostname: "127.0.0.1", port: 0 }, (address) => resolve(address.port));
  });
  const make = async () => {
    const at = Date.now();
    const event = await store.write(
      (tx) => appendEvent(tx, TASK, { type: "task-paused", reason: "so that there is something to tell" }, { at }),
      { durable: false },
    );
    if (event) for (const item of newsOfEvent(event)) news.tell(item);
  };
  return { port, make };
}

/** Writes each event to every follower, and keeps none. */
async function bare(): Promise<Events> {
  const followers = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 1000\n\n");
    followers.add(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const make = async (number: number) => {
    const body = { type: "task-paused", reason: "so that there is something to tell" };
    const data = JSON.stringify({ task: TASK, number, at: Date.now(), step: "", ...body });
    for (const follower of followers) follower.write(`id: ${number}\nevent: task-paused\ndata: ${data}\n\n`);
  };
  return { port: typeof address === "object" && address ? address.port : 0, make };
}
