import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeAwkwardTree, problemsIn, systemGit, writeFiles } from "../../test/awkward-tree.ts";
import { scratchDirectories } from "../../test/scratch-directories.ts";
import { ArtifactStore } from "./artifact-store.ts";

const directory = scratchDirectories();

let tree: string;
let store: ArtifactStore;
beforeEach(() => {
  tree = directory("tree");
  store = ArtifactStore.open(directory("data"));
});
const take = async (): Promise<string> => (await store.snapshot("t1", tree)).id;
const over = (id: string, files: Record<string, string>): string =>
  store.overlay(
    "t1",
    id,
    Object.entries(files).map(([path, content]) => ({ path, content })),
  );

describe("changes and diff", () => {
  it("name what was added, modified, deleted, or only changed its mode", async () => {
    makeAwkwardTree(tree, "/nonexistent");
    const before = await take();
    writeFiles(tree, { "crlf.txt": "changed\n", "new/file": "1" });
    rmSync(join(tree, "a"), { recursive: true });
    chmodSync(join(tree, "run.sh"), 0o644);
    chmodSync(join(tree, "private.conf"), 0o640);
    rmSync(join(tree, "link"));
    symlinkSync("elsewhere", join(tree, "link"));
    const after = await take();
    expect(store.changes(before, after).map(({ path, change }) => `${change} ${path}`)).toEqual([
      "deleted a/x",
      "modified crlf.txt",
      "modified link",
      "added new/file",
      "mode private.conf",
      "mode run.sh",
    ]);
    expect(store.changes(before, before)).toEqual([]);
    expect(store.changes(before, after)[4]).toMatchObject({
      before: { permissions: 0o600 },
      after: { permissions: 0o640 },
    });
    const diff = await store.diff(before, after);
    expect(diff).toContain("-one\r\n-two\r\n+changed\n");
    expect(diff).toContain("deleted file mode 100644");
    expect(await store.diff(before, before)).toBe("");
  });

  it("see a file trade places with a directory", async () => {
    const empty = await take();
    const before = over(empty, { x: "file", "y/inside": "1" });
    const after = over(store.withoutPaths("t1", before, ["x", "y"]), { "x/inside": "1", y: "file" });
    expect(store.changes(before, after).map(({ path, change }) => `${change} ${path}`)).toEqual([
      "deleted x",
      "added x/inside",
      "added y",
      "deleted y/inside",
    ]);
  });
});

describe("overlay and withoutPaths", () => {
  it("make the snapshot that the same files on disk would make", async () => {
    makeAwkwardTree(tree, "/nonexistent");
    const base = await take();
    const overlaid = store.overlay("t1", base, [
      { path: "tests/test_new.py", content: "1" },
      { path: "run.sh", content: "#!/bin/bash\n" },
      { path: "empty/inner/file", content: Buffer.from([0, 255]) },
      { path: "a", content: "a file in the place of a directory" },
    ]);
    rmSync(join(tree, "a"), { recursive: true });
    writeFiles(tree, {
      "tests/test_new.py": "1",
      "run.sh": "#!/bin/bash\n",
      "empty/inner/file": Buffer.from([0, 255]),
    });
    writeFiles(tree, { a: "a file in the place of a directory" });
    expect(overlaid).toBe(await take());
    expect(store.overlay("t1", base, [])).toBe(base);
    const without = store.withoutPaths("t1", overlaid, ["nested", "crlf.txt", "empty"]);
    for (const path of ["nested", "crlf.txt", "empty"]) rmSync(join(tree, path), { recursive: true });
    expect(without).toBe(await take());
  });

  it("refuse paths that no snapshot holds", async () => {
    const base = await take();
    for (const path of ["../x", "/x", ".git/config", "node_modules/x", ".env", "a//b", ""]) {
      expect(() => over(base, { [path]: "x" })).toThrow(/another path/);
    }
  });
});

describe("merge", () => {
  const lines = (...changed: [number, string][]): string => {
    const all = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    for (const [at, text] of changed) all[at] = text;
    return `${all.join("\n")}\n`;
  };

  it("joins what two sides did, in different files and in different lines of one", async () => {
    const base = over(await take(), { "both.txt": lines(), "gone.txt": "1", "theirs.txt": "1" });
    const ours = over(store.withoutPaths("t1", base, ["gone.txt"]), {
      "both.txt": lines([1, "ours"]),
      "new-ours": "1",
    });
    const theirs = over(base, { "both.txt": lines([18, "theirs"]), "theirs.txt": "2", "new/theirs": "1" });
    const expected = over(ours, {
      "both.txt": lines([1, "ours"], [18, "theirs"]),
      "theirs.txt": "2",
      "new/theirs": "1",
    });
    expect(await store.merge("t1", base, ours, theirs)).toEqual({ id: expected });
    expect(await store.merge("t1", base, base, theirs)).toEqual({ id: theirs });
  });

  it("names what both sides changed in ways that do not fit", async () => {
    const base = over(await take(), { "same-line": lines(), "edited-and-gone": "1", binary: "a\0b" });
    const ours = over(store.withoutPaths("t1", base, ["edited-and-gone"]), {
      "same-line": lines([5, "ours"]),
      binary: "a\0ours",
      "new-both": "ours",
      place: "a file",
    });
    const theirs = over(base, {
      "same-line": lines([5, "theirs"]),
      binary: "a\0theirs",
      "edited-and-gone": "2",
      "new-both": "theirs",
      "place/inside": "a directory",
    });
    const conflicts = ["binary", "edited-and-gone", "new-both", "place", "same-line"];
    expect(await store.merge("t1", base, ours, theirs)).toEqual({ conflicts });
  });
});

describe("a branch", () => {
  const update = { task: "t1", todo: "parser", message: "Write the parser", epoch: 2, at: 1_700_000_000_000 };

  it("shows people plain files, the change against the base, and which snapshot it is", async () => {
    writeFiles(tree, { "a.txt": "1\n" });
    const base = await take();
    const snapshot = over(base, { "a.txt": "2\n" });
    const branch = store.setBranch({ ...update, snapshot, base, trailers: { "Prompt-Hash": "abc" } });
    expect(branch.name).toBe("ai/generated/t1/parser");
    const log = systemGit(store.gitDirectory, "log", "-p", "--format=%s%n%b", branch.name);
    expect(log).toContain(`Miracle-Snapshot: ${snapshot}`);
    expect(log).toContain("Prompt-Hash: abc");
    expect(log).toContain("-1\n+2\n");
    expect(problemsIn(store.gitDirectory)).toEqual([]);
  });

  it("is moved once, however often the step runs again", async () => {
    const snapshot = over(await take(), { "a.txt": "1" });
    const first = store.setBranch({ ...update, snapshot });
    expect(store.setBranch({ ...update, snapshot, at: update.at + 5000 })).toEqual(first);
    const next = store.setBranch({ ...update, snapshot: over(snapshot, { "b.txt": "1" }), message: "More" });
    expect(systemGit(store.gitDirectory, "rev-list", next.name).trim().split("\n")).toEqual([
      next.commit,
      first.commit,
    ]);
  });

  it("refuses a worker that lost its claim", async () => {
    const snapshot = over(await take(), { "a.txt": "1" });
    store.setBranch({ ...update, snapshot, message: "Text\n\nMiracle-Epoch: 1" });
    const stale = { ...update, snapshot: over(snapshot, { "a.txt": "2" }), epoch: 1 };
    expect(() => store.setBranch(stale)).toThrow(/lost its claim/);
  });
});
