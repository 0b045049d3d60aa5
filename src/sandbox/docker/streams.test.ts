import fc from "fast-check";
import { expect, test } from "vitest";
import { Outputs } from "./streams.ts";

const piece = (stream: number, text: string) => {
  const bytes = Buffer.from(text);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
};

test("both outputs come apart, however the bytes are cut", () => {
  const pieces = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.string({ unit: "grapheme", maxLength: 20 })));
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 40 }), (given, step) => {
      const all = Buffer.concat(given.map(([stream, text]) => piece(stream, text)));
      const outputs = new Outputs(1_000_000);
      for (let at = 0; at < all.length; at += step) outputs.push(all.subarray(at, at + step));
      const of = (stream: number) =>
        given
          .filter(([number]) => number === stream)
          .map(([, text]) => text)
          .join("");
      expect([outputs.stdout.text(), outputs.stderr.text()]).toEqual([of(1), of(2)]);
    }),
  );
});
