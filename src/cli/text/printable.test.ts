import fc from "fast-check";
import { expect, test } from "vitest";
import { fit, printable, widthOf } from "./printable.ts";

test("takes away what could move the cursor, clear the screen or turn the text around", () => {
  expect(printable("a\u001b[2Jb\u0007c\rd\u202ee\u009b1mf")).toBe("a[2Jbc de1mf");
});

test("leaves no control character of any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !/\p{Cc}/u.test(printable(text))));
});

test("counts the columns of wide and combining characters", () => {
  expect(widthOf("abc")).toBe(3);
  expect(widthOf("日本")).toBe(4);
  expect(widthOf("🚀")).toBe(2);
  expect(widthOf("e\u0301")).toBe(1);
});

test("never lets a cut text be wider than asked", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, columns) => widthOf(fit(text, columns)) <= columns),
  );
});

test("leaves a text alone that fits", () => {
  expect(fit("exactly", 7)).toBe("exactly");
  expect(fit("too long", 7)).toBe("too lo…");
});
