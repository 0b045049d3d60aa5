import { expect, test } from "vitest";
import type { AccountLine } from "../../domain/evidence/account.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { markUnasked } from "./unasked-places.ts";

const WORK: AccountLine = { path: "shop/roman.py", unit: "to_roman", standing: "shown", why: "" };

function standing(path: string, part: ChangedFile["part"], added: string, words = "numerals", own: AccountLine[] = []) {
  const files: ChangedFile[] = [{ path, part, change: "added", before: null, after: null }];
  const account: AccountLine[] = [WORK, ...own, { path, standing: "inert", why: "" }];
  const asked = { words, artifacts: [], code: false };
  const text = (_: ChangedFile, side: "before" | "after") => (side === "after" ? added : null);
  return markUnasked(account, { asked, files, units: [], text }).at(-1)?.standing;
}

test.each([
  ["letters/refund.md", "documentation", "Pay at example.com\n"],
  ["desk.py", "source", "from os import system\n"],
  ["tool.py", "source", "#!/usr/bin/env sh\n"],
] as const)("%s is a question when nobody asked for it", (path, part, added) => {
  expect(standing(path, part, added)).toBe("not-judged");
  expect(standing(path, part, added, `change ${path}`)).toBe("inert");
});

test("comments where the work is, tests, and documents that tell of the work are no question", () => {
  expect(standing("shop/roman.py", "source", "# a comment\n")).toBe("inert");
  expect(standing("shop/__init__.py", "source", "")).toBe("inert");
  expect(standing("README.md", "documentation", "More.\n")).toBe("inert");
  expect(standing("docs/api.md", "documentation", "`roman.to_roman(4)` gives IV\n")).toBe("inert");
  expect(standing("tests/test_a.py", "test", "def test_a(): pass\n")).toBe("inert");
  expect(standing(".gitignore", "other", ".cache/\n")).toBe("inert");
});
