import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For tests: a directory that goes away with the test run's temporary directory. */
export const scratch = (name: string): string => mkdtempSync(join(tmpdir(), `miracle-${name}-`));

export function writeFiles(root: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Everything that has ever broken a copy of a tree. `marker` appears if a filter of the user's runs. */
export function makeAwkwardTree(root: string, marker: string): void {
  writeFiles(root, {
    "crlf.txt": "one\r\ntwo\r\n",
    "no-newline.txt": "end",
    "empty.txt": "",
    "binary.bin": Buffer.from([0, 1, 2, 255, 254, 0, 13, 10]),
    "filtered.txt": "$Id$ stays\r\n",
    ".gitattributes": "*.txt text eol=lf filter=evil ident working-tree-encoding=UTF-16\n",
    "run.sh": "#!/bin/sh\n",
    "private.conf": "mode 600",
    "readonly.txt": "mode 444",
    "name with\nnewline": "1",
    "quote\"d'.txt": "2",
    "tab\there": "3",
    "caf\u00e9-nfc.txt": "composed",
    "cafe\u0301-nfd.txt": "decomposed",
    "\u{1f600}.txt": "astral: after the next by bytes, before it by UTF-16",
    "\uff5e.txt": "fullwidth",
    "-dash": "4",
    "back\\slash": "5",
    "a.b/x": "sorts before a/",
    "a/x": "6",
    "a-b/x": "7",
    __proto__: "8",
    [`${"long".repeat(50)}.txt`]: "a name of 204 bytes",
    [`${Array(12).fill("deep-directory-name-of-some-length").join("/")}/f`]: "deep",
    "nested/.git/HEAD": "ref: refs/heads/main\n",
    "nested/code.py": "print(1)\n",
    "module/.git": "gitdir: ../.git/modules/module\n",
    "module/lib.js": "1\n",
    "big-file.lfs": "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345678\n",
    ".git/config": `[filter "evil"]\n\tclean = touch ${marker}; cat\n\tsmudge = touch ${marker}; cat\n`,
    ".env.example": "KEY=\n",
  });
  chmodSync(join(root, "run.sh"), 0o755);
  chmodSync(join(root, "private.conf"), 0o600);
  chmodSync(join(root, "readonly.txt"), 0o444);
  mkdirSync(join(root, "empty/inner"), { recursive: true });
  mkdirSync(join(root, "a/empty"), { recursive: true });
  symlinkSync("crlf.txt", join(root, "link"));
  symlinkSync("/etc/passwd", join(root, "link-out"));
  symlinkSync("nowhere/at/all", join(root, "dangling"));
  symlinkSync("a", join(root, "link-to-directory"));
}

/** Secrets, dependencies, caches and what is no file: none of it may be stored. */
export function addLeftOut(root: string): void {
  writeFiles(root, {
    ".env": "KEY=secret",
    "sub/.env.production": "KEY=secret",
    "server.pem": "-----BEGIN PRIVATE KEY-----\n",
    id_rsa: "key",
    "tls.key": "key",
    ".npmrc": "//registry/:_authToken=abc\n",
    "node_modules/x/index.js": "1",
    "sub/.venv/bin/python": "1",
    "__pycache__/a.pyc": "1",
  });
  if (spawnSync("mkfifo", [join(root, "pipe")]).status !== 0) throw new Error("mkfifo is needed for this test");
}

/** What a tree holds, as one comparable value; `.git` is nobody's business. */
export function describeTree(root: string, relative = ""): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  const names = readdirSync(join(root, relative)).filter((name) => name !== ".git");
  if (names.length === 0 && relative !== "") found[relative] = "empty directory";
  for (const name of names) {
    const path = relative === "" ? name : `${relative}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isSymbolicLink()) found[path] = `link to ${readlinkSync(join(root, path))}`;
    else if (stats.isDirectory()) Object.assign(found, describeTree(root, path));
    else
      found[path] =
        `${(stats.mode & 0o777).toString(8)} ${stats.isFile() ? readFileSync(join(root, path)).toString("latin1") : "special"}`;
  }
  return found;
}

export function systemGit(gitDirectory: string, ...args: string[]): string {
  const result = spawnSync("git", args, {
    env: { GIT_DIR: gitDirectory, PATH: process.env.PATH ?? "" },
    encoding: "utf8",
  });
  if (result.status !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr}${result.stdout}`);
  return result.stdout + result.stderr;
}

/** What `git fsck` finds wrong; that nobody is on a branch is not wrong. */
export function problemsIn(gitDirectory: string): string[] {
  const output = systemGit(gitDirectory, "fsck", "--full", "--strict", "--no-dangling");
  return output
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("notice: HEAD points to an unborn branch"));
}
