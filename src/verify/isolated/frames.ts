/*
 * Tests in one sandbox, the program they start in another. A shim of ours stands at the program's place where the tests
 * are, a runner of ours starts the program where it is, and the two talk in frames. Both are sent as the text of their
 * functions: those may use nothing but their parameters, globals and `process.getBuiltinModule`.
 */

type FrameKind =
  | "stdin"
  | "stdout"
  | "stderr"
  | "signal"
  | "exit"
  /** Something listens here: `host port`. */
  | "listen"
  | "unlisten"
  /** The four of a connection: it begins, carries bytes, ends in one direction, breaks off. */
  | "connect"
  | "data"
  | "end"
  | "break";

export interface Frame {
  kind: FrameKind;
  /** Which connection it is about; 0: none. */
  channel: number;
  payload: Buffer;
}

export type Send = (kind: FrameKind, channel: number, payload?: Buffer | string) => void;

interface Frames {
  encode(kind: FrameKind, channel: number, payload: Buffer | string): Buffer;
  /** Takes bytes as they come; frames are handed on one after the other, each when the one before is dealt with. */
  push(chunk: Buffer): void;
}

/** Nine bytes before each payload: kind, channel, length. */
export function openFrames(onFrame: (frame: Frame) => void | Promise<void>): Frames {
  const kinds: FrameKind[] = [
    "stdin",
    "stdout",
    "stderr",
    "signal",
    "exit",
    "listen",
    "unlisten",
    "connect",
    "data",
    "end",
    "break",
  ];
  const HEAD = 9;
  let rest = Buffer.alloc(0);
  let before: Promise<void> = Promise.resolve();
  return {
    encode(kind, channel, payload) {
      const body = typeof payload === "string" ? Buffer.from(payload) : payload;
      const head = Buffer.alloc(HEAD);
      head.writeUInt8(kinds.indexOf(kind), 0);
      head.writeUInt32BE(channel, 1);
      head.writeUInt32BE(body.length, 5);
      return Buffer.concat([head, body]);
    },
    push(chunk) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEAD && rest.length >= HEAD + rest.readUInt32BE(5)) {
        const end = HEAD + rest.readUInt32BE(5);
        const kind = kinds[rest.readUInt8(0)];
        const frame = kind && { kind, channel: rest.readUInt32BE(1), payload: rest.subarray(HEAD, end) };
        rest = rest.subarray(end);
        if (frame) before = before.then(() => onFrame(frame));
      }
    },
  };
}
