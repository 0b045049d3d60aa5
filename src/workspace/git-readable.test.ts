import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { describeTree, makeAwkwardTree, problemsIn, systemGit, writeFiles } from "../../test/awkward-tree.ts";
import { scratchDirectories } from "../../test/scratch-directories.ts";
import { ArtifactStore } from "./artifact-store.ts";
import { StatCache } from "./stat-cache.ts";

const directory = scratchDirectories();

let data: string;
let tree: string;
let store: ArtifactStore;
beforeEach(() => {
  data = directory("data");
  tree = directory("tree");
  store = ArtifactStore.open(data);
});

// As many as a large project has are in test/awkward-trees.test.ts.
describe("5,000 files", () => {
  it("become one pack that git can read, and come back", { timeout: 120_000 }, async () => {
    for (let index = 0; index < 5_000; index += 1) {
      if (index % 100 === 0) mkdirSync(join(tree, `d${index / 100}`));
      writeFileSync(join(tree, `d${Math.floor(index / 100)}/file-${index}.txt`), `content of ${index}\n`.repeat(20));
    }
    const times: Record<string, number> = {};
    const timed = async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
      const start = performance.now();
      const result = await run();
      times[name] = Math.round(performance.now() - start);
      return result;
    };
    const snapshot = await timed("import", () => store.importTree("t1", tree));
    expect(snapshot.files).toBe(5_000);
    const copy = join(directory("copy"), "checkout");
    const cache = new StatCache(copy);
    await timed("checkout", () => store.checkout(snapshot.id, copy, { cache }));
    appendFileSync(join(copy, "d7/file-777.txt"), "changed");
    const changed = await timed("snapshot after one change", () => store.snapshot("t1", copy, { cache }));
    expect(store.changes(snapshot.id, changed.id)).toMatchObject([{ path: "d7/file-777.txt", change: "modified" }]);
    await timed("checkout back", () => store.checkout(snapshot.id, copy, { cache }));
    expect((await store.snapshot("t1", copy)).id).toBe(snapshot.id);
    expect(readdirSync(join(store.gitDirectory, "objects/pack")).filter((name) => name.endsWith(".pack"))).toHaveLength(
      1,
    );
    expect(problemsIn(store.gitDirectory)).toEqual([]);
    console.log("5,000 files, ms:", JSON.stringify(times));
  });
});

describe("the repository", () => {
  it("is read after git has repacked it with deltas and packed its refs", async () => {
    makeAwkwardTree(tree, "/nonexistent");
    const long = Array.from({ length: 3000 }, (_, index) => `line ${index} ${Math.sin(index)}`);
    const ids: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      long[round * 100] = `edited ${round}`;
      writeFileSync(join(tree, "long.txt"), long.join("\n"));
      ids.push((await store.snapshot("t1", tree)).id);
      store.setBranch({
        task: "t1",
        todo: "a",
        snapshot: ids.at(-1) ?? "",
        message: `Round ${round}`,
        epoch: 1,
        at: round * 1000,
      });
    }
    systemGit(store.gitDirectory, "gc", "-q", "--aggressive", "--prune=now");
    expect(readdirSync(join(store.gitDirectory, "objects")).sort()).toEqual(["info", "pack"]);
    const packs = systemGit(store.gitDirectory, "verify-pack", "-v", ...packFiles(store)).split("\n");
    expect(packs.some((line) => /blob .* [1-9] [0-9a-f]{40}$/.test(line))).toBe(true);
    const again = ArtifactStore.open(data);
    for (const [round, id] of ids.entries()) {
      expect(again.readFile(id, "long.txt")?.toString()).toContain(`edited ${round}`);
    }
    expect(again.readFile(ids[0] ?? "", "long.txt")?.toString()).not.toContain("edited 1");
    expect(again.branches("t1")).toHaveLength(1);
    const copy = join(directory("copy"), "checkout");
    await again.checkout(ids[4] ?? "", copy);
    expect(describeTree(copy)).toEqual(describeTree(tree));
    // The store that was open all the while finds its way, too.
    expect(store.readFile(ids[2] ?? "", "long.txt")?.toString()).toContain("edited 2");
    systemGit(store.gitDirectory, "repack", "-q", "-a", "-d", "-f", "--depth=2", "--window=3");
    expect(store.list(ids[2] ?? "")).toEqual(again.list(ids[2] ?? ""));
    again.deleteRefs("t1");
    expect(systemGit(store.gitDirectory, "for-each-ref")).toBe("");
  });

  it("frees what no ref keeps, and nothing else", async () => {
    writeFiles(tree, { "a.txt": "kept" });
    const kept = (await store.importTree("t1", tree)).id;
    writeFiles(tree, { "a.txt": "dropped" });
    const dropped = (await store.importTree("t2", tree)).id;
    store.deleteRefs("t2");
    await store.collect("now");
    expect(store.has(kept)).toBe(true);
    expect(store.readFile(kept, "a.txt")?.toString()).toBe("kept");
    expect(store.has(dropped)).toBe(false);
    expect(() => store.list(dropped)).toThrow(/not in the artifact store/);
    expect((await store.importTree("t2", tree)).id).toBe(dropped);
    expect(store.readFile(dropped, "a.txt")?.toString()).toBe("dropped");
  });

  it("never gives out a damaged object, and heals when the content comes again", async () => {
    writeFiles(tree, { "a.txt": "content" });
    const { id } = await store.importTree("t1", tree);
    const blob = store.list(id)[0]?.id ?? "";
    const path = join(store.gitDirectory, "objects", blob.slice(0, 2), blob.slice(2));
    for (const damage of [Buffer.alloc(0), Buffer.from("not zlib"), readFileSync(path).subarray(0, -3)]) {
      chmodSync(path, 0o644);
      writeFileSync(path, damage);
      const reader = ArtifactStore.open(data);
      expect(() => reader.readFile(id, "a.txt")).toThrow(/damaged/);
      await ArtifactStore.open(data).importTree("t1", tree);
      expect(ArtifactStore.open(data).readFile(id, "a.txt")?.toString()).toBe("content");
    }
  });

  it("never gives out what a damaged pack holds", async () => {
    for (let index = 0; index < 300; index += 1) writeFileSync(join(tree, `f${index}`), `content ${index}`);
    const { id } = await store.importTree("t1", tree);
    const [index] = packFiles(store);
    const pack = index?.replace(/idx$/, "pack") ?? "";
    const bytes = readFileSync(pack);
    for (let at = 12; at < bytes.length - 20; at += 7) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    chmodSync(pack, 0o644);
    writeFileSync(pack, bytes);
    expect(() => ArtifactStore.open(data).list(id)).toThrow(/damaged/);
  });

  it("never takes one packed object for another", async () => {
    for (let number = 0; number < 300; number += 1) writeFileSync(join(tree, `f${number}`), `content ${number}`);
    const { id } = await store.importTree("t1", tree);
    const [index = ""] = packFiles(store);
    const bytes = readFileSync(index);
    const count = bytes.readUInt32BE(8 + 255 * 4);
    const offsets = bytes.subarray(8 + 1024 + count * 24, 8 + 1024 + count * 28);
    offsets.set([...offsets.subarray(4), ...offsets.subarray(0, 4)]);
    chmodSync(index, 0o644);
    writeFileSync(index, bytes);
    expect(() => ArtifactStore.open(data).list(id)).toThrow(/damaged/);
  });

  it("is shared by several at once", async () => {
    const trees = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const own = directory("tree");
        writeFiles(own, { "same.txt": "same", "own.txt": String(number) });
        return ArtifactStore.open(data).importTree(`t${number}`, own);
      }),
    );
    expect(new Set(trees.map(({ id }) => id)).size).toBe(4);
    expect(problemsIn(store.gitDirectory)).toEqual([]);
  });

  it("does not leave half a snapshot behind when it refuses one", async () => {
    const small = ArtifactStore.open(data, { maxFiles: 1500 });
    for (let index = 0; index < 1600; index += 1) writeFileSync(join(tree, `f${index}`), String(index));
    await expect(small.importTree("t1", tree)).rejects.toMatchObject({ failure: { code: "workspace.too-large" } });
    expect(readdirSync(join(small.gitDirectory, "objects/pack"))).toEqual([]);
    rmSync(join(tree, "f1"));
  });

  it("says what is wrong with an id it does not know", () => {
    expect(() => store.list("../../etc/passwd")).toThrow(/no id/);
    expect(() => store.list("0".repeat(40))).toThrow(/not in the artifact store/);
    expect(() => store.keep("../x", "0".repeat(40))).toThrow(/branch name/);
  });
});

const packFiles = (opened: ArtifactStore): string[] => {
  const packs = join(opened.gitDirectory, "objects/pack");
  return readdirSync(packs)
    .filter((name) => name.endsWith(".idx"))
    .map((name) => join(packs, name));
};
