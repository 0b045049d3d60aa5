import { Transform } from "node:stream";

/** All bytes that went through a proxy, in both directions, against one limit. */
export class Traffic {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isUsedUp(): boolean {
    return this.#bytes >= this.#limit;
  }

  /** A stream that lets bytes through as long as the limit is not reached, and then breaks. */
  count(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#limit) done(new Error("the limit of bytes is reached"));
        else done(null, chunk);
      },
    });
  }
}
