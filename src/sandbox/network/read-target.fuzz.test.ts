import fc from "fast-check";
import { expect, test } from "vitest";
import { readTarget } from "./read-target.ts";

const piece = fc.constantFrom(
  ...[
    "example",
    ".",
    "org",
    ":",
    "80",
    "8080",
    "@",
    "/",
    "\\",
    "?",
    "#",
    "[",
    "]",
    "::1",
    "127.0.0.1",
    "0x7f",
    "%2e",
    "%40",
  ],
  ...["user", "..", " ", "\t", "1", "http://", "EXAMPLE", "ｅ", "。", "-", "_", "0177", ";", "&", "=", "\u0000"],
);
const address = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));

test("where a request is let go is where every other reader of its address would go", () => {
  let understood = 0;
  fc.assert(
    fc.property(address, (rest) => {
      const url = `http://${rest}`;
      const host = /^[^/?]*/.exec(rest)?.[0] ?? "";
      const target = readTarget({ method: "GET", url, rawHeaders: ["Host", host] });
      if (!target.ok) return;
      understood += 1;
      const other = new URL(url);
      expect([target.host, target.port]).toEqual([other.hostname.replace(/\.$/, ""), Number(other.port || 80)]);
      expect([other.username, other.password]).toEqual(["", ""]);
    }),
    { numRuns: 5_000, seed: 7, examples: [["example.org/a"], ["example.org.:8080?x"], ["[::1]/"]] },
  );
  expect(understood).toBeGreaterThan(100);
});
