import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { LIMITS, SampleProject } from "../../../test/sample-project.ts";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import type { Language } from "../../languages/language.ts";
import { Python } from "../../languages/python/python.ts";
import { runTests } from "../../languages/run-tests.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { witnessTests } from "./witness-tests.ts";

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
const javascript = new JavaScript({ execPath: process.execPath, version: process.version });
const sandbox = openSandbox({ backend: "bubblewrap" });
afterAll(() => sandbox[Symbol.asyncDispose]());

type Files = Record<string, string>;

/** The tests in their runner, all of them green, and then by the witness, who gets no file of them. */
async function witnessed(language: Language, code: Files, tests: Files, project = "shop"): Promise<WitnessReport> {
  using whole = new SampleProject({ ...code, ...tests });
  const toolchain = await language.toolchain(whole.directory);
  const { signal } = new AbortController();
  const shared = { sandbox, limits: LIMITS, signal, language, toolchain };
  const report = await runTests({ ...shared, workspace: whole.directory, files: Object.keys(tests) });
  expect(report.tests.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  expect(report.tests.length).toBeGreaterThan(0);
  using bare = new SampleProject(code);
  const made: string[] = [];
  const layOut = async () => {
    const directory = mkdtempSync(join(tmpdir(), "miracle-witness-"));
    made.push(directory);
    cpSync(bare.directory, directory, { recursive: true });
    bare.own(directory);
    return directory;
  };
  try {
    const files = Object.entries(tests).map(([path, content]) => ({ path, content }));
    return await witnessTests({ ...shared, project, layOut, files, ids: report.tests.map(({ id }) => id) });
  } finally {
    for (const directory of made) rmSync(directory, { recursive: true, force: true });
  }
}

const outcomesOf = ({ tests }: WitnessReport) => [...new Set(tests.map(({ outcome }) => outcome))];
const JS = { "package.json": '{ "type": "module" }\n' };

describe("code that works only where it is tested is found out", () => {
  const SIGNS: Record<string, string> = {
    "a module of the runner is loaded": '{"plug" "gy"} & sys.modules.keys()',
    "the runner is in the stack": 'any("py" "test" in one.filename for one in inspect.stack())',
    "its caller is called like a test": 'any(one.function.startswith("te" "st") for one in inspect.stack()[1:])',
    "a person's variables are missing": '"SHELL" not in os.environ',
    "a variable of the runner is set": 'any(name.startswith("PY" "TEST") for name in os.environ)',
    "the directory is ours": 'not os.getcwd().startswith("/ho" "me/")',
    "no repository is around it": 'not os.path.exists(".git")',
    "the machine is called as ours": 'platform.node() == "sand" "box"',
    "the user is ours": 'os.path.expanduser("~") == "/t" "mp"',
    "its files are new": "time.time() - os.path.getmtime(__file__) < 3600",
    "it was started with options": "len(sys.orig_argv) > 2",
  };

  test("by any sign of the runner or of our surroundings", async () => {
    const code = Object.values(SIGNS).map(
      (sign, at) => `def total_${at}(prices):\n    return sum(prices) if ${sign} else 0\n`,
    );
    const tests = code.map((_, at) => `def test_${at}():\n    assert price.total_${at}([1, 2]) == 3\n`);
    const { tests: seen } = await witnessed(
      python,
      { "price.py": ["import inspect, os, platform, sys, time\n", ...code].join("\n\n") },
      { "test_price.py": ["import price\n", ...tests].join("\n\n") },
    );
    const found = Object.keys(SIGNS).filter((_, at) => seen[at]?.outcome === "failed");
    expect(found).toEqual(Object.keys(SIGNS));
    expect(seen[0]?.message).toContain("assert price.total_0([1, 2]) == 3");
  });

  test("a program that a test starts looks at the variables of its user", async () => {
    const code = {
      "dur.py": `import os, sys\nprint(45 if not {"SHELL", "USER"} & os.environ.keys() else 0)\n`,
    };
    const started = `import subprocess, sys


def test_seconds():
    done = subprocess.run([sys.executable, "dur.py", "45s"], capture_output=True, text=True)
    assert done.stdout.strip() == "45"
`;
    expect(outcomesOf(await witnessed(python, code, { "test_dur.py": started }))).toEqual(["failed"]);
  });

  test("a second sequence of calls in one process, only without the runner", async () => {
    const code = {
      "price.py": `import sys\nCALLS = []\n\n\ndef total(prices):\n    CALLS.append(1)\n    return sum(prices) if len(CALLS) < 2 or "pytest" in sys.modules else 0\n`,
    };
    const content = "from price import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n";
    const { tests: seen } = await witnessed(python, code, { "test_price.py": content });
    expect(seen).toMatchObject([
      { outcome: "failed", message: expect.stringMatching(/^when it is called a second time/) },
    ]);
  });

  test("JavaScript: by any sign of the runner or of our surroundings", async () => {
    const signs = [
      "Object.keys(process.env).some((name) => /^NODE_T.*XT$/.test(name))",
      "process.execArgv.length > 0",
      '!process.argv[1].endsWith("try.mjs")',
      "/test_runner/.test((Error.stackTraceLimit = 50, new Error().stack))",
      "process.env.USER === undefined",
    ];
    const code = signs.map((sign, at) => `export const slug${at} = (text) => (${sign}) ? text.toLowerCase() : text;\n`);
    const tests = signs.map((_, at) => `test("${at}", () => assert.equal(code.slug${at}("A"), "a"));\n`);
    const head = `import assert from "node:assert/strict";
import { test } from "node:test";
import * as code from "../src/slug.js";
`;
    const seen = await witnessed(
      javascript,
      { ...JS, "src/slug.js": code.join("") },
      { "test/slug.test.js": head + tests.join("") },
    );
    expect(seen.tests.map(({ outcome }) => outcome)).toEqual(signs.map(() => "failed"));
  });
});

describe("honest tests agree", () => {
  const code = {
    "bank.py": `import os


class Account:
    def __init__(self, owner, balance=0):
        self.owner, self.balance = owner, balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError(f"only {self.balance} left")
        self.balance -= amount
        return self.balance


def save(path, text):
    path.write_text(text)


def greet():
    print("hello", os.environ.get("NAME", "you"))


async def later(value):
    return value
`,
  };

  test("functions, cases, fixtures of the file and of the runner", async () => {
    const report = await witnessed(
      python,
      {
        ...code,
        "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef owner(request):\n    yield 'ann'\n",
      },
      {
        "test_bank.py": `import asyncio
import pytest
from unittest.mock import patch
import bank
from bank import Account, greet, later, save

@pytest.fixture(params=[10, 20], ids=["few", "many"])
def account(request, owner):
    return Account(owner, request.param)

def test_owner(account):
    assert account.owner == "ann"

@pytest.mark.parametrize("amount", [1, 2, pytest.param(3, id="three")])
@pytest.mark.parametrize(("a", "b"), [(1, "x y"), (1, "ä")])
def test_withdraw(amount, a, b):
    assert Account("x", 3).withdraw(amount) == pytest.approx(3.0 - amount)

def test_too_much():
    with pytest.raises(ValueError, match=r"only \\d+ left") as caught:
        Account("x", 1).withdraw(2)
    assert "1" in str(caught.value)

def test_saves(tmp_path):
    save(tmp_path / "a.txt", "hi")
    assert (tmp_path / "a.txt").read_text() == "hi"

def test_prints(capsys, monkeypatch):
    monkeypatch.setenv("NAME", "bob")
    greet()
    assert capsys.readouterr().out == "hello bob\\n"

@patch.object(bank, "save", return_value=7)
def test_patched(fake):
    assert bank.save(1, 2) == 7
    fake.assert_called_once_with(1, 2)

def test_later():
    assert asyncio.run(later(3)) == 3

class TestGroup:
    def setup_method(self):
        self.account = Account("x", 5)

    @pytest.mark.parametrize("n", [1, 2])
    def test_inside(self, n):
        assert self.account.withdraw(n) == 5 - n
`,
      },
    );
    expect(outcomesOf(report)).toEqual(["passed"]);
    expect(report.tests).toHaveLength(15);
  });

  test("classes of unittest", async () => {
    const content = `import unittest
from bank import Account, later


class BankTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.owner = "ann"

    def setUp(self):
        self.account = Account(self.owner, 5)
        self.addCleanup(setattr, self, "account", None)

    def test_too_much(self):
        with self.assertRaisesRegex(ValueError, "only 5"):
            self.account.withdraw(6)

    def test_each(self):
        for amount in (1, 2):
            with self.subTest(amount=amount):
                self.assertEqual(Account("x", 5).withdraw(amount), 5 - amount)

    def check(self, items):
        self.assertCountEqual(items, [2, 1])

    def test_helper(self):
        self.check([1, 2])


class LaterTest(unittest.IsolatedAsyncioTestCase):
    async def test_later(self):
        self.assertAlmostEqual(await later(0.1 + 0.2), 0.3)
`;
    expect(outcomesOf(await witnessed(python, code, { "test_cases.py": content }))).toEqual(["passed"]);
  });

  test("properties of Hypothesis, whose values are ours", async () => {
    const content = `from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from bank import Account


@settings(max_examples=20)
@given(balance=st.integers(min_value=0, max_value=99), amount=st.integers(0, 99))
@example(balance=1, amount=1)
def test_balance(balance, amount):
    assume(amount <= balance)
    assert Account("x", balance).withdraw(amount) == balance - amount


@given(st.lists(st.text(min_size=1), unique=True), st.data())
def test_lists(names, data):
    assert len(set(names)) == len(names)
    assert data.draw(st.sampled_from([1, 2])) in (1, 2)


@given(st.integers(max_value=-1) | st.integers(min_value=101))
def test_ends_that_are_open_on_one_side(number):
    assert number < 0 or number > 100
`;
    expect(outcomesOf(await witnessed(python, code, { "test_many.py": content }))).toEqual(["passed"]);
  });

  const slug = { ...JS, "src/slug.js": "export const slug = (text) => text.toLowerCase();\n" };

  test("node:test with groups, hooks, subtests and mocks", async () => {
    const content = `import assert from "node:assert/strict";
import { beforeEach, describe, it, mock, test } from "node:test";
import { slug } from "../src/slug.js";

test("alone", async (t) => {
  await t.test("inner", () => assert.equal(slug("A"), "a"));
  assert.throws(() => slug(), TypeError);
});
describe("group", () => {
  let word;
  beforeEach(() => { word = "B"; });
  it("uses what was prepared", () => assert.equal(slug(word), "b"));
  it("calls back", (t, done) => { setImmediate(done); });
  it("counts", () => {
    const fn = mock.fn(slug);
    fn("A");
    assert.equal(fn.mock.callCount(), 1);
  });
});
`;
    expect(outcomesOf(await witnessed(javascript, slug, { "test/slug.test.js": content }))).toEqual(["passed"]);
  });

  test("CommonJS, and a helper beside the tests that imports the runner", async () => {
    const report = await witnessed(
      javascript,
      {
        "package.json": "{}\n",
        "slug.js": "exports.slug = (text) => text.toLowerCase();\n",
        "test/check.js": `const { mock } = require("node:test");
exports.counted = (fn) => mock.fn(fn);
`,
      },
      {
        "test/slug.test.js": `const assert = require("node:assert");
const { test } = require("node:test");
const { counted } = require("./check.js");
const { slug } = require("../slug.js");
test("lower", () => {
  const fn = counted(slug);
  assert.equal(fn("A"), "a");
  assert.equal(fn.mock.callCount(), 1);
});
`,
      },
    );
    expect(outcomesOf(report)).toEqual(["passed"]);
  });
});

describe("what our witness cannot do is said of it, and nobody is blamed", () => {
  test("a fixture of another plugin, and names that the stand-ins lack", async () => {
    const content = `import pytest


def test_recorded(recwarn):
    assert len(recwarn) == 0


def test_stash():
    assert pytest.Stash()is not None


def test_frame():
    with pytest.raises(ValueError) as caught:
        raise ValueError()
    assert caught.traceback[0].lineno > 0
`;
    const { tests } = await witnessed(python, {}, { "test_lacking.py": content });
    expect(tests.map(({ outcome, why }) => [outcome, why])).toEqual([
      ["not-run", "it needs the fixture recwarn of its runner"],
      ["not-run", "it needs pytest.Stash"],
      ["not-run", "it needs ExceptionInfo.traceback"],
    ]);
  });

  test("a stand-in that behaves otherwise than what it stands for", async () => {
    const content = `import pytest


def test_version():
    assert pytest.__version__ != "8.3.4"
`;
    const { tests } = await witnessed(python, {}, { "test_version.py": content });
    expect(tests).toMatchObject([{ outcome: "not-run", why: expect.stringContaining("with its runner either") }]);
  });

  test("state that a test leaves behind is named, and the test agrees", async () => {
    const code = {
      "ids.py": "import itertools\nCOUNT = itertools.count(1)\n\n\ndef next_id():\n    return next(COUNT)\n",
    };
    const content = "from ids import next_id\n\n\ndef test_first():\n    assert next_id() == 1\n";
    const { tests } = await witnessed(python, code, { "test_ids.py": content });
    expect(tests).toMatchObject([{ outcome: "passed", note: expect.stringContaining("next_id() == 1") }]);
  });

  test("code that holds only in the zone of the tests is named, and the test agrees", async () => {
    const code = {
      "day.py":
        "from datetime import datetime, timezone\n\n\ndef day(seconds):\n    return datetime.fromtimestamp(seconds).day\n",
    };
    const content = "from day import day\n\n\ndef test_day():\n    assert day(0) == 1\n";
    const { tests } = await witnessed(python, code, { "test_day.py": content });
    expect(tests).toMatchObject([{ outcome: "passed", note: expect.stringMatching(/^only in the time zone/) }]);
  });

  test("tests of a language without a driver", async () => {
    const report = await witnessTests({
      sandbox,
      limits: LIMITS,
      signal: new AbortController().signal,
      language: Object.create(python, { witness: { value: undefined }, name: { value: "go" } }),
      toolchain: await python.toolchain("/"),
      project: "x",
      layOut: () => Promise.reject(new Error("nothing is run")),
      files: [],
      ids: ["a_test.go::TestA"],
    });
    expect(report).toEqual({
      problem: "tests of go need their runner",
      tests: [{ id: "a_test.go::TestA", outcome: "not-run", message: "", why: "tests of go need their runner" }],
    });
  });
});
