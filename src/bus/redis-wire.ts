import { createClient } from "@redis/client";
import { Channel, type Wire } from "./wire.ts";

/** How long it waits before it looks for a server that went away, at most. */
const LONGEST_PAUSE_MS = 2000;

/** A wire over Redis' channels. A server that goes away and comes back is used again. */
export class RedisWire implements Wire {
  readonly #sender;
  readonly #receiver;

  /** Nothing is opened before it is used. */
  constructor(url: string, report: (error: unknown) => void) {
    const reconnectStrategy = (tries: number) => Math.min(50 * 2 ** tries, LONGEST_PAUSE_MS);
    // What cannot be sent now is old when it can be: it is not kept.
    this.#sender = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy } });
    this.#receiver = createClient({ url, socket: { reconnectStrategy } });
    const once = firstOnly(report);
    for (const client of [this.#sender, this.#receiver]) {
      client.on("error", once.report);
      client.on("ready", once.again);
    }
  }

  send(channel: Channel, text: string): void {
    if (!this.#sender.isOpen) void this.#sender.connect().catch(() => {});
    else if (this.#sender.isReady) void this.#sender.publish(channel, text).catch(() => {});
  }

  /** Does not wait for a server that is away: followers look at the database meanwhile. */
  async receive(listener: (channel: string, text: string) => void): Promise<void> {
    const heard = Promise.withResolvers<void>();
    // Subscriptions are made again by the client after each reconnection.
    this.#receiver.once("error", () => heard.resolve());
    void this.#receiver
      .connect()
      .then(() => this.#receiver.subscribe(Channel.options, (text, channel) => listener(channel, text)))
      .then(() => this.#sender.connect())
      .then(() => heard.resolve())
      .catch(() => heard.resolve());
    await heard.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of [this.#sender, this.#receiver]) if (client.isOpen) client.destroy();
  }
}

/** A server that is away is reported once, not at every look for it. */
function firstOnly(report: (error: unknown) => void) {
  let isTold = false;
  return {
    report: (error: unknown) => {
      if (!isTold) report(error);
      isTold = true;
    },
    again: () => {
      isTold = false;
    },
  };
}
