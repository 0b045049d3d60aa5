import fc from "fast-check";
import { expect, test } from "vitest";
import { Highlighter } from "./highlight.ts";

const shown = (path: string, ...lines: string[]) => {
  const highlighter = new Highlighter(path);
  return lines.map((line) =>
    highlighter
      .line(line)
      .filter(({ kind }) => kind !== "plain")
      .map(({ kind, text }) => `${kind}:${text}`),
  );
};

test("keywords, calls, strings, numbers and comments are told apart", () => {
  expect(shown("a.py", 'return total(x, 2) + "a # b"  # c')).toEqual([
    ["keyword:return", "call:total", "number:2", 'string:"a # b"', "comment:# c"],
  ]);
  expect(shown("a.ts", "const url = 'http://x'; // y")).toEqual([
    ["keyword:const", "string:'http://x'", "comment:// y"],
  ]);
});

test("what began on one line ends on another", () => {
  expect(shown("a.py", '"""words', "if this", 'end""" if x')).toEqual([
    ['string:"""words'],
    ["string:if this"],
    ['string:end"""', "keyword:if"],
  ]);
});

test("a file of an unknown kind has no colours", () => {
  expect(shown("LICENSE", "return 1")).toEqual([[]]);
});

test("no text is lost, whatever it is", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.constantFrom("a.py", "a.ts", "a.go", "a.json"),
      (lines, path) => {
        const highlighter = new Highlighter(path);
        for (const line of lines)
          expect(
            highlighter
              .line(line)
              .map(({ text }) => text)
              .join(""),
          ).toBe(line);
      },
    ),
  );
});
