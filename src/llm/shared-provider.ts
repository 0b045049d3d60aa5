import { randomUUID } from "node:crypto";
import type { Store } from "../store/store.ts";

export interface SharedParts {
  store: Store;
  now(): number;
  /** Settles as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
}

export interface Asking {
  /** The most requests that all tasks on this database have under way at once; undefined: any number. */
  atOnce: number | undefined;
  /** A slot is free after this time, whatever became of its process. */
  longestMs: number;
  signal: AbortSignal;
  onNotice?: ((line: string) => void) | undefined;
}

/** How long one waits before it looks for a free slot again: from a half of it to all of it. */
const LOOK_MS = 400;

/** Those who waited for the same pause to end do not all come back in the same moment. */
const SPREAD_MS = 1000;

/**
 * What all tasks on one database know of a provider: until when it wants to be left alone, and how many requests are under
 * way. So many workers meet a rate limit once, and not each of them by itself.
 */
export class SharedProvider {
  readonly #parts: SharedParts;
  readonly #name: string;

  constructor(parts: SharedParts, name: string) {
    this.#parts = parts;
    this.#name = name;
  }

  /** Returns when a request may be sent. Disposing of what it returns ends the request. */
  async enter({ atOnce, longestMs, signal, onNotice }: Asking): Promise<AsyncDisposable> {
    const { sleep, random } = this.#parts;
    for (let look = 0; ; look += 1) {
      signal.throwIfAborted();
      const pauseMs = await this.#pauseLeft();
      if (pauseMs > 0) {
        const waitMs = pauseMs + Math.floor(random() * SPREAD_MS);
        onNotice?.(`${this.#name} asked for a pause: the next request leaves in ${Math.ceil(waitMs / 1000)} s`);
        await sleep(waitMs, signal);
        continue;
      }
      if (atOnce === undefined) return { [Symbol.asyncDispose]: async () => {} };
      const slot = await this.#take(atOnce, longestMs);
      if (slot) return slot;
      if (look === 0) onNotice?.(`${this.#name} has ${atOnce} requests under way: this one waits for a free slot`);
      await sleep(LOOK_MS / 2 + Math.floor((random() * LOOK_MS) / 2), signal);
    }
  }

  /** Nobody asks it for so long. */
  async pause(ms: number): Promise<void> {
    const { store, now } = this.#parts;
    const row = { provider: this.#name, until: now() + ms };
    await store.write(
      (tx) =>
        tx
          .insertInto("provider_pauses")
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column("provider")
              .doUpdateSet({ until: row.until })
              .where("provider_pauses.until", "<", row.until),
          )
          .execute(),
      { durable: false },
    );
  }

  async #pauseLeft(): Promise<number> {
    const { store, now } = this.#parts;
    const row = await store.read
      .selectFrom("provider_pauses")
      .select("until")
      .where("provider", "=", this.#name)
      .executeTakeFirst();
    return row === undefined ? 0 : Number(row.until) - now();
  }

  /** Null: all are taken. */
  async #take(atOnce: number, longestMs: number): Promise<AsyncDisposable | null> {
    const { store, now } = this.#parts;
    const holder = randomUUID();
    const provider = this.#name;
    const taken = await store.read
      .selectFrom("provider_slots")
      .select("slot")
      .where("provider", "=", provider)
      .where("until", ">", now())
      .execute();
    const busy = new Set(taken.map(({ slot }) => slot));
    const free = Array.from({ length: atOnce }, (_, slot) => slot).filter((slot) => !busy.has(slot));
    for (const slot of free) {
      // One conditional write: whoever else saw the same slot free is told no here.
      const { numInsertedOrUpdatedRows } = await store.write(
        (tx) =>
          tx
            .insertInto("provider_slots")
            .values({ provider, slot, holder, until: now() + longestMs })
            .onConflict((conflict) =>
              conflict
                .columns(["provider", "slot"])
                .doUpdateSet({ holder, until: now() + longestMs })
                .where("provider_slots.until", "<=", now()),
            )
            .executeTakeFirstOrThrow(),
        { durable: false },
      );
      if (numInsertedOrUpdatedRows === 1n) return { [Symbol.asyncDispose]: () => this.#leave(slot, holder) };
    }
    return null;
  }

  async #leave(slot: number, holder: string): Promise<void> {
    await this.#parts.store.write(
      (tx) =>
        tx
          .updateTable("provider_slots")
          .set({ until: 0 })
          .where("provider", "=", this.#name)
          .where("slot", "=", slot)
          .where("holder", "=", holder)
          .execute(),
      { durable: false },
    );
  }
}
