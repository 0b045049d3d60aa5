import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { droppedIdentity } from "./identity.ts";
import { openBubblewrap } from "./open-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

const LIMITS = { cpus: 2, memoryMb: 1024, pids: 128, diskMb: 256, timeoutMs: 60_000, outputBytes: 20_000 };
let sandbox: Sandbox;
let workspace: string;

beforeAll(() => {
  sandbox = openBubblewrap();
});
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "miracle-tools-"));
  chmodSync(workspace, 0o755);
  const owner = droppedIdentity();
  if (owner) chownSync(workspace, owner.uid, owner.gid);
  return () => rmSync(workspace, { recursive: true });
});

/** What the sandbox sees: the system's own, whatever this machine's user has first in the path. */
function has(...argv: [string, ...string[]]): boolean {
  try {
    execFileSync(argv[0], argv.slice(1), { stdio: "ignore", env: { PATH: "/usr/local/bin:/usr/bin:/bin" } });
    return true;
  } catch {
    return false;
  }
}

async function expectWell(line: string, files: Record<string, string> = {}): Promise<void> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(workspace, name), content);
  const mounts = [{ from: process.execPath, to: "/opt/node/bin/node" }];
  const command = { argv: ["bash", "-e", "-c", `${line}\necho all well`], workspace, mounts, path: ["/opt/node/bin"] };
  const result = await sandbox.run(command, LIMITS, new AbortController().signal);
  expect(result, result.stderr).toMatchObject({
    ending: "exited",
    exitCode: 0,
    stdout: expect.stringMatching(/all well\n$/),
  });
}

test("Node starts threads, processes, servers and its test runner", async () => {
  const script = `
    import { test } from "node:test";
    import assert from "node:assert";
    import { once } from "node:events";
    import { Worker } from "node:worker_threads";
    import { execFileSync, fork } from "node:child_process";
    import { createServer, get } from "node:http";
    import { chmodSync, watch, writeFileSync } from "node:fs";
    test("threads", async () => assert.equal((await once(new Worker("process.exit(3)", { eval: true }), "exit"))[0], 3));
    test("processes", () => assert.equal(String(execFileSync("echo", ["x"])), "x\\n"));
    test("servers", async () => {
      const server = createServer((_, answer) => answer.end("x")).listen(0, "127.0.0.1");
      await once(server, "listening");
      const [answer] = await once(get({ port: server.address().port }), "response");
      assert.equal(answer.statusCode, 200);
      answer.resume(); server.close();
    });
    test("files", () => { watch(".").close(); writeFileSync("f", "x"); chmodSync("f", 0o755); });
    test("WebAssembly", () => new WebAssembly.Memory({ initial: 1, maximum: 65536 }));
    test("TypeScript", () => execFileSync(process.execPath, ["typed.ts"]));`;
  await expectWell("node --test own.test.mjs", {
    "own.test.mjs": script,
    "typed.ts": "const x: number = 1; console.log(x);",
  });
});

test.runIf(has("python3", "-c", "import pytest, hypothesis"))("Python runs pytest and Hypothesis", async () => {
  const script = `
import asyncio, concurrent.futures, multiprocessing, socket, sqlite3, subprocess, tempfile, threading
from hypothesis import given, strategies
@given(strategies.lists(strategies.integers()))
def test_property(items): assert sorted(sorted(items)) == sorted(items)
def double(x): return 2 * x
def test_processes():
    with multiprocessing.Pool(2) as pool: assert pool.map(double, [1, 2]) == [2, 4]
    with concurrent.futures.ThreadPoolExecutor() as pool: assert list(pool.map(double, [3])) == [6]
def test_subprocess(): assert subprocess.check_output(["echo", "x"]) == b"x\\n"
def test_asyncio(): assert asyncio.run(asyncio.sleep(0, "x")) == "x"
def test_sockets():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()): pass
def test_files(tmp_path): sqlite3.connect(tmp_path / "x.db").execute("create table t (x)")
`;
  await expectWell("python3 -m pytest -q -p no:cacheprovider test_own.py", { "test_own.py": script });
});

test.runIf(has("git", "--version"))("git makes, clones and merges repositories", async () => {
  await expectWell(`
    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
    git init -q -b main one; cd one; echo x > f; git add f; git commit -qm first; git checkout -qb side; echo y > g
    git add g; git commit -qm second; git checkout -q main; git merge -q side; git gc -q; cd ..; git clone -q one two; test -e two/g`);
});

test.runIf(has("gcc", "--version") && has("make", "--version"))("make and gcc build what runs threads", async () => {
  await expectWell("make -j2 -s && ./program", {
    Makefile: "program: program.c\n\tgcc -O1 -pthread -o $@ $<\n",
    "program.c":
      '#include <pthread.h>\n#include <stdio.h>\nvoid *run(void *x) { puts("thread"); return x; }\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return pthread_join(t, 0); }\n',
  });
});

test.runIf(has("go", "version"))("go builds and tests", async () => {
  await expectWell("export GOCACHE=/tmp/go GOTOOLCHAIN=local; go test ./...", {
    "go.mod": "module own\n\ngo 1.19\n",
    "own_test.go": 'package own\nimport "testing"\nfunc TestOwn(t *testing.T) { t.Run("x", func(t *testing.T) {}) }\n',
  });
});

test("the system's own tools copy, pack and change modes", async () => {
  await expectWell(`
    mkdir -p a/b; echo x > a/b/f; chmod 640 a/b/f; chmod -R u+rwX,go-w a; cp -a a c; tar czf a.tgz a; rm -r a; tar xzf a.tgz
    install -m 755 a/b/f program; mkfifo pipe; ln -s a link; touch -d yesterday a; find . -type f -print0 | xargs -0 ls -l > /dev/null
    timeout 5 sleep 0; nice true; nohup true > /dev/null 2>&1; setsid true; mktemp > /dev/null; script -qc true /dev/null > /dev/null`);
});
