import type { Socket } from "node:net";
import { BoundedOutput } from "../bounded-output.ts";
import type { Command } from "../sandbox.ts";

const HEADER = 8;
const STDERR = 2;

/** Splits the one stream in which an engine sends both outputs. Each piece has a header of eight bytes. */
export class Outputs {
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
  #header = Buffer.alloc(0);
  /** Of the piece that is being read. */
  #left = 0;
  #target: BoundedOutput;
  readonly #onOutput: Command["onOutput"];

  constructor(outputBytes: number, onOutput?: Command["onOutput"]) {
    this.#onOutput = onOutput;
    this.stdout = new BoundedOutput(outputBytes);
    this.stderr = new BoundedOutput(outputBytes);
    this.#target = this.stdout;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const piece = rest.subarray(0, this.#left);
        this.#target.push(piece);
        this.#onOutput?.(this.#target === this.stderr ? "stderr" : "stdout", piece);
        this.#left -= piece.length;
        rest = rest.subarray(piece.length);
        continue;
      }
      const missing = HEADER - this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.#header.length < HEADER) return;
      this.#target = this.#header[0] === STDERR ? this.stderr : this.stdout;
      this.#left = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
  }
}

/** Resolves when the streams are at their end. */
export function drain(socket: Socket, outputs: Outputs): Promise<void> {
  return new Promise((resolve) => {
    socket.on("data", (chunk: Buffer) => outputs.push(chunk));
    socket.on("error", () => {}); // a reset at the end of a killed container; its exit is what counts
    socket.once("close", () => resolve());
    socket.once("end", () => resolve());
  });
}
