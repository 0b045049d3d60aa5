import { expect, test } from "vitest";
import { promptText } from "./prompt-text.ts";

const link = (uri: string) => ({ type: "resource_link" as const, name: "x", uri });
const words = (text: string) => ({ type: "text" as const, text });

test("files that a person points to are named where they stand in the words, below the directory as paths in it", () => {
  const blocks = [
    words("mend "),
    link("file:///home/me/shop/src/a%20b.py"),
    words(", as in "),
    link("file:///etc/x.md"),
    words("!"),
  ];
  expect(promptText(blocks, "/home/me/shop")).toBe("mend src/a b.py, as in /etc/x.md!");
});

test("what is no file stays as it was given, and pictures are left out", () => {
  const picture = { type: "image" as const, data: "", mimeType: "image/png" };
  expect(promptText([link("https://example.com/x"), picture, link("no uri")], "/a")).toBe(
    "https://example.com/xno uri",
  );
});
