import { chmodSync, lstatSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { scratch, writeFiles } from "../../test/awkward-tree.ts";
import { hashOnly } from "./content-sink.ts";
import { objectId } from "./git-objects.ts";
import { removeTree } from "./remove-tree.ts";
import { type ScanRules, scan } from "./scan.ts";
import { type DirectoryNode, type FileNode, stampOf, trusted } from "./stat-cache.ts";

const directory = scratch("cache");
afterAll(() => removeTree(directory));
const rules: ScanRules = { leaveOut: () => null, markers: false, opens: false, maxFiles: 1000, maxBytes: 1e9 };

/** As if the scan had happened that much later. */
function age(node: DirectoryNode, ms: number): void {
  for (const file of node.files.values()) file.checkedAt += ms;
  for (const child of node.directories.values()) age(child, ms);
}

it("trusts a file that was old when it was read, and no other", () => {
  writeFiles(directory, { "young.txt": "1" });
  const stats = lstatSync(join(directory, "young.txt"));
  const node: FileNode = {
    kind: "file",
    id: objectId("blob", Buffer.from("1")),
    permissions: 0o644,
    size: 1,
    stamp: stampOf(stats),
    checkedAt: stats.ctimeMs + 1000,
    pointer: false,
    secret: false,
  };
  expect(trusted(node, stats)).toBe(node);
  // A write in the same tick would leave the same times: what was read right after a write is read again.
  expect(trusted({ ...node, checkedAt: stats.ctimeMs + 5 }, stats)).toBe(null);
  expect(trusted({ ...node, checkedAt: stats.ctimeMs - 5 }, stats)).toBe(null);
  // On a file system with whole seconds a tick is long.
  const coarse = Object.assign(lstatSync(join(directory, "young.txt")), { ctimeMs: 5000 });
  const coarseNode = { ...node, stamp: stampOf(coarse) };
  expect(trusted({ ...coarseNode, checkedAt: 6000 }, coarse)).toBe(null);
  expect(trusted({ ...coarseNode, checkedAt: 8000 }, coarse)).not.toBe(null);
  for (const change of [{ ino: 1 }, { size: 2 }, { mode: 0o100600 }, { mtimeMs: 1 }, { ctimeMs: 1 }]) {
    expect(trusted(node, Object.assign(lstatSync(join(directory, "young.txt")), change))).toBe(null);
  }
});

it("reads again only what changed", async () => {
  writeFiles(directory, { "a/1": "1", "a/2": "2", "b/c/3": "3" });
  let read = 0;
  const blob = (content: Buffer): string => {
    read += 1;
    return objectId("blob", content);
  };
  const sink = { ...hashOnly(objectId), blob };
  const first = await scan(directory, null, rules, sink);
  expect(read).toBe(first.fileCount);
  age(first, 1000);
  read = 0;
  const second = await scan(directory, first, rules, sink);
  expect(read).toBe(0);
  expect(second.tree).toBe(first.tree);
  age(second, 1000);
  writeFileSync(join(directory, "b/c/3"), "changed");
  const third = await scan(directory, second, rules, sink);
  expect(read).toBe(1);
  expect(third.directories.get("a")?.tree).toBe(first.directories.get("a")?.tree);
  expect(third.tree).not.toBe(first.tree);
});

it("sees in a directory of known files what is new, gone, renamed, of another kind, or left out now", async () => {
  const inside = join(directory, "known");
  const sink = hashOnly(objectId);
  const changes: [string, () => void, ScanRules?][] = [
    ["nothing", () => {}],
    ["content", () => writeFileSync(join(inside, "1"), "other")],
    ["a mode", () => chmodSync(join(inside, "1"), 0o600)],
    ["a new file", () => writeFileSync(join(inside, "3"), "3")],
    ["a file that is gone", () => rmSync(join(inside, "2"))],
    ["another name", () => renameSync(join(inside, "1"), join(inside, "other"))],
    ["a link in the place of a file", () => [rmSync(join(inside, "2")), symlinkSync("1", join(inside, "2"))]],
    ["a secret's name", () => renameSync(join(inside, "2"), join(inside, ".env"))],
    ["a rule", () => {}, { ...rules, leaveOut: (path) => (path === "known/2" ? "ignored" : null) }],
  ];
  for (const [what, change, now = rules] of changes) {
    rmSync(inside, { recursive: true, force: true });
    writeFiles(directory, { "known/1": "1", "known/2": "2" });
    const before = await scan(directory, null, rules, sink);
    age(before, 1000);
    change();
    const known = await scan(directory, before, now, sink);
    const anew = await scan(directory, null, now, sink);
    const [a, b] = [known, anew].map((node) => node.directories.get("known"));
    expect([a?.tree, a?.fileCount, a?.bytes, a?.leftOut], what).toEqual([b?.tree, b?.fileCount, b?.bytes, b?.leftOut]);
    expect(a === before.directories.get("known"), what).toBe(what === "nothing");
  }
});
