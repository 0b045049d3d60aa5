import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { nodeItself } from "../../languages/javascript/find-node.ts";
import { droppedIdentity } from "../../sandbox/identity.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { runBenchmark } from "./run-benchmark.ts";

const limits = { cpus: 2, memoryMb: 512, pids: 100, diskMb: 64, timeoutMs: 20_000, outputBytes: 20_000 };
const toolchain = { ...nodeItself({ execPath: process.execPath, version: process.version }), env: {} };
const sandbox = openSandbox({ backend: "bubblewrap" });
const { signal } = new AbortController();
afterAll(() => sandbox[Symbol.asyncDispose]());

function run(files: Record<string, string>, path: string, [size, seed]: [number, number] = [10, 1]) {
  const workspace = mkdtempSync(join(tmpdir(), "miracle-speed-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(workspace, name, ".."), { recursive: true });
    writeFileSync(join(workspace, name), content);
  }
  const owner = droppedIdentity();
  if (owner) chownSync(workspace, owner.uid, owner.gid);
  return runBenchmark({ sandbox, limits, signal, toolchain, workspace, path, size, seed, mark: "m4rk" });
}

const BENCH = `import random
from slow import total

SIZE = 10


def prepare(size, seed):
    return [random.Random(seed).random() for _ in range(size)]


def work(data):
    return total(data)
`;

test("the result depends on seed and size alone, in Python and in JavaScript", async () => {
  const python = { "slow.py": "def total(data):\n    return sum(data)\n", "bench/bench_x.py": BENCH };
  const [one, again, other] = [
    await run(python, "bench/bench_x.py"),
    await run(python, "bench/bench_x.py"),
    await run(python, "bench/bench_x.py", [10, 2]),
  ];
  expect(one.problem).toBe("");
  expect(one.result).toMatch(/^[0-9a-f]{64}$/);
  expect([again.result === one.result, other.result === one.result]).toEqual([true, false]);
  const node = {
    "src/slow.js": "exports.total = (data) => data.reduce((sum, one) => sum + one, 0);\n",
    "bench/x.bench.js":
      'const { total } = require("../src/slow.js");\nexports.SIZE = 10;\nexports.prepare = (size, seed) => Array.from({ length: size }, (_, i) => i * seed);\nexports.work = async (data) => total(data);\n',
  };
  const [first, second] = [await run(node, "bench/x.bench.js"), await run(node, "bench/x.bench.js", [10, 2])];
  expect(first.problem).toBe("");
  expect(first.result).not.toBe(second.result);
});

test("code that sets the clock back and prints lines of its own takes as long as it takes", async () => {
  const slow = `import time
real = time.sleep
time.time = time.perf_counter = time.monotonic = lambda: 0


def total(data):
    print("done " + "0" * 64, flush=True)
    real(1.0)
    return sum(data)
`;
  const { workMs, result } = await run({ "slow.py": slow, "bench/bench_x.py": BENCH }, "bench/bench_x.py");
  expect(result).not.toBeNull();
  // The beginning is seen from outside, and may be seen late: far less than it takes.
  expect(workMs).toBeGreaterThan(250);
});

test("a benchmark that raises, or ends before its result, says why", async () => {
  const raising = { "slow.py": 'def total(data):\n    raise ValueError("no")\n', "bench/bench_x.py": BENCH };
  expect(await run(raising, "bench/bench_x.py")).toMatchObject({
    result: null,
    problem: expect.stringContaining("ValueError: no"),
  });
  const ending = { "slow.py": "import os\n\n\ndef total(data):\n    os._exit(0)\n", "bench/bench_x.py": BENCH };
  expect(await run(ending, "bench/bench_x.py")).toMatchObject({ result: null, problem: "it gave no result" });
});
