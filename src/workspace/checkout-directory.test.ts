import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { scratch, writeFiles } from "../../test/awkward-tree.ts";
import { CheckoutDirectories } from "./checkout-directory.ts";
import { removeTree } from "./remove-tree.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) removeTree(path);
});
let place: string;
beforeEach(() => {
  place = scratch("places");
  made.push(place);
});
const mode = (path: string): number => statSync(path).mode & 0o777;
const owner = { uid: 4001, gid: 4001 };

describe("checkout directories", () => {
  it("of an ordinary user lie in the data directory and are closed to others", () => {
    const directories = CheckoutDirectories.open(join(place, "data"), null);
    const path = directories.path("t1", 3, "coder");
    expect(path).toBe(join(place, "data/checkouts/t1/3/coder"));
    expect(mode(dirname(path))).toBe(0o700);
  });

  it("have a place of their own for every task, claim and name", () => {
    const directories = CheckoutDirectories.open(join(place, "data"), null);
    const names = ["todo:a/b", "todo:a-b", "todo-a-b", "..", "../../etc", "x".repeat(300), "x".repeat(301), ""];
    const paths = names.map((name) => directories.path("t1", 1, name));
    expect(new Set(paths).size).toBe(names.length);
    for (const path of paths) expect(dirname(path)).toBe(join(place, "data/checkouts/t1/1"));
    expect(() => directories.path("../t", 1, "x")).toThrow();
  });

  it("are removed per task, or only those of older claims", () => {
    const directories = CheckoutDirectories.open(join(place, "data"), null);
    for (const epoch of [1, 2, 10]) writeFiles(directories.path("t1", epoch, "coder"), { x: "1" });
    directories.remove("t1", 10);
    expect([1, 2, 10].map((epoch) => existsSync(directories.path("t1", epoch, "coder")))).toEqual([false, false, true]);
    directories.remove("t1");
    expect(existsSync(join(place, "data/checkouts/t1"))).toBe(false);
    directories.remove("t1");
  });

  it.runIf(process.getuid?.() === 0)("as root lie where another user id can pass, but not look around", () => {
    chmodSync(place, 0o755);
    const shared = join(place, "shared");
    const directories = CheckoutDirectories.open(join(place, "data"), owner, [shared]);
    const path = directories.path("t1", 1, "coder");
    for (let at = dirname(path); at !== place; at = dirname(at)) expect(mode(at)).toBe(0o711);
    expect(CheckoutDirectories.open(join(place, "data-2"), owner, [shared]).root).not.toBe(directories.root);
  });

  it.runIf(process.getuid?.() === 0)("as root never lie where somebody else was first, or nobody can pass", () => {
    chmodSync(place, 0o755);
    mkdirSync(join(place, "foreign"));
    chownSync(join(place, "foreign"), 4001, 4001);
    mkdirSync(join(place, "open"));
    chmodSync(join(place, "open"), 0o777);
    symlinkSync(place, join(place, "link"));
    mkdirSync(join(place, "closed"), { mode: 0o700 });
    const bad = ["foreign", "open", "link", "closed/inside"].map((name) => join(place, name));
    expect(() => CheckoutDirectories.open(join(place, "data"), owner, bad)).toThrow(/can hold checkouts/);
    const good = join(place, "good");
    expect(CheckoutDirectories.open(join(place, "data"), owner, [...bad, good]).root.startsWith(good)).toBe(true);
  });
});
