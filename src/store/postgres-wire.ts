import { setTimeout as delay } from "node:timers/promises";
import { Channel, type Wire } from "../bus/wire.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { openListener } from "./postgres-client.ts";
import type { ListeningSession } from "./postgres-session.ts";

const LONGEST_PAUSE_MS = 2000;

/** A server that is slower than this loses messages, and nobody waits for it. */
const MOST_UNSENT = 1000;

/** A wire over LISTEN and NOTIFY, with a session of its own. A server that goes away and comes back is used again. */
export class PostgresWire implements Wire {
  readonly #open: () => Promise<ListeningSession>;
  readonly #ended = new AbortController();
  #listener: ((channel: string, text: string) => void) | undefined;
  #session: ListeningSession | undefined;
  #last: Promise<void> = Promise.resolve();
  #unsent = 0;

  constructor(url: string) {
    const address = parsePostgresAddress(url);
    this.#open = () => openListener(address);
  }

  send(channel: Channel, text: string): void {
    const session = this.#session;
    if (!session || this.#unsent >= MOST_UNSENT) return;
    this.#unsent += 1;
    // One after the other: a session takes one query at a time.
    this.#last = this.#last
      .then(async () => void (await session.query("select pg_notify($1, $2)", [channel, text])))
      .catch(() => {})
      .finally(() => {
        this.#unsent -= 1;
      });
  }

  async receive(listener: (channel: string, text: string) => void): Promise<void> {
    this.#listener = listener;
    await this.#connect().catch(() => this.#reconnect());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#session?.close();
  }

  async #connect(): Promise<void> {
    const session = await this.#open();
    session.onNotification((channel, text) => this.#listener?.(channel, text));
    session.onLost(() => this.#reconnect());
    await session.script(Channel.options.map((channel) => `listen "${channel}"`).join(";"));
    this.#session = session;
    if (this.#ended.signal.aborted) await session.close();
  }

  /** In the background, until it is there again. */
  #reconnect(): void {
    this.#session = undefined;
    void (async () => {
      for (let pause = 50; !this.#ended.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        await delay(pause, undefined, { ref: false });
        const isBack = await this.#connect().then(
          () => true,
          () => false,
        );
        if (isBack) return;
      }
    })();
  }
}
