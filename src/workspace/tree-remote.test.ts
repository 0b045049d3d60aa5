import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { problemsIn } from "../../test/awkward-tree.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { ArtifactStore } from "./artifact-store.ts";

const inRepository = (directory: string, ...args: string[]): string =>
  execFileSync("git", ["-C", directory, ...args], { encoding: "utf8" }).trim();

/** A bare repository, and machines that share nothing but it. */
function openMachines() {
  const root = temporaryDirectory("miracle-remote-");
  const address = join(root, "trees.git");
  execFileSync("git", ["init", "-q", "--bare", address]);
  const machine = (name: string, at = address) => {
    const store = ArtifactStore.open(join(root, name), { remote: { address: at } });
    onTestFinished(() => store.close());
    return store;
  };
  const directory = (name: string, files: Record<string, string>) => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
    return path;
  };
  return { address, machine, directory };
}

const change = (store: ArtifactStore, base: string, epoch: number, content: string) => {
  const snapshot = store.overlay("t1", base, [{ path: "a.txt", content }]);
  store.setBranch({ task: "t1", todo: "result", snapshot, message: content, epoch, at: epoch * 1000 });
  return snapshot;
};

test("what one machine sent, another one has: trees with modes and empty directories, and branches", async () => {
  const { address, machine, directory } = openMachines();
  const [one, two] = [machine("one"), machine("two")];
  const project = directory("project", { "a.txt": "a\n", "b.txt": "b\n" });
  mkdirSync(join(project, "empty"));
  const { id } = await one.importTree("t1", project);
  const result = change(one, id, 1, "changed\n");
  expect(two.has(result)).toBe(false);
  await one.send("t1");
  await two.receive("t1");
  const there = join(directory("there", {}));
  await two.checkout(result, there);
  expect(readFileSync(join(there, "a.txt"), "utf8")).toBe("changed\n");
  expect(readdirSync(there).sort()).toEqual(["a.txt", "b.txt", "empty"]);
  expect(two.branches("t1")).toEqual(one.branches("t1"));
  for (const repository of [address, one.gitDirectory, two.gitDirectory]) {
    expect(problemsIn(repository)).toEqual([]);
  }
});

test("only what is missing travels", async () => {
  const { address, machine, directory } = openMachines();
  const [one, two] = [machine("one"), machine("two")];
  const project = directory("project", { "a.txt": "a\n", "large.txt": randomBytes(200_000).toString("hex") });
  const { id } = await one.importTree("t1", project);
  await one.send("t1");
  await two.receive("t1");
  inRepository(address, "config", "receive.maxInputSize", "10k");
  const blob = one.list(id).find(({ path }) => path === "large.txt")?.id ?? "";
  const file = join(one.gitDirectory, "objects", blob.slice(0, 2), blob.slice(2));
  // Git sets it to now when an object comes again.
  utimesSync(file, 1000, 1000);
  two.keep("t2", id);
  const result = two.overlay("t2", id, [{ path: "a.txt", content: "b\n" }]);
  await two.send("t2");
  await one.receive("t2");
  expect(one.readFile(result, "a.txt")?.toString()).toBe("b\n");
  expect(statSync(file).mtimeMs).toBe(1_000_000);
});

test("a send that is under way is waited for by whoever noted something before it", async () => {
  const { address, machine, directory } = openMachines();
  const one = machine("one");
  const { id } = await one.importTree("t1", directory("project", { "a.txt": "a\n" }));
  const first = one.send("t1");
  await one.send("t1");
  expect(inRepository(address, "rev-parse", `refs/miracle/t1/${id}^{tree}`)).toBe(id);
  await first;
});

test("a branch goes on over an older claim's commit, and never over a later one's", async () => {
  const { address, machine, directory } = openMachines();
  const [sleeper, other] = [machine("one"), machine("two")];
  const { id } = await sleeper.importTree("t1", directory("project", { "a.txt": "a\n" }));
  await sleeper.send("t1");
  await other.receive("t1");
  change(sleeper, id, 2, "of an old claim\n");
  await sleeper.send("t1");
  change(other, id, 3, "of a later claim\n");
  await other.send("t1");
  const head = () => inRepository(address, "log", "-1", "--format=%s", "ai/generated/t1/result");
  expect(head()).toBe("of a later claim");
  const late = change(sleeper, id, 2, "awake again\n");
  await expect(sleeper.send("t1")).rejects.toMatchObject({ failure: { code: "epoch.stale" } });
  expect(head()).toBe("of a later claim");
  expect(sleeper.has(late)).toBe(true);
});

test("what a killed process had made and not sent is sent when it is made again", async () => {
  const { machine, directory } = openMachines();
  const [one, two] = [machine("one"), machine("two")];
  const { id } = await one.importTree("t1", directory("project", { "a.txt": "a\n" }));
  await one.send("t1");
  change(one, id, 1, "never sent\n");
  const again = machine("one");
  await again.receive("t1");
  const snapshot = change(again, id, 2, "never sent\n");
  await again.send("t1");
  await two.receive("t1");
  expect(two.readFile(snapshot, "a.txt")?.toString()).toBe("never sent\n");
});

test("a tree that two machines of one task make at once is sent by both", async () => {
  const { address, machine, directory } = openMachines();
  const [owner, guest] = [machine("one"), machine("two")];
  const { id } = await owner.importTree("t1", directory("project", { "a.txt": "a\n" }));
  await owner.send("t1");
  await guest.receive("t1");
  for (const [store, own] of [
    [owner, "owner\n"],
    [guest, "guest\n"],
  ] as const) {
    store.overlay("t1", id, [{ path: "own.txt", content: own }]);
    await store.send("t1");
  }
  const made = [owner, guest].map((store) => store.overlay("t1", id, [{ path: "b.txt", content: "same\n" }]));
  const more = guest.overlay("t1", id, [{ path: "b.txt", content: "more\n" }]);
  await owner.send("t1");
  await guest.send("t1");
  expect(made).toEqual([made[0], made[0]]);
  expect(inRepository(address, "rev-parse", `refs/miracle/t1/${made[0]}^{tree}`)).toBe(made[0]);
  expect(inRepository(address, "rev-parse", `refs/miracle/t1/${more}^{tree}`)).toBe(more);
});

test("snapshots are received while a branch was moved here and not yet sent, and it is not moved back", async () => {
  const { machine, directory } = openMachines();
  const [owner, guest] = [machine("one"), machine("two")];
  const { id } = await owner.importTree("t1", directory("project", { "a.txt": "a\n" }));
  change(owner, id, 1, "first\n");
  await owner.send("t1");
  await guest.receive("t1");
  guest.overlay("t1", id, [{ path: "b.txt", content: "of a guest\n" }]);
  await guest.send("t1");
  change(owner, id, 1, "second\n");
  const [moved] = owner.branches("t1");
  await owner.receive("t1", "snapshots");
  expect(owner.branches("t1")).toEqual([moved]);
  await owner.send("t1");
  await guest.receive("t1");
  expect(guest.branches("t1")).toEqual([moved]);
});
