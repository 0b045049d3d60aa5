import { expect, test } from "vitest";
import { leftGuard } from "./left-guards.ts";

const COUNTED = `def add(self, key):
    with self.lock:
        seen = self.seen.get(key, 0)
        self.seen[key] = seen + 1
`;

test("what stood within a lock and stands beside it is told, with the lock", () => {
  const read = `def add(self, key):
    seen = self.seen.get(key, 0)
    with self.lock:
        self.seen[key] = seen + 1
`;
  expect(leftGuard(COUNTED, read)).toEqual({ guard: "self.lock", word: "seen" });
  const checked = "def drop(known, key):\n    if key in known:\n        with LOCK:\n            del known[key]\n";
  const within = "def drop(known, key):\n    with LOCK:\n        if key in known:\n            del known[key]\n";
  expect(leftGuard(within, checked)).toMatchObject({ guard: "LOCK" });
  const awaited = "async def get(url):\n    async with gate:\n        return await fetch(url)\n";
  const later = "async def get(url):\n    async with gate:\n        answer = fetch(url)\n    return await answer\n";
  expect(leftGuard(awaited, later)).toEqual({ guard: "gate", word: "await" });
});

test("what stood within one block and stands within two is told", () => {
  const both = "def move(db, a, b):\n    with db:\n        db.take(a)\n        db.put(b)\n";
  const each = "def move(db, a, b):\n    with db:\n        db.take(a)\n    with db:\n        db.put(b)\n";
  expect(leftGuard(both, each)).toMatchObject({ guard: "db" });
  expect(leftGuard(both, `${both}    with db:\n        db.log(a)\n`)).toBeNull();
});

test("what goes into it, is written otherwise within it, or leaves a block that gives a name is none", () => {
  const read = COUNTED.replace("        seen = self.seen.get(key, 0)\n", "");
  expect(leftGuard(read, COUNTED)).toBeNull();
  const shorter = COUNTED.replace("        seen = self.seen.get(key, 0)\n", "").replace(
    "seen + 1",
    "self.seen.get(key, 0) + 1",
  );
  expect(leftGuard(COUNTED, shorter)).toBeNull();
  expect(leftGuard(COUNTED, `${COUNTED}    return key  # with self.lock\n`)).toBeNull();
  const given = `def add(self, key):
    with self.lock:
        seen = self.seen.get(key, 0) + 1
        self.seen[key] = seen
    return seen
`;
  expect(leftGuard(`${COUNTED}        return seen + 1\n`, given)).toBeNull();
  const opened = "def load(path):\n    with open(path) as file:\n        return parse(file.read())\n";
  const closed = "def load(path):\n    with open(path) as file:\n        text = file.read()\n    return parse(text)\n";
  expect(leftGuard(opened, closed)).toBeNull();
});
