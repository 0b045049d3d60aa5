import { expect, test } from "vitest";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { withSent } from "./sent-tests.ts";

const file = (path: string, content: string): TestFile => ({
  path,
  content,
  todo: "add",
  covers: [{ test: "test_adds", requirement: "R1" }],
});
const kept = [file("a.py", "one\ntwo\n"), file("b.py", "three\n")];

test("a file that is sent again takes the place of the one before; the others stay", () => {
  expect(withSent(kept, { files: [file("b.py", "four\n")] })).toEqual({ files: [kept[0], file("b.py", "four\n")] });
});

test("an edit changes one place of a kept file, and its tests still cover what they did", () => {
  const sent = withSent(kept, { files: [], edits: [{ path: "a.py", oldText: "two", newText: "2" }] });
  expect(sent).toEqual({ files: [file("a.py", "one\n2\n"), kept[1]] });
});

test("an edit of a file that was never sent, or of text that is not there, is told", () => {
  const edit = (path: string, oldText: string) =>
    withSent(kept, { files: [], edits: [{ path, oldText, newText: "" }] });
  expect(edit("c.py", "one")).toEqual({ problem: expect.stringContaining("c.py was not sent before") });
  expect(edit("a.py", "nowhere")).toEqual({ problem: expect.stringContaining("a.py") });
});
