import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { describeTree, makeAwkwardTree, writeFiles } from "../../test/awkward-tree.ts";
import { scratchDirectories } from "../../test/scratch-directories.ts";
import { type Faults, noFaults } from "../faults.ts";
import { executeApply, planApply } from "./apply.ts";
import { ApplyIntent } from "./apply-intent.ts";
import { ArtifactStore } from "./artifact-store.ts";
import { undoApply } from "./undo.ts";

const directory = scratchDirectories();

let data: string;
let store: ArtifactStore;
let user: string;
beforeEach(() => {
  data = directory("data");
  store = ArtifactStore.open(data);
  user = directory("user");
});

/** Every kind of change at once; `user` holds the tree before. */
async function everyChange() {
  makeAwkwardTree(user, "/nonexistent");
  writeFiles(user, {
    "becomes-directory": "file",
    "becomes-file/x/y": "1",
    "gone/deep/er.txt": "1",
    "turns.txt": "file",
  });
  symlinkSync("a", join(user, "link-becomes-directory"));
  const base = (await store.importTree("t1", user)).id;
  const work = join(directory("work"), "checkout");
  await store.checkout(base, work);
  writeFiles(work, { "crlf.txt": "changed\r\n", "new/dir/file.txt": "new", "empty/inner/filled": "1" });
  for (const path of [
    "becomes-directory",
    "becomes-file",
    "gone",
    "turns.txt",
    "link-becomes-directory",
    "dangling",
    "a/empty",
  ]) {
    rmSync(join(work, path), { recursive: true });
  }
  writeFiles(work, { "becomes-directory/inside": "1", "becomes-file": "1", "link-becomes-directory/x": "not in a" });
  symlinkSync("elsewhere", join(work, "turns.txt"));
  mkdirSync(join(work, "new-empty/inner"), { recursive: true });
  chmodSync(join(work, "run.sh"), 0o644);
  chmodSync(join(work, "private.conf"), 0o640);
  writeFiles(work, { "new-script": "#!/bin/sh" });
  chmodSync(join(work, "new-script"), 0o755);
  const result = (await store.snapshot("t1", work)).id;
  return { base, result, before: describeTree(user), after: describeTree(work) };
}

describe("apply", () => {
  it("brings the user's directory to the result, and undo brings it back", async () => {
    const { base, result, before, after } = await everyChange();
    writeFiles(user, { "untracked.log": "mine", ".git/index": "index" });
    const intent = await planApply(store, user, base, result);
    const journaled = ApplyIntent.parse(JSON.parse(JSON.stringify(intent)));
    const { changed } = await executeApply(journaled, user, store, noFaults);
    expect(describeTree(user)).toEqual({ ...after, "untracked.log": "644 mine" });
    expect(changed.sort()).toEqual(intent.changes.map(({ path }) => path).sort());
    expect(readFileSync(join(user, ".git/index"), "utf8")).toBe("index");
    expect(await executeApply(intent, user, store, noFaults)).toEqual({ changed: [] });
    await undoApply(intent, user, store, noFaults);
    expect(describeTree(user)).toEqual({ ...before, "untracked.log": "644 mine" });
    expect(await undoApply(intent, user, store, noFaults)).toEqual({ changed: [], spared: [] });
  });

  it("writes nothing when a touched file changed meanwhile, and names it", async () => {
    const { base, result } = await everyChange();
    writeFiles(user, { "crlf.txt": "edited by hand", "new/dir/file.txt": "also mine", "becomes-file/mine": "1" });
    const before = describeTree(user);
    const conflict = { failure: { code: "apply.conflict", detail: "becomes-file\ncrlf.txt\nnew/dir/file.txt" } };
    await expect(planApply(store, user, base, result)).rejects.toMatchObject(conflict);
    expect(describeTree(user)).toEqual(before);
  });

  it("sees a conflict that arises between plan and execution, and a change of mode or kind as one", async () => {
    const { base, result } = await everyChange();
    const intent = await planApply(store, user, base, result);
    chmodSync(join(user, "crlf.txt"), 0o600);
    rmSync(join(user, "turns.txt"));
    mkdirSync(join(user, "turns.txt"));
    const before = describeTree(user);
    await expect(executeApply(intent, user, store, noFaults)).rejects.toMatchObject({
      failure: { code: "apply.conflict", detail: "crlf.txt\nturns.txt" },
    });
    expect(describeTree(user)).toEqual(before);
  });

  it("accepts a file that already is as the result wants it", async () => {
    const { base, result, after } = await everyChange();
    writeFiles(user, { "crlf.txt": "changed\r\n", "new/dir/file.txt": "new" });
    await executeApply(await planApply(store, user, base, result), user, store, noFaults);
    expect(describeTree(user)).toEqual(after);
  });

  it("never follows a directory that was replaced by a link out", async () => {
    const outside = directory("outside");
    writeFiles(user, { "src/a.txt": "1" });
    const base = (await store.importTree("t1", user)).id;
    const result = store.overlay("t1", base, [
      { path: "src/a.txt", content: "2" },
      { path: "src/b.txt", content: "2" },
    ]);
    const intent = await planApply(store, user, base, result);
    renameSync(join(user, "src"), join(outside, "src"));
    symlinkSync(join(outside, "src"), join(user, "src"));
    await expect(executeApply(intent, user, store, noFaults)).rejects.toMatchObject({
      failure: { code: "apply.conflict" },
    });
    await expect(undoApply(intent, user, store, noFaults, "force")).rejects.toThrow();
    expect(describeTree(outside)).toEqual({ "src/a.txt": "644 1" });
  });

  it("replaces a link and leaves what it points to", async () => {
    const outside = directory("outside");
    writeFiles(outside, { "target.txt": "outside" });
    symlinkSync(join(outside, "target.txt"), join(user, "link.txt"));
    const base = (await store.importTree("t1", user)).id;
    const result = store.overlay("t1", base, [{ path: "link.txt", content: "a file" }]);
    await executeApply(await planApply(store, user, base, result), user, store, noFaults);
    expect(lstatSync(join(user, "link.txt")).isSymbolicLink()).toBe(false);
    expect(readFileSync(join(outside, "target.txt"), "utf8")).toBe("outside");
  });

  it("refuses an intent that names git's own files or leads out", async () => {
    const { base, result } = await everyChange();
    const intent = await planApply(store, user, base, result);
    const state = intent.changes.find(({ path }) => path === "new-script")?.after ?? null;
    for (const path of [".git/hooks/pre-commit", "../evil", "a/../../evil"]) {
      const evil = { ...intent, changes: [{ path, before: null, after: state }] };
      await expect(executeApply(evil, user, store, noFaults)).rejects.toMatchObject({
        failure: { code: "scope.outside" },
      });
    }
  });

  it.runIf(process.getuid?.() === 0)(
    "as root, gives files to their owner and new ones to their directory's",
    async () => {
      writeFiles(user, { "src/a.txt": "1", "b.txt": "1" });
      chownSync(join(user, "src"), 4001, 4002);
      chownSync(join(user, "b.txt"), 4003, 4003);
      const base = (await store.importTree("t1", user)).id;
      const files = ["src/new/deep/c.txt", "src/d.txt", "b.txt"].map((path) => ({ path, content: "2" }));
      const result = store.overlay("t1", base, files);
      await executeApply(await planApply(store, user, base, result), user, store, noFaults);
      const owner = (path: string) => lstatSync(join(user, path)).uid;
      expect([...files.map(({ path }) => owner(path)), owner("src/new/deep")]).toEqual([4001, 4001, 4003, 4001]);
      expect(lstatSync(join(user, "src/d.txt")).gid).toBe(4002);
    },
  );
});

describe("undo", () => {
  it("refuses when a person changed an applied file, unless forced", async () => {
    const { base, result, before } = await everyChange();
    const intent = await planApply(store, user, base, result);
    await executeApply(intent, user, store, noFaults);
    writeFiles(user, { "crlf.txt": "mine now", "new/dir/other.txt": "mine" });
    const refusal = { failure: { code: "apply.conflict", detail: "crlf.txt" } };
    await expect(undoApply(intent, user, store, noFaults)).rejects.toMatchObject(refusal);
    expect(readFileSync(join(user, "crlf.txt"), "utf8")).toBe("mine now");
    await undoApply(intent, user, store, noFaults, "force");
    expect(describeTree(user)).toEqual({ ...before, "new/dir/other.txt": "644 mine" });
  });
});

describe("a conflict in the midst of an apply", () => {
  it("leaves nothing of the result behind, and what the person did stays", async () => {
    writeFiles(user, { "a.txt": "1", "b.txt": "1", "c.txt": "1" });
    const base = (await store.importTree("t1", user)).id;
    const files = ["a.txt", "b.txt", "c.txt"].map((path) => ({ path, content: "2" }));
    const intent = await planApply(store, user, base, store.overlay("t1", base, files));
    // The person saves a file just when the first one has been written.
    let renames = 0;
    const faults: Faults = { reach: () => (++renames === 2 ? writeFiles(user, { "b.txt": "mine" }) : undefined) };
    await expect(executeApply(intent, user, store, faults)).rejects.toMatchObject({
      failure: { code: "apply.conflict", message: expect.stringContaining("taken back") },
    });
    expect(describeTree(user)).toMatchObject({ "a.txt": "644 1", "b.txt": "644 mine", "c.txt": "644 1" });
  });

  it("spares what the person changed when the rest is taken back", async () => {
    writeFiles(user, { "a.txt": "1", "b.txt": "1" });
    const base = (await store.importTree("t1", user)).id;
    const files = ["a.txt", "b.txt"].map((path) => ({ path, content: "2" }));
    const intent = await planApply(store, user, base, store.overlay("t1", base, files));
    await executeApply(intent, user, store, noFaults);
    writeFiles(user, { "b.txt": "mine" });
    const { spared } = await undoApply(intent, user, store, noFaults, "spare");
    expect(spared).toEqual(["b.txt"]);
    expect(describeTree(user)).toMatchObject({ "a.txt": "644 1", "b.txt": "644 mine" });
  });
});

describe("a crash during apply", () => {
  /** Each tree that a process would leave which is killed at that moment: real kills are in test/crash/. */
  async function treesOnTheWay(run: typeof executeApply | typeof undoApply, intent: ApplyIntent, start: string) {
    const place = directory("crash");
    const moving = copyOf(start, join(place, "user"));
    const trees: string[] = [];
    const reach = () => trees.push(copyOf(moving, join(place, String(trees.length))));
    await run(intent, moving, store, { reach });
    return trees;
  }

  function copyOf(tree: string, copy: string): string {
    cpSync(tree, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }

  it("can be rolled forward and back from every single rename, in both directions", async () => {
    const { base, result, before, after } = await everyChange();
    const intent = await planApply(store, user, base, result);
    const applied = copyOf(user, join(directory("applied"), "user"));
    await executeApply(intent, applied, store, noFaults);
    for (const trees of [
      await treesOnTheWay(executeApply, intent, user),
      await treesOnTheWay(undoApply, intent, applied),
    ]) {
      expect(trees).toHaveLength(intent.changes.length * 2);
      for (const tree of trees) {
        const second = copyOf(tree, `${tree}-back`);
        await executeApply(intent, tree, store, noFaults);
        expect(describeTree(tree)).toEqual(after);
        await undoApply(intent, second, store, noFaults);
        expect(describeTree(second)).toEqual(before);
      }
    }
  });

  it("leaves no temporary file after it was rolled on, even when it was cut off while writing one", async () => {
    const { base, result, after } = await everyChange();
    const intent = await planApply(store, user, base, result);
    const names: string[] = [];
    const stop: Faults = {
      reach: () => {
        names.push(...Object.keys(describeTree(user)).filter((path) => path.includes(".miracle-apply-")));
        if (names.length > 0) throw new Error("cut off");
      },
    };
    await expect(executeApply(intent, user, store, stop)).rejects.toThrow();
    expect(names).toHaveLength(1);
    await executeApply(intent, user, store, noFaults);
    expect(describeTree(user)).toEqual(after);
    expect(existsSync(join(user, names[0] ?? ""))).toBe(false);
  });
});

it("lets two results that change the same file into a directory one after the other", async () => {
  writeFiles(user, { "same.txt": "old" });
  const base = (await store.importTree("t1", user)).id;
  const results = ["one", "two"].map((content) => store.overlay("t1", base, [{ path: "same.txt", content }]));
  const intents = await Promise.all(results.map((result) => planApply(store, user, base, result)));
  const other = ArtifactStore.open(data);
  const [first, second] = await Promise.allSettled(
    intents.map((intent, index) => executeApply(intent, user, index === 0 ? store : other, noFaults)),
  );
  other.close();
  expect([first?.status, second?.status].sort()).toEqual(["fulfilled", "rejected"]);
  expect(
    first?.status === "rejected" ? first.reason : second?.status === "rejected" ? second.reason : null,
  ).toMatchObject({ failure: { code: "apply.conflict" } });
  expect(readFileSync(join(user, "same.txt"), "utf8")).toBe(first?.status === "fulfilled" ? "one" : "two");
});
