import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedOutput } from "./bounded-output.ts";

const collect = (capacity: number, chunks: Buffer[]) => {
  const output = new BoundedOutput(capacity);
  for (const chunk of chunks) output.push(chunk);
  return output;
};

test("keeps short output as it is", () => {
  const output = collect(100, [Buffer.from("hello "), Buffer.from("world")]);
  expect(output.text()).toBe("hello world");
  expect(output.truncated).toBe(false);
});

test("keeps output that just fills it, whatever the chunks", () => {
  const output = collect(10, [Buffer.from("01234567"), Buffer.from("89")]);
  expect(output.text()).toBe("0123456789");
  expect(output.truncated).toBe(false);
});

test("says how much of the middle is missing", () => {
  const output = collect(10, [Buffer.from("abcdefghij"), Buffer.from("klmnopqrstuvwxyz")]);
  expect(output.text()).toBe("abcde\n[… 16 of 26 bytes of output left out …]\nvwxyz");
  expect(output.truncated).toBe(true);
});

test("never cuts through a character", () => {
  const output = collect(10, [Buffer.from("ééééééééé")]);
  expect(output.text()).toBe("éé\n[… 10 of 18 bytes of output left out …]\néé");
});

test("head and tail are those of the whole stream for any chunks", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", "0", "1"), maxLength: 30 }), { maxLength: 12 }),
      (capacity, texts) => {
        const whole = texts.join("");
        const text = collect(
          capacity,
          texts.map((part) => Buffer.from(part)),
        ).text();
        if (whole.length <= capacity) return text === whole;
        const head = whole.slice(0, Math.ceil(capacity / 2));
        const tail = whole.slice(whole.length - Math.floor(capacity / 2));
        return text.startsWith(`${head}\n[…`) && text.endsWith(`…]\n${tail}`);
      },
    ),
  );
});
