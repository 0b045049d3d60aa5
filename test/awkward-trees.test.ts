import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { addLeftOut, describeTree, makeAwkwardTree } from "./awkward-tree.ts";
import type { CommandOptions } from "./command-line.ts";
import { giveToOrdinaryUser, isRoot, ordinaryUser } from "./ordinary-user.ts";
import { addGoal, byRole, byTurn, call } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { quickPlace } from "./temporary.ts";

/** Everything a change can do to a tree: edit, add, remove, rename, change a mode, empty a directory. */
const changes = [
  call("edit_file", { path: "crlf.txt", oldText: "two", newText: "2" }),
  call("create_file", { path: "new/deep/file.txt", content: "new\n" }),
  call("run_command", {
    command: "rm no-newline.txt a/x && mv run.sh moved.sh && chmod 755 empty.txt && echo more >> nested/code.py",
  }),
  call("finish", { summary: "changed a little of everything" }),
];

function changed(tree: Record<string, string>): Record<string, string> {
  const { "no-newline.txt": _, "a/x": __, "run.sh": moved = "", ...rest } = tree;
  return {
    ...rest,
    "crlf.txt": "644 one\r\n2\r\n",
    "new/deep/file.txt": "644 new\n",
    "moved.sh": moved,
    "empty.txt": "755 ",
    "nested/code.py": "644 print(1)\nmore\n",
  };
}

const users: [string, CommandOptions][] = [["an ordinary user", ordinaryUser]];
if (isRoot) users.unshift(["root", {}]);

test.each(users)(
  "as %s: an awkward tree gets exactly the change, and undo takes exactly that back",
  async (_, user) => {
    const terminal = await ScriptedTerminal.open(byTurn(...changes));
    const marker = join(terminal.root, "a-filter-ran");
    makeAwkwardTree(terminal.project, marker);
    addLeftOut(terminal.project);
    if (user.uid !== undefined) {
      giveToOrdinaryUser(terminal.root);
      writeFileSync(join(terminal.project, "not-yours.txt"), "root's\n", { mode: 0o600 });
    }
    const before = terminal.tree();
    const owner = lstatSync(join(terminal.project, "crlf.txt")).uid;
    const accept = [
      "printf 'one\\r\\n2\\r\\n' | cmp - crlf.txt",
      "test $(stat -c %a private.conf) = 600 && test -r private.conf && test -d empty/inner",
      "test $(readlink link-out) = /etc/passwd && test -e 'name with\nnewline' && test ! -e .env && test ! -e .git",
    ].flatMap((command) => ["--accept", command]);
    const end = await terminal.run(["run", "--direct", "--quiet", "change a little", ...accept], user);
    expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
    expect(terminal.tree()).toEqual(changed(before));
    expect(existsSync(marker)).toBe(false);
    for (const path of ["crlf.txt", "new/deep", "new/deep/file.txt", "moved.sh"]) {
      expect(lstatSync(join(terminal.project, path)).uid, path).toBe(owner);
    }
    const undone = await terminal.run(["undo", "--last"], user);
    expect(undone, undone.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
    expect(terminal.tree()).toEqual(before);
  },
);

test.each(users)("as %s: a goal is proven in an awkward tree without any repository", async (_, user) => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  makeAwkwardTree(terminal.project, join(terminal.root, "a-filter-ran"));
  execFileSync("rm", ["-r", join(terminal.project, ".git")]);
  if (user.uid !== undefined) giveToOrdinaryUser(terminal.root);
  const before = terminal.tree();
  const end = await terminal.run(["run", "--quiet", "Write a module that adds two numbers"], user);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  const { "calc.py": code, "tests/test_add.py": tests, ...rest } = terminal.tree();
  expect(rest).toEqual(before);
  expect(code).toBe("644 def add(a, b):\n    return a + b\n");
  expect(tests).toContain("assert add(2, 3) == 5");
  expect(existsSync(join(terminal.root, "a-filter-ran"))).toBe(false);
});

test("what code closes against everybody is closed, not gone", async () => {
  const script = byTurn(call("run_command", { command: "chmod 000 file.txt sub/inner.txt sub . " }));
  const terminal = await ScriptedTerminal.open(script, { "file.txt": "kept\n", "sub/inner.txt": "kept too\n" });
  giveToOrdinaryUser(terminal.root);
  const end = await terminal.run(["run", "--direct", "--quiet", "close it", "--accept", "chmod 000 ."], ordinaryUser);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.tree()).toEqual({ "file.txt": "0 kept\n", "sub/inner.txt": "0 kept too\n" });
});

test("a dirty repository keeps its index, its uncommitted changes and every byte of .git", async () => {
  const terminal = await ScriptedTerminal.open(
    byTurn(
      call("edit_file", { path: "unstaged.txt", oldText: "mine", newText: "ours" }),
      call("create_file", { path: "hello.txt", content: "hello\n" }),
    ),
    {
      "staged.txt": "one\r\n",
      "unstaged.txt": "one\r\n",
      "same.txt": "same\n",
      ".gitattributes": "*.txt text eol=lf filter=evil\n",
      ".gitignore": "*.log\n",
    },
  );
  const { project } = terminal;
  const marker = join(terminal.root, "a-filter-ran");
  const env = { PATH: "/usr/bin:/bin", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, encoding: "utf8", stdio: "pipe", env });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first");
  terminal.write({
    "staged.txt": "two\r\n",
    "unstaged.txt": "mine\r\n",
    "untracked.txt": "new\n",
    "debug.log": "ignored\n",
  });
  git("add", "staged.txt");
  const statusBefore = git("status", "--porcelain");
  // From here on every git that reads the files would run it.
  git("config", "filter.evil.clean", `touch ${marker}; cat`);
  git("config", "filter.evil.smudge", `touch ${marker}; cat`);
  git("config", "core.fsmonitor", `touch ${marker}`);
  const repository = { ...describeTree(join(project, ".git")) };
  const end = await terminal.run(["run", "--direct", "--quiet", "say hello", "--accept", "grep ours unstaged.txt"]);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(existsSync(marker)).toBe(false);
  expect({ ...describeTree(join(project, ".git")) }).toEqual(repository);
  expect(terminal.tree()).toMatchObject({
    "staged.txt": "644 two\r\n",
    "unstaged.txt": "644 ours\r\n",
    "untracked.txt": "644 new\n",
    "hello.txt": "644 hello\n",
    "debug.log": "644 ignored\n",
  });
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor"]) git("config", "--unset", key);
  expect(git("status", "--porcelain").split("\n").sort()).toEqual([...statusBefore.split("\n"), "?? hello.txt"].sort());
  expect(git("show", ":unstaged.txt")).toBe("one\n");
  expect(git("show", ":staged.txt")).toBe("two\n");
});

test("30,000 files are no obstacle", { timeout: 300_000 }, async () => {
  const script = byTurn(
    call("edit_file", { path: "part-7/file-7.txt", oldText: "7", newText: "seven" }),
    call("run_command", { command: "find . -name 'file-*' | wc -l" }),
  );
  // As an ordinary user, whose checkouts stand beside the database.
  const terminal = await ScriptedTerminal.open(script, {}, quickPlace(1e9));
  for (let part = 0; part < 100; part += 1) {
    const directory = join(terminal.project, `part-${part}`);
    mkdirSync(directory);
    for (let file = 0; file < 300; file += 1) writeFileSync(join(directory, `file-${file}.txt`), `${file}\n`);
  }
  giveToOrdinaryUser(terminal.root);
  const before = terminal.tree();
  const run = ["run", "--direct", "--quiet", "change one file", "--accept", "grep seven part-7/file-7.txt"];
  const end = await terminal.run(run, ordinaryUser);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.server.requests[2]?.messages.at(-1)?.text).toBe("30000");
  expect(terminal.tree()).toEqual({ ...before, "part-7/file-7.txt": "644 seven\n" });
});
