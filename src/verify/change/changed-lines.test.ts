import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { describeLines, toRanges } from "../../domain/evidence/line-range.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { changedLines, changedRanges } from "./changed-lines.ts";
import { longestCommonLines } from "./common-lines.ts";

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");

test("names the lines that are new or differ", () => {
  const before = text("a", "b", "c", "d", "e");
  expect(changedRanges(before, text("a", "x", "c", "d", "y", "z", "e"))).toEqual([
    { from: 2, to: 2 },
    { from: 5, to: 6 },
  ]);
  expect(changedRanges(before, before)).toEqual([]);
  expect(changedRanges("", text("a", "b"))).toEqual([{ from: 1, to: 2 }]);
  expect(changedRanges(text("a"), "")).toEqual([]);
});

test("lines that were only taken away are named by the next line that is left", () => {
  const before = text("def f():", "    if x:", "        return 0", "", "    return 1");
  expect(changedRanges(before, text("def f():", "", "    return 1"))).toEqual([{ from: 3, to: 3 }]);
  expect(changedRanges(text("a", "b", "c"), text("a", "b"))).toEqual([{ from: 2, to: 2 }]);
  expect(changedRanges(text("a", "", "b"), text("a", "b"))).toEqual([]);
});

test("how lines end, and whether the last one does, is no change", () => {
  expect(changedRanges("a\r\nb\r\n", "a\nb\n")).toEqual([]);
  expect(changedRanges("a\nb", "a\nb\n")).toEqual([]);
});

test("what is not named as changed is in the old text, in order, and as much of it as can be", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const kept = longestCommonLines(old, now);
      for (const [index, match] of kept.entries()) {
        expect(old[match.old]).toBe(now[match.now]);
        const before = kept[index - 1];
        if (before) expect(match.old > before.old && match.now > before.now).toBe(true);
      }
      expect(kept.length).toBe(mostCommon(old, now));
    }),
  );
});

test("a line in the middle of many is found at once", () => {
  const many = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
  const changed = many.with(25_000, "other");
  expect(changedRanges(text(...many), text(...changed))).toEqual([{ from: 25_001, to: 25_001 }]);
  const reversed = many.toReversed();
  expect(changedRanges(text(...many), text(...reversed))).toEqual([{ from: 1, to: 50_000 }]);
});

test("of two trees: added and modified text files; nothing of binary, deleted or re-moded ones", () => {
  const store = ArtifactStore.open(temporaryDirectory());
  const base = store.putTree("t0000001", (put) => ({
    entries: new Map(
      Object.entries({ "a.py": "a\nb\n", "gone.py": "x\n", "same.py": "s\n" }).map(([path, content]) => [
        path,
        { path, kind: "file", id: put(Buffer.from(content)), permissions: 0o644 } as const,
      ]),
    ),
    emptyDirectories: new Set<string>(),
  }));
  const changed = store.overlay("t0000001", store.withoutPaths("t0000001", base, ["gone.py"]), [
    { path: "a.py", content: "a\nc\n" },
    { path: "new.py", content: "n\n" },
    { path: "same.py", content: "s\n", permissions: 0o755 },
    { path: "image.png", content: new Uint8Array([137, 0, 1, 10]) },
  ]);
  expect(Object.fromEntries(changedLines(store, base, changed))).toEqual({
    "a.py": [{ from: 2, to: 2 }],
    "new.py": [{ from: 1, to: 1 }],
  });
  store.close();
});

test("of a file that was moved only what differs is changed", () => {
  const store = ArtifactStore.open(temporaryDirectory());
  const empty = store.putTree("t0000001", () => ({ entries: new Map(), emptyDirectories: new Set<string>() }));
  const base = store.overlay("t0000001", empty, [
    { path: "a.py", content: "a\nb\n" },
    { path: "old/c.py", content: "c\nd\n" },
  ]);
  const moved = store.overlay("t0000001", empty, [
    { path: "b.py", content: "a\nb\n" },
    { path: "new/c.py", content: "c\ne\n" },
    { path: "d.py", content: "f\n" },
  ]);
  expect(Object.fromEntries(changedLines(store, base, moved))).toEqual({
    "new/c.py": [{ from: 2, to: 2 }],
    "d.py": [{ from: 1, to: 1 }],
  });
  store.close();
});

test("lines read as a person writes them", () => {
  expect(describeLines(toRanges([3, 1, 2, 7, 7, 9, 10]))).toBe("1–3, 7, 9–10");
});

/** The slow and certain way. */
function mostCommon(old: string[], now: string[]): number {
  let row = new Array<number>(now.length + 1).fill(0);
  for (const line of old) {
    const next = [0];
    now.forEach((other, index) => {
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}
