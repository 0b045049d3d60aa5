import { expect, test } from "vitest";
import { LIMITS, SampleProject } from "../../../test/sample-project.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import type { MutantJob } from "../language.ts";
import { Python } from "./python.ts";

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });

const CODE = "def f(n):\n    return n + 1\n";

const job = (change: Partial<MutantJob> = {}): MutantJob => {
  const from = CODE.indexOf("+");
  const mutant: Mutant = {
    id: "m1",
    path: "code_.py",
    line: 2,
    statement: { from: 2, to: 2 },
    operator: "arithmetic",
    from,
    to: from + 1,
    replacement: "-",
    description: "",
  };
  const tests = ["test_a.py::test_f"];
  return { id: "m1", path: "code_.py", mutant, tests, beyond: [], timeoutMs: 10_000, usualMs: 0, ...change };
};

async function serve(project: SampleProject, jobs: MutantJob[], backend: "bubblewrap" | "process" = "bubblewrap") {
  await using sandbox = openSandbox({ backend });
  const toolchain = await python.toolchain(project.directory);
  const originals = new Map([["code_.py", project.read("code_.py")]]);
  const batch = { originals, jobs, deadlineMs: 60_000, memoryMb: 512, closingMs: 10_000, modules: ["decimal"] };
  const { argv, env, stdin } = python.mutantServer(batch, toolchain);
  const workspace = project.directory;
  const { mounts, path } = toolchain;
  const command = { argv, stdin, workspace, mounts, path, env: { ...toolchain.env, ...env } };
  const result = await sandbox.run(command, LIMITS, new AbortController().signal);
  const lines = result.stdout.split("\n").filter((line) => line.startsWith("{"));
  return { ...result, lines: lines.map((line) => JSON.parse(line)) };
}

test.each(["bubblewrap", "process"] as const)(
  "says which tests are red, and puts the file back (%s)",
  async (backend) => {
    using project = new SampleProject({
      "code_.py": CODE,
      "test_a.py": "from code_ import f\ndef test_f():\n    assert f(1) == 2\ndef test_other():\n    assert False\n",
    });
    const control = job({ id: "c", mutant: null });
    const { lines, stderr } = await serve(project, [control, job()], backend);
    expect(stderr).toBe("");
    expect(lines).toMatchObject([
      { id: "c", ending: "completed", red: [], missing: [] },
      { id: "m1", ending: "completed", red: [{ id: "test_a.py::test_f", expected: true }], missing: [] },
      { id: "closing", red: [] },
      { end: true },
    ]);
    expect(project.read("code_.py")).toBe(CODE);
  },
);

test("what is raised in the mutated code itself is no failed expectation", async () => {
  using project = new SampleProject({
    "code_.py": CODE.replace("def f(n):\n", "def f(n):\n    assert n + 1 == 2\n"),
    "test_a.py": "from code_ import f\ndef test_f():\n    f(1)\n",
  });
  const { lines } = await serve(project, [job({ mutant: { ...job().mutant, from: 21, to: 22 } as Mutant })]);
  expect(lines[0]).toMatchObject({ red: [{ id: "test_a.py::test_f", expected: false }] });
});

test("an exception that leaves a block or a call which wanted another one is a failed expectation, as is a test's own", async () => {
  const code = "def f(n):\n    if n:\n        raise ValueError\n    return {}\n";
  const from = code.indexOf("ValueError");
  using project = new SampleProject({
    "code_.py": code,
    "test_a.py": `
import json, unittest
import pytest
from code_ import f

def test_block():
    with pytest.raises(ValueError):
        f(1)
class TestCalls(unittest.TestCase):
    def test_call(self):
        self.assertRaises(ValueError, f, 1)
    def test_block(self):
        with self.assertRaises(ValueError):
            f(1)
def test_own():
    try:
        f(1)
    except ValueError:
        return
    except KeyError:
        raise Exception("another one")
def test_library():
    try:
        f(1)
    except KeyError:
        json.loads("{")
    except ValueError:
        pass
def test_asserted():
    try:
        f(1)
    except KeyError as error:
        assert error.code == 1
    except ValueError:
        pass
def test_plain():
    try:
        f(1)
    except ValueError:
        pass
def test_before():
    try:
        f(1)
    except KeyError as error:
        code = error.code
    except ValueError:
        pass
`,
  });
  const tests = [
    "test_block",
    "TestCalls::test_call",
    "TestCalls::test_block",
    "test_own",
    "test_library",
    "test_asserted",
    "test_plain",
    "test_before",
  ].map((name) => `test_a.py::${name}`);
  const mutant = { ...job().mutant, from, to: from + "ValueError".length, replacement: "KeyError" } as Mutant;
  const { lines } = await serve(project, [job({ mutant, tests, beyond: [tests] })]);
  const red: { id: string; expected: boolean }[] = lines[0].red;
  expect(red.map(({ id, expected }) => [id.slice("test_a.py::".length), expected])).toEqual([
    ["test_block", true],
    ["TestCalls::test_call", true],
    ["TestCalls::test_block", true],
    ["test_own", true],
    ["test_library", true],
    ["test_asserted", true],
    ["test_plain", false],
    ["test_before", false],
  ]);
});

test("a group of tests is asked beyond a red one until an expectation of one of them noticed a mutant", async () => {
  using project = new SampleProject({
    "code_.py": `${CODE}def g(n):\n    return 1 / f(n)\n`,
    "test_a.py": `from code_ import f, g
def test_first():
    assert f(1) == 2
def test_second():
    assert f(2) == 3
def test_weak():
    g(1)
`,
  });
  const tests = ["first", "second", "weak"].map((name) => `test_a.py::test_${name}`);
  const [first = "", second = "", weak = ""] = tests;
  const asked = { tests, beyond: [[first], [second], [weak]] };
  const { lines } = await serve(project, [job(asked), job({ ...asked, id: "again" })]);
  const noticed = lines.slice(0, 2).map(({ red }) => red.map(({ id }: { id: string }) => id));
  // The last one only meets an error: nothing that it expects has failed yet.
  expect(noticed).toEqual([tests, [first, weak]]);
});

test("code under test cannot write into the server's answers, and leaves no process behind", async () => {
  using project = new SampleProject({
    "code_.py": CODE,
    "test_a.py": `import glob, os, subprocess, sys
from code_ import f
FORGED = '{"id": "m1", "ending": "completed", "red": [], "missing": [], "ms": 1}\\n'
def left_over():
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as line:
                if b"time.sleep(30)" in line.read():
                    return True
        except OSError:
            pass
    return False
def test_f():
    assert not left_over()
    for descriptor in range(10):
        try:
            with open("/proc/%d/fd/%d" % (os.getppid(), descriptor), "w") as out:
                out.write(FORGED)
        except OSError:
            pass
    for descriptor in (1, 2):
        os.write(descriptor, FORGED.encode())
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"], start_new_session=True)
    assert f(1) == 2
`,
  });
  const { lines } = await serve(project, [job(), job({ id: "next", mutant: null })]);
  const answers = lines.filter(({ id }) => id === "m1");
  expect(answers).toMatchObject([{ ending: "completed", red: [{ id: "test_a.py::test_f", expected: true }] }]);
  expect(lines.find(({ id }) => id === "next")).toMatchObject({ ending: "completed", red: [] });
});

test("a job that takes too long is ended, and the next one runs", async () => {
  using project = new SampleProject({
    "code_.py": CODE,
    "test_a.py": "from code_ import f\ndef test_f():\n    while f(1) == 0: pass\n",
  });
  const { lines } = await serve(project, [job({ timeoutMs: 2_500 }), job({ id: "c", mutant: null })]);
  expect(lines[0]).toMatchObject({ id: "m1", ending: "timeout" });
  expect(lines[1]).toMatchObject({ id: "c", ending: "completed", red: [] });
});

test("a test that is not found, a file that cannot be imported and a process that ends are said as what they are", async () => {
  using project = new SampleProject({
    "code_.py": CODE,
    "test_a.py": `import os
from code_ import f
if f(1) == 2:
    def test_f():
        pass
def test_end():
    os._exit(3) if f(1) == 0 else None
`,
    "test_b.py": "from code_ import f\n1 / f(1)\ndef test_b():\n    pass\n",
  });
  const { lines } = await serve(project, [
    job(),
    job({ id: "end", tests: ["test_a.py::test_end"] }),
    job({ id: "import", tests: ["test_b.py::test_b"] }),
  ]);
  expect(lines[0]).toMatchObject({ id: "m1", red: [], missing: ["test_a.py::test_f"] });
  expect(lines[1]).toMatchObject({ id: "end", ending: "crashed", red: [{ id: "test_a.py::test_end" }] });
  expect(lines[2]).toMatchObject({ id: "import", red: [{ id: "test_b.py::collection", expected: false }] });
});

test("memory without end is an error of the test, and not the end of the server", async () => {
  using project = new SampleProject({
    "code_.py": CODE,
    "test_a.py":
      "from code_ import f\ndef test_f():\n    kept = [bytearray(10_000_000) for _ in range(1000)] if f(1) == 0 else []\n",
  });
  const { lines } = await serve(project, [job(), job({ id: "c", mutant: null })]);
  expect(lines[0]).toMatchObject({ id: "m1", red: [{ id: "test_a.py::test_f" }] });
  expect(lines[1]).toMatchObject({ id: "c", red: [] });
});

test("a mutant that loops is ended by the processor time it uses, long before the clock says so", async () => {
  const code = "def f(n):\n    while n > 0:\n        n = n - 1\n    return n\n";
  const from = code.indexOf("-");
  using project = new SampleProject({
    "code_.py": code,
    "test_a.py": "from code_ import f\ndef test_f():\n    assert f(3) == 0\n",
  });
  const mutant = { ...job().mutant, from, to: from + 1, replacement: "+" } as Mutant;
  const jobs = [job({ id: "c", mutant: null }), job({ mutant, timeoutMs: 3_600_000 })];
  const { lines } = await serve(project, jobs);
  expect(lines).toMatchObject([
    { id: "c", ending: "completed", red: [], cpuMs: expect.any(Number) },
    { id: "m1", ending: "timeout" },
    { end: true },
  ]);
  const known = await serve(project, [job({ mutant, timeoutMs: 3_600_000, usualMs: lines[0].cpuMs })]);
  expect(known.lines[0]).toMatchObject({ id: "m1", ending: "timeout", red: [] });
});
