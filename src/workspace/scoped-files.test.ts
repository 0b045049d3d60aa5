import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { scratch, writeFiles } from "../../test/awkward-tree.ts";
import { removeTree } from "./remove-tree.ts";
import { ScopedFiles } from "./scoped-files.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) removeTree(path);
});

let root: string;
let outside: string;
let files: ScopedFiles;
beforeEach(() => {
  const top = scratch("files");
  made.push(top);
  root = join(top, "workspace");
  outside = join(top, "outside");
  mkdirSync(root);
  writeFiles(outside, { "secret.txt": "outside" });
  files = new ScopedFiles(root);
});

const refusal = (code: string, message?: RegExp) => ({
  failure: { code, ...(message && { message: expect.stringMatching(message) }) },
});

describe("the scope", () => {
  const escapes = ["../outside/secret.txt", "a/../../outside/secret.txt", "/etc/passwd", "~/x", "", ".", "a\0b"];

  it("never writes outside the workspace", async () => {
    for (const path of escapes) await expect(files.create(path, "x")).rejects.toMatchObject(refusal("scope.outside"));
  });

  it("never reads outside the workspace", async () => {
    for (const path of escapes.slice(0, 4))
      await expect(files.read(path)).rejects.toMatchObject(refusal("scope.outside"));
  });

  it("never follows a link out, in any place of the path", async () => {
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "secret.txt"), join(root, "file"));
    symlinkSync("out", join(root, "out-again"));
    symlinkSync(join(outside, "new.txt"), join(root, "dangling"));
    for (const path of ["out/secret.txt", "file", "out-again/secret.txt", "dangling"]) {
      await expect(files.read(path)).rejects.toMatchObject(refusal("scope.outside"));
      await expect(files.create(path, "x", { overwrite: true })).rejects.toMatchObject(refusal("scope.outside"));
      await expect(files.edit(path, "outside", "x")).rejects.toMatchObject(refusal("scope.outside"));
    }
    await expect(files.create("out/deep/new.txt", "x")).rejects.toMatchObject(refusal("scope.outside"));
    await expect(files.list("out")).rejects.toMatchObject(refusal("scope.outside"));
    expect(await files.search("outside")).toEqual([]);
    expect(existsSync(join(outside, "new.txt"))).toBe(false);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("outside");
  });

  it("follows a link that stays inside, but not to a locked file", async () => {
    writeFiles(root, { "tests/test_a.py": "assert", "src/a.py": "code" });
    symlinkSync("src", join(root, "lib"));
    symlinkSync("tests/test_a.py", join(root, "alias.py"));
    const scoped = new ScopedFiles(root, { locked: ["tests/test_a.py"] });
    expect((await scoped.read("lib/a.py")).text).toBe("code");
    await expect(scoped.create("alias.py", "x", { overwrite: true })).rejects.toMatchObject(refusal("scope.locked"));
    await expect(scoped.create("tests/test_a.py", "x", { overwrite: true })).rejects.toMatchObject(
      refusal("scope.locked"),
    );
  });

  it("does not change a file outside through a hard link", async () => {
    linkSync(join(outside, "secret.txt"), join(root, "hard.txt"));
    await files.edit("hard.txt", "outside", "inside");
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("outside");
    expect(readFileSync(join(root, "hard.txt"), "utf8")).toBe("inside");
  });

  it("takes the path that commands see for the workspace", async () => {
    await files.create("/workspace/a/b.txt", "x\n");
    expect((await files.read("a/b.txt")).text).toBe("x\n");
  });

  it("refuses git's own files, secrets and dependency directories for writing", async () => {
    for (const path of [".git/hooks/pre-commit", "a/.GIT/config", ".git"]) {
      await expect(files.create(path, "x")).rejects.toMatchObject(refusal("scope.outside"));
    }
    for (const path of [".env", "deploy/id_rsa", "tls.key"]) {
      await expect(files.create(path, "x")).rejects.toMatchObject(refusal("scope.secret"));
    }
    await expect(files.create("node_modules/x.js", "x")).rejects.toMatchObject(refusal("scope.outside"));
    await expect(files.create("a.pem", "-----BEGIN PRIVATE KEY-----")).rejects.toMatchObject(refusal("scope.secret"));
    await files.create(".env.example", "KEY=\n");
  });

  it("keeps to the write scope, and a denial wins", async () => {
    const scoped = new ScopedFiles(root, { writeScope: ["src/**", "*.md", "!src/generated"], locked: ["**/*.lock"] });
    await scoped.create("src/a/b.py", "1");
    await scoped.create("docs/x.md", "1");
    for (const path of ["lib/a.py", "src/generated/a.py"]) {
      await expect(scoped.create(path, "1")).rejects.toMatchObject(refusal("scope.denied"));
    }
    await expect(scoped.create("src/poetry.lock", "1")).rejects.toMatchObject(refusal("scope.locked"));
  });
});

describe("read", () => {
  it("gives a small file whole, with plain line ends", async () => {
    writeFiles(root, { "a.txt": "one\r\ntwo\r\n", "b.txt": "no end", "c.txt": "", "d.txt": "\n" });
    expect(await files.read("a.txt")).toMatchObject({ text: "one\ntwo\n", totalLines: 2, complete: true });
    expect((await files.read("b.txt")).text).toBe("no end");
    expect(await files.read("c.txt")).toMatchObject({ text: "", totalLines: 0, complete: true });
    expect(await files.read("d.txt")).toMatchObject({ text: "\n", totalLines: 1 });
  });

  it("gives a window and says how to go on", async () => {
    writeFiles(root, { "a.txt": Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join("\n") });
    expect((await files.read("a.txt", { fromLine: 10, lines: 2 })).text).toBe(
      "line 10\nline 11\n[lines 10 to 11 of 3000; go on with fromLine 12]",
    );
    expect(await files.read("a.txt", { fromLine: 3000 })).toMatchObject({ fromLine: 3000, toLine: 3000 });
    expect((await files.read("a.txt", { lines: 99999 })).toLine).toBe(2000);
    await expect(files.read("a.txt", { fromLine: 3001 })).rejects.toMatchObject(refusal("file.lines", /3000 lines/));
  });

  it("shows part of a 50 MB file without holding it in memory", async () => {
    writeFileSync(join(root, "big.log"), Buffer.alloc(50 << 20, "0123456789 0123456789 0123456789\n"));
    const before = process.memoryUsage().arrayBuffers;
    const window = await files.read("big.log", { fromLine: 1_000_000, lines: 3 });
    expect(window.text).toContain("0123456789");
    expect(window.totalLines).toBe(null);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 << 20);
    writeFileSync(join(root, "one-line.json"), Buffer.alloc(50 << 20, "x"));
    expect((await files.read("one-line.json")).text.length).toBeLessThan(10_000);
  });

  it("refuses binary files, directories, pipes and what is missing, each in its own words", async () => {
    writeFiles(root, { "a.bin": Buffer.from([1, 0, 2]), "d/x": "1" });
    spawnSync("mkfifo", [join(root, "pipe")]);
    await expect(files.read("a.bin")).rejects.toMatchObject(refusal("file.binary", /binary file, 3 bytes/));
    await expect(files.read("d")).rejects.toMatchObject(refusal("file.directory"));
    await expect(files.read("pipe")).rejects.toMatchObject(refusal("file.special"));
    await expect(files.read("none.txt")).rejects.toMatchObject(refusal("file.missing"));
    await expect(files.read("d/x/y")).rejects.toMatchObject(refusal("file.missing"));
  });
});

describe("create and edit", () => {
  it("make directories, return hashes, and do not overwrite unasked", async () => {
    const written = await files.create("a/b/c.txt", "hello\n");
    expect(written).toEqual({ path: "a/b/c.txt", before: null, after: "ce013625030ba8dba906f756967f9e9ca394464a" });
    await expect(files.create("a/b/c.txt", "x")).rejects.toMatchObject(refusal("file.exists"));
    const again = await files.create("a/b/c.txt", "x", { overwrite: true });
    expect(again.before).toBe(written.after);
    await expect(files.create("a/b", "x", { overwrite: true })).rejects.toMatchObject(refusal("file.directory"));
    await expect(files.create("a/b/c.txt/d", "x")).rejects.toMatchObject(refusal("file.missing"));
  });

  it("keep the mode of the file", async () => {
    writeFiles(root, { "run.sh": "old" });
    chmodSync(join(root, "run.sh"), 0o755);
    await files.edit("run.sh", "old", "new");
    expect(statSync(join(root, "run.sh")).mode & 0o777).toBe(0o755);
  });

  it("match \\n in a file with CRLF and keep its line ends", async () => {
    writeFiles(root, { "a.txt": "one\r\ntwo\r\nthree\r\n", "mixed.txt": "a\nb\r\nc\r\nd\n" });
    await files.edit("a.txt", "two\nthree\n", "2\n2.5\n3\n");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\r\n2\r\n2.5\r\n3\r\n");
    await files.edit("a.txt", "one", "1\n1.5");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("1\r\n1.5\r\n2\r\n2.5\r\n3\r\n");
    await files.edit("mixed.txt", "a\n", "A\nA\n");
    expect(readFileSync(join(root, "mixed.txt"), "utf8")).toBe("A\nA\nb\r\nc\r\nd\n");
    await files.edit("mixed.txt", "\nd\n", "\nD\n");
    expect(readFileSync(join(root, "mixed.txt"), "utf8")).toBe("A\nA\nb\r\nc\r\nD\r\n");
  });

  it("say how often an ambiguous text matches, and where", async () => {
    writeFiles(root, { "a.txt": "x\ny\nx\nx\n" });
    await expect(files.edit("a.txt", "x", "z")).rejects.toMatchObject(
      refusal("edit.no-match", /3 times \(lines 1, 3, 4\)/),
    );
  });

  it("say where a text nearly matches, or that the edit is already made", async () => {
    writeFiles(root, { "a.py": "def f():\n    return 1\n\ndef g():\n\treturn 2\n" });
    const miss = files.edit("a.py", "  return 2", "return 3");
    await expect(miss).rejects.toMatchObject(refusal("edit.no-match", /line 5, but spaces/));
    const done = files.edit("a.py", "return 9", "return 1");
    await expect(done).rejects.toMatchObject(refusal("edit.no-match", /already there at line 2/));
    await expect(files.edit("a.py", "nothing like it", "x")).rejects.toMatchObject(refusal("edit.no-match", /copy/));
    await expect(files.edit("a.py", "return 1", "return 1")).rejects.toMatchObject(refusal("edit.no-match", /same/));
    await expect(files.edit("a.py", "", "x")).rejects.toMatchObject(refusal("edit.no-match", /empty/));
  });

  it("do not damage what is no UTF-8", async () => {
    writeFiles(root, { "latin.txt": Buffer.from([0x63, 0xe9, 0x0a]), "bom.txt": "\ufeffone\n" });
    await expect(files.edit("latin.txt", "c", "d")).rejects.toMatchObject(refusal("file.encoding"));
    await files.edit("bom.txt", "one", "two");
    expect(readFileSync(join(root, "bom.txt"), "utf8")).toBe("\ufefftwo\n");
  });

  it("leave no temporary file behind", async () => {
    await files.create("a.txt", "1");
    await files.edit("a.txt", "1", "2");
    expect(await files.list()).toEqual(["a.txt"]);
  });
});

describe("list and search", () => {
  it("list sorted, to a depth, without git's files and with dependencies only named", async () => {
    writeFiles(root, { "b.txt": "", "a/x/y/z.txt": "", ".git/HEAD": "", "node_modules/m/i.js": "", "a.b": "" });
    mkdirSync(join(root, "empty"));
    symlinkSync("/", join(root, "root"));
    expect(await files.list()).toEqual(["a.b", "a/x/y/z.txt", "b.txt", "empty/", "node_modules/", "root"]);
    expect(await files.list(".", { depth: 2 })).toEqual(["a.b", "a/x/", "b.txt", "empty/", "node_modules/", "root"]);
    expect(await files.list("a")).toEqual(["a/x/y/z.txt"]);
    await expect(files.list("b.txt")).rejects.toMatchObject(refusal("file.missing"));
  });

  it("list at most 500", async () => {
    for (let index = 0; index < 600; index += 1) writeFileSync(join(root, `f${index}`), "");
    const listing = await files.list();
    expect(listing).toHaveLength(501);
    expect(listing.at(-1)).toMatch(/more files/);
  });

  it("find plain text, by glob and by regular expression", async () => {
    writeFiles(root, { "a.py": "x = 1\ny = (2)\r\n", "b/c.js": "let y = (2);\n", "d.bin": Buffer.from("y = (2)\0") });
    expect(await files.search("= (2)")).toEqual(["a.py:2: y = (2)", "b/c.js:1: let y = (2);"]);
    expect(await files.search("= (2)", { glob: "*.js" })).toEqual(["b/c.js:1: let y = (2);"]);
    expect(await files.search("^[xy] =", { regex: true })).toEqual(["a.py:1: x = 1", "a.py:2: y = (2)"]);
    expect(await files.search("LET", { ignoreCase: true })).toHaveLength(1);
    await expect(files.search("(", { regex: true })).rejects.toMatchObject(refusal("search.pattern"));
  });

  it("find at most 100 and cut long lines", async () => {
    writeFiles(root, { "a.txt": "needle\n".repeat(500), "b.txt": `needle${"x".repeat(100_000)}` });
    expect(await files.search("needle")).toHaveLength(101);
    expect((await files.search("needlex"))[0]?.length).toBeLessThan(300);
  });

  it("end a regular expression that would never end", async () => {
    writeFiles(root, { "a.txt": `${"a".repeat(60)}b\n` });
    await expect(files.search("^(a+)+$", { regex: true })).rejects.toMatchObject(refusal("search.slow"));
  });
});
