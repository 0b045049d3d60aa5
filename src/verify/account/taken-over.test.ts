import { expect, test } from "vitest";
import { takenOver } from "./taken-over.ts";

const added = (name: string, path = "a.py") => ({ kind: "function", relation: "added", name, path }) as const;

test("a new name takes over where the file used what the language brings, or what it imports, by that name", () => {
  const old =
    "from datetime import datetime\n\ndef active(users):\n    return list(filter(None, users))\n\nNOW = datetime.now()\n";
  expect(takenOver(added("filter"), old)).toBe(4);
  expect(takenOver({ ...added("datetime"), kind: "import" }, old)).toBe(6);
  expect(takenOver(added("parseInt", "a.js"), "export const port = (text) => parseInt(text);\n")).toBe(1);
});

test("a new name takes over nothing that nobody said, that belongs to something else, or that was the file's own", () => {
  expect(takenOver(added("filter"), "def active(users):\n    return users.filter(None)\n")).toBeNull();
  expect(takenOver(added("total"), "def pay(total):\n    return total.amount\n")).toBeNull();
  expect(takenOver(added("max"), "# the max of all\nLIMIT = 3\n")).toBeNull();
  expect(takenOver({ ...added("filter"), relation: "changed" }, "x = filter(None, y)\n")).toBeNull();
  expect(takenOver(added("Shop.filter"), "x = filter(None, y)\n")).toBeNull();
  expect(takenOver(added("filter"), null)).toBeNull();
  expect(takenOver(added("helper"), "import helper as other\nx = helper(1)\n")).toBeNull();
});
