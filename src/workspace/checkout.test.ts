import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { addLeftOut, describeTree, makeAwkwardTree, writeFiles } from "../../test/awkward-tree.ts";
import { reachableSources } from "../../test/reachable-sources.ts";
import { scratchDirectories } from "../../test/scratch-directories.ts";
import { ArtifactStore } from "./artifact-store.ts";
import { removeTree } from "./remove-tree.ts";
import { StatCache } from "./stat-cache.ts";

const directory = scratchDirectories();

let store: ArtifactStore;
let checkout: string;
let id: string;
let wanted: Record<string, string>;
beforeEach(async () => {
  store = ArtifactStore.open(directory("data"));
  const tree = directory("tree");
  makeAwkwardTree(tree, "/nonexistent");
  wanted = describeTree(tree);
  id = (await store.importTree("t1", tree)).id;
  checkout = join(directory("work"), "checkout");
  await store.checkout(id, checkout);
});

describe("a checkout", () => {
  it("writes only what differs", async () => {
    const inode = (path: string) => statSync(join(checkout, path)).ino;
    const before = { same: inode("a/x"), changed: inode("crlf.txt") };
    writeFileSync(join(checkout, "crlf.txt"), "something else");
    await store.checkout(id, checkout);
    expect(inode("a/x")).toBe(before.same);
    expect(describeTree(checkout)).toEqual(wanted);
  });

  it("takes back whatever untrusted code has done", async () => {
    const outside = directory("outside");
    writeFiles(outside, { x: "outside", "code.py": "outside" });
    addLeftOut(checkout);
    rmSync(join(checkout, "node_modules"), { recursive: true });
    rmSync(join(checkout, "sub"), { recursive: true });
    writeFiles(checkout, { ".git/config": "[core]\nfsmonitor = evil", "new/deep/file": "1", "empty/inner/now": "1" });
    rmSync(join(checkout, "a"), { recursive: true });
    symlinkSync(outside, join(checkout, "a"));
    rmSync(join(checkout, "nested"), { recursive: true });
    symlinkSync(outside, join(checkout, "nested"));
    rmSync(join(checkout, "crlf.txt"));
    mkdirSync(join(checkout, "crlf.txt/now/a/directory"), { recursive: true });
    rmSync(join(checkout, "empty.txt"));
    spawnSync("mkfifo", [join(checkout, "empty.txt")]);
    rmSync(join(checkout, "link-out"));
    writeFiles(checkout, { "link-out/was/a/link": "1" });
    chmodSync(join(checkout, "run.sh"), 0o4755);
    chmodSync(join(checkout, "a-b"), 0o000);
    chmodSync(join(checkout, "module"), 0o500);
    writeFileSync(Buffer.from(`${checkout}/bytes-\xff\xfe`, "latin1"), "no text");
    await store.checkout(id, checkout);
    expect(describeTree(checkout)).toEqual(wanted);
    expect(existsSync(join(checkout, ".git"))).toBe(false);
    expect(describeTree(outside)).toEqual({ x: "644 outside", "code.py": "644 outside" });
    expect((await store.snapshot("t1", checkout)).id).toBe(id);
  });

  it("removes paths that are too long to be named", async () => {
    const name = "d".repeat(200);
    const script = `cd "$1" && for i in $(seq 30); do mkdir ${name} && cd ${name} || exit 1; done; echo x > file`;
    execFileSync("bash", ["-c", script, "bash", checkout]);
    expect((await store.snapshot("t1", checkout)).leftOut).toMatchObject([{ why: "name" }]);
    await store.checkout(id, checkout);
    expect(describeTree(checkout)).toEqual(wanted);
  });

  it("leaves dependency directories and what it is told to leave", async () => {
    writeFiles(checkout, {
      "node_modules/m/index.js": "1",
      "pkg/.venv/bin/x": "1",
      "mounted/x": "1",
      "__pycache__/x.pyc": "1",
    });
    await store.checkout(id, checkout, { leaveOut: ["mounted"] });
    expect(describeTree(checkout)).toEqual({
      ...wanted,
      "node_modules/m/index.js": "644 1",
      "pkg/.venv/bin/x": "644 1",
      "mounted/x": "644 1",
    });
  });

  it("with a cache, sees every change made after it", async () => {
    const cache = new StatCache(checkout);
    for (let round = 0; round < 20; round += 1) {
      await store.checkout(id, checkout, { cache });
      expect((await store.snapshot("t1", checkout, { cache })).id).toBe(id);
      writeFileSync(join(checkout, "a/x"), String(round % 10));
      rmSync(join(checkout, "a-b"), { recursive: true });
      const changed = (await store.snapshot("t1", checkout, { cache })).id;
      expect(store.readFile(changed, "a/x")?.toString()).toBe(String(round % 10));
      if (round % 10 !== 6) expect(changed).not.toBe(id);
    }
  });

  it("of another snapshot leaves nothing of the first", async () => {
    const other = directory("other");
    writeFiles(other, { a: "now a file", "run.sh/inside": "now a directory", "new.txt": "1" });
    const second = (await store.importTree("t1", other)).id;
    await store.checkout(second, checkout);
    expect(describeTree(checkout)).toEqual(describeTree(other));
    await store.checkout(id, checkout);
    expect(describeTree(checkout)).toEqual(wanted);
  });

  it("never takes a name from the store that leads out of its directory", async () => {
    for (const name of ["..", ".git", "a/b", ""]) {
      const batch = store.objects.batch();
      const blob = batch.put("blob", Buffer.from("evil"));
      const files = batch.put("tree", Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")]));
      const manifest = batch.put("blob", Buffer.from('{"emptyDirectories":[],"modes":[],"version":1}'));
      const items = [`40000 files\0`, files, `100644 manifest.json\0`, manifest];
      const evil = batch.put(
        "tree",
        Buffer.concat(items.map((part, at) => Buffer.from(part, at % 2 ? "hex" : "utf8"))),
      );
      batch.commit();
      await expect(store.checkout(evil, checkout)).rejects.toMatchObject({ failure: { code: "artifact.damaged" } });
    }
  });

  it.runIf(process.getuid?.() === 0)("as root, belongs to the given owner, all of it", async () => {
    const owned = join(directory("owned"), "checkout");
    await store.checkout(id, owned, { owner: { uid: 4001, gid: 4002 } });
    const all = readdirSync(owned, { recursive: true, encoding: "utf8" }).map((path) => lstatSync(join(owned, path)));
    expect([lstatSync(owned), ...all].every(({ uid, gid }) => uid === 4001 && gid === 4002)).toBe(true);
    expect(describeTree(owned)).toEqual(wanted);
  });
});

it.runIf(process.getuid?.() === 0)("an ordinary user gets the same snapshot and the same checkout", () => {
  const place = directory("ordinary");
  chmodSync(place, 0o777);
  const script = `
    import assert from "node:assert";
    import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
    const [source, place] = process.argv.slice(1);
    const { ArtifactStore } = await import(source + "/artifact-store.ts");
    const { makeAwkwardTree, describeTree, writeFiles } = await import(source + "/../../test/awkward-tree.ts");
    const { planApply, executeApply } = await import(source + "/apply.ts");
    const { undoApply } = await import(source + "/undo.ts");
    const { noFaults } = await import(source + "/../faults.ts");
    process.umask(0o077);
    const tree = place + "/tree", copy = place + "/work/checkout";
    mkdirSync(tree);
    process.umask(0o022);
    makeAwkwardTree(tree, "/nonexistent");
    const store = ArtifactStore.open(place + "/data");
    const { id } = await store.importTree("t1", tree, { home: "/nonexistent" });
    await store.checkout(id, copy);
    assert.deepStrictEqual(describeTree(copy), describeTree(tree));
    writeFiles(copy, { "closed/inner/x": "1", "crlf.txt": "changed" });
    chmodSync(copy + "/closed/inner", 0o000);
    chmodSync(copy + "/closed", 0o500);
    chmodSync(copy + "/a", 0o000);
    chmodSync(copy, 0o000);
    await store.checkout(id, copy);
    assert.deepStrictEqual(describeTree(copy), describeTree(tree));
    writeFiles(copy, { "crlf.txt": "changed", "new/x": "1" });
    const before = describeTree(tree);
    const result = (await store.snapshot("t1", copy)).id;
    const intent = await planApply(store, tree, id, result);
    await executeApply(intent, tree, store, noFaults);
    assert.deepStrictEqual(describeTree(copy), describeTree(tree));
    await undoApply(intent, tree, store, noFaults);
    assert.deepStrictEqual(describeTree(tree), before);
    writeFileSync(tree + "/closed.txt", "1");
    chmodSync(tree + "/closed.txt", 0o000);
    const { leftOut } = await store.importTree("t1", tree, { home: "/nonexistent" });
    assert.deepStrictEqual(leftOut, [{ path: "closed.txt", why: "unreadable" }]);
    process.stdout.write(id);
  `;
  const { node, root } = reachableSources();
  const args = ["--input-type=module", "-e", script, join(root, "src", "workspace"), place];
  const run = spawnSync(node, args, { uid: 65534, gid: 65534, cwd: place, env: {}, encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.stdout).toBe(id);
});

it("removing a tree does not follow links and copes with closed directories", () => {
  const place = directory("remove");
  writeFiles(place, { "keep/x": "1", "tree/closed/x": "1" });
  symlinkSync("../keep", join(place, "tree/link"));
  chmodSync(join(place, "tree/closed"), 0o000);
  removeTree(join(place, "tree"));
  removeTree(join(place, "tree"));
  expect(readFileSync(join(place, "keep/x"), "utf8")).toBe("1");
  expect(readdirSync(place)).toEqual(["keep"]);
});
