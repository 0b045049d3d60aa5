import { expect, test } from "vitest";
import { fenced, resultText, withoutImages } from "./markdown.ts";

test("nothing breaks out of a fence", () => {
  expect(fenced("a", "diff")).toBe("```diff\na\n```");
  expect(fenced("a\n````\n![x](http://x)")).toBe("`````\na\n````\n![x](http://x)\n`````");
});

test("an image is no image any more", () => {
  expect(withoutImages("see ![x](http://x/?secret) and [a](b)")).toBe("see ! [x](http://x/?secret) and [a](b)");
});

test("of a result the verdict stands first", () => {
  expect(resultText("  used 2\n  next\nproven: ![all]\n")).toBe("proven: ! [all]\n\n```\n  used 2\n  next\n```");
  expect(resultText("stopped")).toBe("stopped");
});
