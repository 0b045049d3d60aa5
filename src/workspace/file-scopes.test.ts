import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { scratch, writeFiles } from "../../test/awkward-tree.ts";
import { ArtifactStore } from "./artifact-store.ts";
import { removeTree } from "./remove-tree.ts";
import { isInScope } from "./scope.ts";
import { ScopedFiles } from "./scoped-files.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) removeTree(path);
});

let root: string;
beforeEach(() => {
  const top = scratch("scopes");
  made.push(top);
  root = join(top, "workspace");
  mkdirSync(root);
});

const refusal = (code: string) => ({ failure: { code } });
const hidden = /^scope\.(secret|outside)$/;

/** Every way a file tool has to a path. */
async function expectUnreachable(files: ScopedFiles, path: string): Promise<void> {
  const refused = { failure: { code: expect.stringMatching(hidden) } };
  await expect(files.read(path), `read ${path}`).rejects.toMatchObject(refused);
  await expect(files.edit(path, "a", "b"), `edit ${path}`).rejects.toMatchObject(refused);
  await expect(files.create(path, "x", { overwrite: true }), `create ${path}`).rejects.toMatchObject(refused);
}

describe("secrets that lie in a checkout all the same", () => {
  const secrets = {
    ".env": "needle",
    ".env.local": "needle",
    "deploy/.ENV.production": "needle",
    "keys/id_rsa": "needle",
    "keys/ID_ED25519.old": "needle",
    "server.p12": "needle",
    ".netrc": "needle",
    ".aws/config": "needle",
    ".ssh/known_hosts": "needle",
    ".GNUPG/ring": "needle",
    ".git/config": "needle",
    ".npmrc": "//registry/:_authToken=needle",
    "tls.pem": "-----BEGIN PRIVATE KEY-----\nneedle",
  };

  it("are neither listed nor found, read, changed or replaced", async () => {
    writeFiles(root, { ...secrets, "main.py": "needle\n", ".env.example": "needle\n", "public.pem": "needle\n" });
    const files = new ScopedFiles(root);
    const named = await files.list();
    expect(named.filter((path) => !path.endsWith("/"))).toEqual([
      ".env.example",
      ".npmrc",
      "main.py",
      "public.pem",
      "tls.pem",
    ]);
    expect(await files.search("needle")).toEqual([
      ".env.example:1: needle",
      "main.py:1: needle",
      "public.pem:1: needle",
    ]);
    expect(await files.search("n.edle", { regex: true, glob: "**/.env*" })).toEqual([".env.example:1: needle"]);
    for (const path of Object.keys(secrets).filter((path) => path !== ".npmrc" && path !== "tls.pem"))
      await expectUnreachable(files, path);
    for (const path of [".npmrc", "tls.pem"]) {
      await expect(files.read(path)).rejects.toMatchObject(refusal("scope.secret"));
      await expect(files.edit(path, "needle", "x")).rejects.toMatchObject(refusal("scope.secret"));
    }
    await expect(files.list(".aws")).rejects.toMatchObject(refusal("scope.secret"));
    await expect(files.list(".git")).rejects.toMatchObject(refusal("scope.outside"));
  });

  it("are hidden in every spelling: case, dots, slashes, spaces, invisible and wide characters", async () => {
    writeFiles(root, { ".env": "x", ".aws/credentials": "x" });
    const files = new ScopedFiles(root);
    const spellings = [
      "./.env",
      ".//.env",
      ".env/",
      ".env/.",
      " .env",
      ".ENV",
      ".Env.Local",
      ".env.",
      ".env ",
      ".e\u200bnv",
      ".\uff45nv",
      "/workspace/.env",
      ".AWS/credentials",
      ".aws/./credentials",
      ".a\u200dws/credentials",
      "a/../.env",
      ".env\0.txt",
    ];
    for (const path of spellings) await expectUnreachable(files, path);
  });

  it("are not reached through links, whatever they are called", async () => {
    writeFiles(root, { "keys/id_rsa": "x", ".ssh/config": "x", ".git/config": "x" });
    symlinkSync("keys/id_rsa", join(root, "readme.txt"));
    symlinkSync("readme.txt", join(root, "again.txt"));
    symlinkSync(".ssh", join(root, "docs"));
    symlinkSync(".git", join(root, "history"));
    const files = new ScopedFiles(root);
    for (const path of ["readme.txt", "again.txt", "docs/config", "history/config"])
      await expectUnreachable(files, path);
    await expect(files.list("docs")).rejects.toMatchObject(refusal("scope.secret"));
    await expect(files.list("history")).rejects.toMatchObject(refusal("scope.outside"));
    expect(await files.search("x")).toEqual([]);
  });

  it("never come into a snapshot, so no checkout or sandbox ever holds them", async () => {
    writeFiles(root, { ...secrets, "main.py": "1" });
    const top = scratch("scopes-store");
    made.push(top);
    const store = ArtifactStore.open(top);
    const snapshot = await store.importTree("t1", root);
    expect(store.list(snapshot.id).map(({ path }) => path)).toEqual(["main.py"]);
    const checkout = join(top, "checkout");
    await store.checkout(snapshot.id, checkout);
    // What code makes there of this kind is gone with the next checkout.
    writeFiles(checkout, { ".env": "made", ".aws/config": "made" });
    await store.checkout(snapshot.id, checkout);
    expect((await store.snapshot("t1", checkout)).leftOut).toEqual([]);
    store.close();
  });

  it("of Miracle's own data directory inside the project are left out", async () => {
    writeFiles(root, { "main.py": "1" });
    const store = ArtifactStore.open(join(root, "miracle-data"));
    const snapshot = await store.importTree("t1", root);
    expect(store.list(snapshot.id).map(({ path }) => path)).toEqual(["main.py"]);
    expect(snapshot.leftOut).toEqual([{ path: "miracle-data", why: "store" }]);
    store.close();
  });
});

describe("scopes of a role and a todo", () => {
  const scoped = (read: string[], write: string[] = []) => new ScopedFiles(root, { scopes: [{ read, write }] });

  it("hide what may not be read from list, search and read, also behind a link", async () => {
    writeFiles(root, { "src/a.py": "needle", "private/plan.md": "needle", "README.md": "needle" });
    symlinkSync("private/plan.md", join(root, "alias.md"));
    symlinkSync("private", join(root, "open"));
    const files = scoped(["!private"]);
    expect(await files.list()).toEqual(["README.md", "alias.md", "open", "src/a.py"]);
    expect(await files.search("needle")).toEqual(["README.md:1: needle", "src/a.py:1: needle"]);
    for (const path of ["private/plan.md", "alias.md", "open/plan.md", "private/../private/plan.md"])
      await expect(files.read(path)).rejects.toMatchObject({ failure: { kind: "policy" } });
  });

  it("of an allowed glob let nothing else be read, and a directory on the way be listed", async () => {
    writeFiles(root, { "src/deep/a.py": "1", "docs/b.md": "1" });
    const files = scoped(["src/**"]);
    expect(await files.list()).toEqual(["src/deep/a.py"]);
    expect((await files.read("src/deep/a.py")).text).toBe("1");
    await expect(files.read("docs/b.md")).rejects.toMatchObject(refusal("scope.denied"));
  });

  it("must all allow it: role, todo and the task's own write scope", async () => {
    const files = new ScopedFiles(root, {
      writeScope: ["src/**", "docs/**"],
      scopes: [
        { read: [], write: ["src/**", "tests/**"] },
        { read: [], write: ["!src/generated/**"] },
      ],
    });
    await files.create("src/a.py", "1");
    for (const path of ["docs/a.md", "tests/a.py", "src/generated/a.py", "a.py"])
      await expect(files.create(path, "1")).rejects.toMatchObject(refusal("scope.denied"));
  });

  it("that deny count for every spelling, and those that allow for one", () => {
    expect(isInScope(["!private/**"], "Private/x")).toBe(false);
    expect(isInScope(["!caf\u00e9/**"], "cafe\u0301/x")).toBe(false);
    expect(isInScope(["src/**"], "SRC/x")).toBe(false);
    expect(isInScope(["src/**", "!src/secret.py"], "src/secret.py")).toBe(false);
    expect(isInScope(["src/**", "!src/secret.py"], "src/other.py")).toBe(true);
    expect(isInScope([], "anything")).toBe(true);
  });

  it("do not write through a hard link to a denied file", async () => {
    writeFiles(root, { "private/plan.md": "before", "src/x.py": "" });
    linkSync(join(root, "private/plan.md"), join(root, "src/alias.md"));
    const files = scoped([], ["src/**"]);
    await files.create("src/alias.md", "after", { overwrite: true });
    expect((await new ScopedFiles(root).read("private/plan.md")).text).toBe("before");
  });
});
