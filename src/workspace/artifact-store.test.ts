import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import {
  addLeftOut,
  describeTree,
  makeAwkwardTree,
  problemsIn,
  systemGit,
  writeFiles,
} from "../../test/awkward-tree.ts";
import { scratchDirectories } from "../../test/scratch-directories.ts";
import { ArtifactStore } from "./artifact-store.ts";
import { removeTree } from "./remove-tree.ts";
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

describe("a snapshot", () => {
  it("gives back an awkward tree exactly, without running a filter", async () => {
    const marker = join(data, "marker");
    makeAwkwardTree(tree, marker);
    const before = describeTree(tree);
    const { id, paths } = await store.importTree("t1", tree);
    expect(paths()).toEqual(
      store
        .list(id)
        .map((entry) => entry.path)
        .sort(),
    );
    const copy = join(directory("copy"), "checkout");
    await store.checkout(id, copy);
    expect(describeTree(copy)).toEqual(before);
    expect(existsSync(join(copy, ".git"))).toBe(false);
    expect(existsSync(join(copy, "nested/.git"))).toBe(false);
    expect(existsSync(marker)).toBe(false);
    expect((await store.snapshot("t1", copy)).id).toBe(id);
    expect(describeTree(tree)).toEqual(before);
  });

  it("is readable by git, and passes its check", async () => {
    makeAwkwardTree(tree, "/nonexistent");
    const { id } = await store.importTree("t1", tree);
    const branch = store.setBranch({ task: "t1", todo: "one", snapshot: id, message: "Add one", epoch: 1, at: 1e12 });
    expect(problemsIn(store.gitDirectory)).toEqual([]);
    const files = systemGit(store.gitDirectory, "ls-tree", "-r", "-z", "--name-only", branch.name).split("\0");
    expect(files.filter(Boolean).sort()).toEqual(
      store
        .list(id)
        .map(({ path }) => path)
        .sort(),
    );
    expect(systemGit(store.gitDirectory, "show", `${branch.name}:crlf.txt`)).toBe("one\r\ntwo\r\n");
    expect(systemGit(store.gitDirectory, "for-each-ref", "--format=%(refname)", "--points-at", id)).toContain(id);
  });

  it("has an id that depends on content alone", async () => {
    makeAwkwardTree(tree, "/nonexistent");
    const other = directory("other");
    makeAwkwardTree(other, "/nonexistent");
    rmSync(join(other, "a.b"), { recursive: true });
    writeFiles(other, { "a.b/x": "sorts before a/" });
    utimesSync(join(other, "crlf.txt"), 1, 1);
    const first = await store.importTree("t1", tree);
    expect((await store.importTree("t2", other)).id).toBe(first.id);
    expect((await ArtifactStore.open(directory("data")).importTree("t1", tree)).id).toBe(first.id);
    rmSync(join(other, "a/empty"), { recursive: true });
    expect((await store.importTree("t2", other)).id).not.toBe(first.id);
  });

  it("leaves out secrets, dependencies, caches and special files, and names them", async () => {
    writeFiles(tree, {
      "main.py": "1",
      ".env.example": "KEY=",
      "public.pem": "-----BEGIN CERTIFICATE-----",
      ".npmrc": "x",
    });
    addLeftOut(tree);
    writeFiles(tree, {
      "env/pyvenv.cfg": "home",
      "target/CACHEDIR.TAG": "x",
      "data/set.csv": "1",
      ".miracleignore": "data/\n",
    });
    const snapshot = await store.importTree("t1", tree);
    expect(snapshot.paths()).toEqual(
      store
        .list(snapshot.id)
        .map((entry) => entry.path)
        .sort(),
    );
    expect(store.list(snapshot.id).map(({ path }) => path)).toEqual([
      ".env.example",
      ".miracleignore",
      "main.py",
      "public.pem",
    ]);
    expect(Object.fromEntries(snapshot.leftOut.map(({ path, why }) => [path, why]))).toEqual({
      ".env": "secret",
      "sub/.env.production": "secret",
      "server.pem": "secret",
      id_rsa: "secret",
      "tls.key": "secret",
      ".npmrc": "secret",
      node_modules: "dependencies",
      "sub/.venv": "dependencies",
      env: "dependencies",
      __pycache__: "cache",
      target: "cache",
      data: "ignored",
      pipe: "special-file",
    });
  });

  it("names LFS pointers, submodules and nested repositories", async () => {
    makeAwkwardTree(tree, "/nonexistent");
    expect((await store.importTree("t1", tree)).notes).toEqual([
      { path: "big-file.lfs", what: "lfs-pointer" },
      { path: "module", what: "submodule" },
      { path: "nested", what: "nested-repository" },
    ]);
  });

  it("does not let a tree hide files behind markers once the task is at work", async () => {
    writeFiles(tree, {
      "src/evil.py": "1",
      "src/pyvenv.cfg": "",
      "src/CACHEDIR.TAG": "",
      ".miracleignore": "*",
      ".gitignore": "*",
    });
    expect((await store.snapshot("t1", tree)).files).toBe(5);
  });

  it("does not follow a directory link out of the tree", async () => {
    const outside = directory("outside");
    writeFiles(outside, { "secret.txt": "outside" });
    symlinkSync(outside, join(tree, "out"));
    const { id } = await store.importTree("t1", tree);
    expect(store.list(id)).toMatchObject([{ path: "out", kind: "link" }]);
  });

  it("leaves out the data directory when it lies inside the tree", async () => {
    const inside = ArtifactStore.open(join(tree, ".miracle-data"));
    writeFiles(tree, { "a.txt": "1" });
    const snapshot = await inside.importTree("t1", tree);
    expect(inside.list(snapshot.id).map(({ path }) => path)).toEqual(["a.txt"]);
    expect((await inside.importTree("t1", tree)).id).toBe(snapshot.id);
  });

  it("refuses the root, the home directory and above, and what is missing, with advice", async () => {
    const home = join(tree, "home/me");
    mkdirSync(home, { recursive: true });
    for (const refused of ["/", home, join(tree, "home")]) {
      await expect(store.importTree("t1", refused, { home })).rejects.toThrow(/start there/);
    }
    await expect(store.importTree("t1", join(tree, "none"), { home })).rejects.toThrow(/exists/);
  });

  it("refuses a tree past its limits and names the largest part", async () => {
    writeFiles(tree, { "data/1": "x", "data/2": "x", "data/3": "x", a: "x" });
    const small = ArtifactStore.open(directory("data"), { maxFiles: 3 });
    await expect(small.importTree("t1", tree)).rejects.toMatchObject({
      failure: { code: "workspace.too-large", message: expect.stringContaining("data has 3 files") },
    });
    const light = ArtifactStore.open(directory("data"), { maxBytes: 3 });
    await expect(light.importTree("t1", tree)).rejects.toMatchObject({ failure: { code: "workspace.too-large" } });
  });

  it("passes a large file through in pieces, gives it back, and never a damaged one", async () => {
    const content = randomBytes(9 << 20);
    writeFiles(tree, { "large.bin": content });
    const { id } = await store.importTree("t1", tree);
    const copy = join(directory("copy"), "checkout");
    await store.checkout(id, copy);
    expect(readFileSync(join(copy, "large.bin")).equals(content)).toBe(true);
    expect(problemsIn(store.gitDirectory)).toEqual([]);
    const blob = store.list(id)[0]?.id ?? "";
    const path = store.objects.loosePath(blob);
    const other = deflateSync(Buffer.concat([Buffer.from(`blob ${content.length}\0`), randomBytes(content.length)]));
    for (const damage of [other, readFileSync(path).subarray(0, 5 << 20)]) {
      chmodSync(path, 0o644);
      writeFileSync(path, damage);
      removeTree(copy);
      await expect(store.checkout(id, copy)).rejects.toMatchObject({ failure: { code: "artifact.damaged" } });
    }
  });
});

describe("the stat cache", () => {
  it("never misses a change of the same size in the same moment", async () => {
    const cache = new StatCache(tree);
    writeFiles(tree, { "a.txt": "aaaa", "b/c.txt": "same" });
    const ids = new Set<string>();
    for (let round = 0; round < 50; round += 1) {
      writeFileSync(join(tree, "a.txt"), String(1000 + round));
      ids.add((await store.snapshot("t1", tree, { cache })).id);
    }
    expect(ids.size).toBe(50);
    expect((await store.snapshot("t1", tree)).id).toBe([...ids].at(-1));
  });

  it("gives the id that a scan without it gives, after every kind of change", async () => {
    const cache = new StatCache(tree);
    makeAwkwardTree(tree, "/nonexistent");
    const check = async () => {
      expect((await store.snapshot("t1", tree, { cache })).id).toBe((await store.snapshot("t1", tree)).id);
    };
    await check();
    rmSync(join(tree, "a/x"));
    await check();
    rmSync(join(tree, "nested"), { recursive: true });
    await check();
    writeFiles(tree, { "empty/inner/now-full": "1" });
    await check();
    rmSync(join(tree, "link"));
    writeFiles(tree, { link: "a file now" });
    await check();
    addLeftOut(tree);
    await check();
  });

  it("belongs to one directory", async () => {
    await expect(store.snapshot("t1", tree, { cache: new StatCache("/elsewhere") })).rejects.toThrow("/elsewhere");
  });
});
