import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SampleRepository } from "../../../test/sample-repository.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { takeChange } from "./take-change.ts";

const store = () => ArtifactStore.open(temporaryDirectory("miracle-store-"));
const change = async (directory: string, base?: string) => {
  const artifacts = store();
  const taken = await takeChange(artifacts, "p1", directory, base);
  const changes = artifacts.changes(taken.base, taken.result).map(({ path, change }) => `${change} ${path}`);
  return { ...taken, artifacts, changes };
};

test("on the default branch the change is what is not committed, untracked files included and ignored ones not", async () => {
  const repository = new SampleRepository({ "a.py": "a\n", "b.py": "b\n", ".gitignore": "out/\n" });
  repository.write({ "a.py": "a2\n", "new file.py": "n\n", "out/x": "x\n" });
  repository.remove("b.py");
  const { changes, since } = await change(repository.directory);
  expect(changes).toEqual(["modified a.py", "deleted b.py", "added new file.py"]);
  expect(since).toContain("HEAD: what is not committed yet");
});

test("where everything is committed it is the last commit; on a branch all of the branch", async () => {
  const repository = new SampleRepository({ "a.py": "1\n" });
  repository.commit({ "a.py": "2\n" });
  const head = repository.git("rev-parse", "HEAD").trim().slice(0, 7);
  const subject = repository.git("log", "-1", "--format=%s").trim();
  expect(await change(repository.directory)).toMatchObject({
    changes: ["modified a.py"],
    lastCommit: `${head} "${subject}"`,
  });
  repository.git("checkout", "-q", "-b", "topic");
  repository.commit({ "b.py": "1\n" });
  repository.commit({ "c.py": "1\n" });
  repository.write({ "d.py": "1\n" });
  const { changes, since, lastCommit } = await change(repository.directory);
  expect(lastCommit).toBeUndefined();
  expect(changes).toEqual(["added b.py", "added c.py", "added d.py"]);
  expect(since).toContain("merge base with main");
});

test("a first commit, no commit at all and a detached HEAD are no obstacle", async () => {
  const repository = new SampleRepository({ "a.py": "1\n" });
  expect(await change(repository.directory)).toMatchObject({ changes: ["added a.py"], baseCommit: null });
  repository.git("checkout", "-q", "--detach");
  repository.write({ "a.py": "2\n" });
  expect((await change(repository.directory)).changes).toEqual(["modified a.py"]);
  const unborn = new SampleRepository({});
  unborn.write({ "a.py": "1\n" });
  expect(await change(unborn.directory)).toMatchObject({ changes: ["added a.py"], baseCommit: null });
});

test("names of every kind, binary files, links and modes come through as they are", async () => {
  const repository = new SampleRepository({ "line\nbreak.py": "1\n", "sp ace/ü.py": "1\n" });
  const bytes = Buffer.from([0, 255, 13, 10, 1]);
  writeFileSync(join(repository.directory, "b.bin"), bytes);
  symlinkSync("/etc/passwd", join(repository.directory, "link"));
  repository.write({ "line\nbreak.py": "2\n", run: "#!/bin/sh\n" });
  execFileSync("chmod", ["+x", join(repository.directory, "run")]);
  const { artifacts, result, changes } = await change(repository.directory);
  expect(changes).toEqual(["added b.bin", "modified line\nbreak.py", "added link", "added run"]);
  expect(artifacts.readFile(result, "b.bin")).toEqual(bytes);
  const entries = new Map(artifacts.list(result).map((entry) => [entry.path, entry]));
  expect(entries.get("link")).toMatchObject({ kind: "link" });
  expect(entries.get("run")).toMatchObject({ permissions: 0o755 });
});

test("never reads through a link that took the place of a directory", async () => {
  const repository = new SampleRepository({ "d/passwd": "ours\n" });
  rmSync(join(repository.directory, "d"), { recursive: true });
  symlinkSync("/etc", join(repository.directory, "d"));
  expect((await change(repository.directory)).changes).toEqual(["added d", "deleted d/passwd"]);
});

test("a link in the place of packages is in neither tree, and said where git tracks it", async () => {
  const repository = new SampleRepository({ "a.py": "1\n", ".gitignore": "node_modules/\n" });
  repository.write({ "a.py": "2\n" });
  symlinkSync("/elsewhere", join(repository.directory, "node_modules"));
  expect(await change(repository.directory)).toMatchObject({ changes: ["modified a.py"], leftOut: [] });
  mkdirSync(join(repository.directory, "part"));
  symlinkSync("/elsewhere", join(repository.directory, "part/.venv"));
  repository.git("add", "part/.venv");
  const { changes, leftOut } = await change(repository.directory);
  expect(changes).toEqual(["modified a.py"]);
  expect(leftOut).toMatchObject([{ path: "part/.venv", standing: "not-judged" }]);
});

test("runs no filter, hook or monitor of the repository and leaves its directory untouched", async () => {
  const repository = new SampleRepository({ "a.txt": "1\n", ".gitattributes": "*.txt filter=evil diff=evil\n" });
  const trace = join(repository.directory, "..", "trace");
  const program = `sh -c 'echo ran >> ${trace}; cat'`;
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv"])
    repository.git("config", key, program);
  repository.git("config", "core.fsmonitor", program);
  repository.write({ "a.txt": "2\n" });
  const index = () => statSync(join(repository.directory, ".git/index")).mtimeMs;
  const before = index();
  expect((await change(repository.directory)).changes).toEqual(["modified a.txt"]);
  expect(() => readFileSync(trace)).toThrow();
  expect(index()).toBe(before);
});

test("line ends that git converts are no change; others are", async () => {
  const repository = new SampleRepository({
    "a.py": "1\n2\n",
    "b.py": "1\n2\n",
    ".gitattributes": "a.py text eol=crlf\n",
  });
  repository.write({ "a.py": "1\r\n2\r\n", "b.py": "1\r\n2\r\n" });
  expect((await change(repository.directory, "HEAD")).changes).toEqual(["modified b.py"]);
});

test("a submodule counts with what it holds, uncommitted changes included", async () => {
  const inner = new SampleRepository({ "lib.py": "1\n" });
  const repository = new SampleRepository({ "a.py": "1\n" });
  repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.directory, "sub");
  repository.commit({});
  writeFileSync(join(repository.directory, "sub/lib.py"), "2\n");
  expect((await change(repository.directory, "HEAD")).changes).toEqual(["modified sub/lib.py"]);
  rmSync(join(repository.directory, "sub"), { recursive: true });
  mkdirSync(join(repository.directory, "sub"));
  const bare = await change(repository.directory, "HEAD");
  expect(bare.changes).toEqual([]);
  expect(bare.notes.join()).toContain("submodule sub");
});

test("in a part of a monorepo only that part is judged", async () => {
  const repository = new SampleRepository({ "p/a/x.py": "1\n", "p/b/y.py": "1\n" });
  repository.write({ "p/a/x.py": "2\n", "p/b/y.py": "2\n" });
  const { changes, notes } = await change(join(repository.directory, "p/a"));
  expect(changes).toEqual(["modified x.py"]);
  expect(notes).toEqual(["only p/a/ was judged: what lies outside of it is in neither tree"]);
});

test("secrets and dependencies are in neither tree", async () => {
  const repository = new SampleRepository({ ".env": "A=1\n", "node_modules/x/i.js": "1\n", "a.js": "1\n" });
  repository.write({ ".env": "A=2\n", "node_modules/x/i.js": "2\n", "a.js": "2\n" });
  const { changes, notes } = await change(repository.directory);
  expect(changes).toEqual(["modified a.js"]);
  expect(notes).toEqual([".env looks secret by its name: it is in neither tree"]);
});

test("a large file that stands for its pointer is no change", async () => {
  const repository = new SampleRepository({
    "big.dat":
      "version https://git-lfs.github.com/spec/v1\noid sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae\nsize 3\n",
  });
  repository.write({ "big.dat": "foo" });
  expect((await change(repository.directory, "HEAD")).changes).toEqual([]);
});

test("what is too large is refused before it is read, unless the commit before names it as not needed", async () => {
  const repository = new SampleRepository({ "a.py": "1\n" });
  repository.write({ "a.py": "2\n", "data/huge.bin": "" });
  truncateSync(join(repository.directory, "data/huge.bin"), 2e9);
  await expect(change(repository.directory)).rejects.toThrow(/more than 100000 files or 1000 MB.*\.miracleignore/);
  repository.write({ ".miracleignore": "data\n" });
  await expect(change(repository.directory)).rejects.toThrow(/commit a \.miracleignore/);
  repository.git("add", ".miracleignore");
  repository.git("commit", "-qm", "data is not needed");
  expect((await change(repository.directory)).changes).toEqual(["modified a.py"]);
});

test("a change cannot name what is left out of it", async () => {
  const repository = new SampleRepository({ ".miracleignore": "data\n", "a.py": "1\n", "data/b.py": "1\n" });
  repository.write({ ".miracleignore": "a.py\n", "a.py": "2\n", "data/b.py": "2\n" });
  const { changes } = await change(repository.directory);
  expect(changes).toEqual(["modified .miracleignore", "modified a.py"]);
});

test("says what to do where there is no repository, or no such revision", async () => {
  await expect(change(temporaryDirectory())).rejects.toThrow(/in no git repository/);
  const repository = new SampleRepository({ "a.py": "1\n" });
  await expect(change(repository.directory, "nowhere")).rejects.toThrow(/nowhere names no commit/);
  await expect(change(repository.directory, "--upload-pack=x")).rejects.toThrow(/names no commit/);
});
