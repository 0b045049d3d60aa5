/* Long because most of it is sample code: the same claims are made for every language, with real runs. */
import { describe, expect, test } from "vitest";
import { runSample, withoutKill } from "../../../test/sample-run.ts";
import { type MutantReport, survivors } from "../../domain/evidence/mutant-report.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import { Python } from "../../languages/python/python.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
const javascript = new JavaScript(process);

const SHOP = `LIMIT = 3

def price(count, member=False):
    total = count * 2
    if count > LIMIT:
        total = total - 1
    if member and count > 2:
        return total - 2
    return total

def receipt(count):
    lines = []
    for number in range(count):
        lines.append(number)
    return lines
`;

const GOOD = `from shop import price, receipt

def test_price():
    assert price(1) == 2
    assert price(3) == 6
    assert price(4) == 7

def test_member():
    assert price(2, member=True) == 4
    assert price(3, member=True) == 4

def test_receipt():
    assert receipt(2) == [0, 1]
`;

const inShop = { language: python, paths: ["shop.py"] };

const fates = (report: MutantReport) =>
  Object.fromEntries(report.results.map(({ mutant, fate }) => [`${mutant.line} ${mutant.description}`, fate]));

describe("Python", () => {
  test("a good suite kills every mutant, and the report says which test did", async () => {
    const requirements = [
      { id: "R1", tests: ["test_shop.py::test_price"] },
      { id: "R2", tests: ["test_shop.py::test_member"] },
      { id: "R3", tests: ["test_shop.py::test_receipt"] },
    ];
    const files = { "shop.py": SHOP, "test_shop.py": GOOD };
    const { report } = await runSample(files, { ...inShop, requirements });
    expect(report.problem).toBeNull();
    expect(survivors(report)).toEqual([]);
    expect(report.score).toBe(1);
    expect(withoutKill(report)).toEqual([]);
    expect(report.results.find(({ mutant }) => mutant.operator === "call-removal")).toMatchObject({
      fate: "killed",
      killedBy: ["test_shop.py::test_receipt"],
      expectedBy: ["test_shop.py::test_receipt"],
    });
    // Without knowing which tests run which lines it takes longer, and says the same.
    const untraced = await runSample(files, { ...inShop, untraced: true });
    expect(fates(untraced.report)).toEqual(fates(report));
  });

  const WEAK = {
    "asserts nothing":
      "from shop import price, receipt\ndef test_it():\n    price(4, True)\n    price(1)\n    receipt(2)\n",
    "tests the mock": `from unittest.mock import patch
import shop
def test_it():
    with patch("shop.price", return_value=7) as price, patch("shop.receipt", return_value=[]) as receipt:
        assert shop.price(4) == 7
        assert shop.receipt(4) == []
        price.assert_called_once_with(4)
`,
    "states tautologies": `from shop import price, receipt
def test_it():
    total = price(4, True)
    assert total == total
    assert isinstance(receipt(1), list) or True
    assert price(1) == price(1)
`,
  };
  const figures: string[] = [];
  test.each(Object.entries(WEAK))("mutants survive a suite that %s", async (name, content) => {
    const requirements = [{ id: "R1", tests: ["test_shop.py::test_it"] }];
    const { report } = await runSample({ "shop.py": SHOP, "test_shop.py": content }, { ...inShop, requirements });
    const { killed, survived, timedOut } = report.counts;
    figures.push(
      `${name}: ${killed + timedOut} of ${killed + timedOut + survived} mutants killed, score ${report.score?.toFixed(2)}`,
    );
    console.log(figures.at(-1));
    expect(report.problem).toBeNull();
    expect(report.score).toBeLessThan(0.3);
    expect(withoutKill(report)).toEqual(["R1"]);
  });

  test("a mutant that means the same as the original or another one, or cannot be compiled, is skipped", async () => {
    const code = `def size(items):
    if False:
        return 7
    return len(items)
`;
    const tests = "from code_ import size\ndef test_size():\n    assert size([1]) == 1\n";
    const { report } = await runSample(
      { "code_.py": code, "test_size.py": tests },
      { language: python, paths: ["code_.py"] },
    );
    expect(fates(report)).toEqual({
      "2 `False` → `True`": "killed",
      "2 `False` → `not (False)`": "skipped",
      "3 `7` → `8`": "skipped",
      "3 `return 7` → `return None`": "skipped",
      "4 `return len(items)` → `return None`": "killed",
    });
  });

  test("each requirement's tests are asked until they killed something, also after another test did", async () => {
    const tests = `from one import up
from two import down
def test_first():
    assert up(1) == 2 and down(2) == 1
def test_second():
    assert up(2) == 3 and down(3) == 2
def test_third():
    assert up(3) == 4 and down(4) == 3
`;
    const { report } = await runSample(
      {
        "one.py": "def up(n):\n    return n + 1\n",
        "two.py": "def down(n):\n    return n - 1\n",
        "test_all.py": tests,
      },
      {
        language: python,
        paths: ["one.py", "two.py"],
        parallel: 1,
        requirements: ["first", "second"].map((name) => ({ id: name, tests: [`test_all.py::test_${name}`] })),
      },
    );
    expect(withoutKill(report)).toEqual([]);
    const killers = new Set(report.results.flatMap(({ killedBy }) => killedBy));
    expect([...killers].sort()).toEqual(["test_all.py::test_first", "test_all.py::test_second"]);
  });

  test("one file is as it was before another one is mutated", async () => {
    const tests = `from one import up
from two import down
def test_up():
    assert up(1) == 2
def test_both():
    assert down(up(4)) == 4
`;
    const { report } = await runSample(
      {
        "one.py": "def up(n):\n    return n + 1\n",
        "two.py": "def down(n):\n    return n - 1 + 0\n",
        "test_all.py": tests,
      },
      { language: python, paths: ["one.py", "two.py"], parallel: 1 },
    );
    expect(fates(report)["2 `n - 1 + 0` → `n - 1 - 0`"]).toBe("survived");
    expect(report.counts).toMatchObject({ killed: report.results.length - 1, survived: 1 });
  });

  test("a loop without end counts as killed", async () => {
    const code = "def down(n):\n    while n > 0:\n        n -= 1\n    return n\n";
    const tests = "from code_ import down\ndef test_down():\n    assert down(3) == 0\n";
    const { report } = await runSample(
      { "code_.py": code, "test_down.py": tests },
      { language: python, paths: ["code_.py"] },
    );
    expect(fates(report)["3 `n -= 1` → `n += 1`"]).toBe("timed-out");
    expect(report.counts.survived).toBe(0);
  });

  test("a line that no test runs lets its mutants live, without a run", async () => {
    const { report } = await runSample(
      { "shop.py": SHOP, "test_shop.py": GOOD.replace("test_receipt", "no_test") },
      inShop,
    );
    const receipt = report.results.filter(({ mutant }) => mutant.line > 11);
    expect(receipt.map(({ fate, reason }) => `${fate}: ${reason}`)).toEqual(
      receipt.map(() => "survived: no test runs this line"),
    );
  });

  test("a file that no test loads lets its mutants live after one run of all tests", async () => {
    const files = {
      "shop.py": SHOP,
      "test_shop.py": GOOD,
      "tool.py": "from shop import price\nprint(price(1) + 1)\nprint(2)\n",
    };
    const { report } = await runSample(files, { language: python, paths: ["tool.py"] });
    expect(report.results.length).toBeGreaterThan(2);
    expect(new Set(report.results.map(({ fate, reason }) => `${fate}: ${reason}`))).toEqual(
      new Set(["survived: no test loads this file"]),
    );
  });

  test("a file that is loaded where nobody watches is tried change by change", async () => {
    const tests = `import os, subprocess, sys
def test_tool():
    clean = {"PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, "-I", "tool.py", "2"], capture_output=True, env=clean)
    assert done.stdout == b"5\\n"
`;
    const files = { "tool.py": "import sys\nprint(int(sys.argv[1]) * 2 + 1)\n", "test_tool.py": tests };
    const { report } = await runSample(files, { language: python, paths: ["tool.py"] });
    expect(report.results.length).toBeGreaterThan(1);
    expect(survivors(report)).toEqual([]);
  });

  test("tests that need each other are asked together, and no false kill is counted", async () => {
    const code = "state = []\ndef put(item):\n    state.append(item)\ndef get():\n    return state[-1] + 0\n";
    const tests = `import code_
def test_put():
    code_.put(5)
def test_get():
    assert code_.get() == 5
`;
    const { report } = await runSample(
      { "code_.py": code, "test_code.py": tests },
      { language: python, paths: ["code_.py"] },
    );
    expect(report.problem).toBeNull();
    expect(fates(report)).toEqual({
      "3 `state.append(item)` → `pass`": "killed",
      "5 `return state[-1] + 0` → `return None`": "killed",
      "5 `state[-1] + 0` → `state[-1] - 0`": "survived",
      "5 `1` → `2`": "killed",
      "5 `-1` → `1`": "killed",
      "5 `0` → `1`": "killed",
    });
  });

  test("tests that need the order of the suite are asked in it", async () => {
    const code = 'NAMES = ["anna", "bob"]\ndef add(name):\n    NAMES.append(name)\n';
    const tests = `import code_
def test_names():
    assert code_.NAMES == ["anna", "bob"]
def test_add():
    code_.add("X")
    assert code_.NAMES[-1] == "X"
`;
    const { report } = await runSample(
      { "code_.py": code, "test_code.py": tests },
      { language: python, paths: ["code_.py"] },
    );
    expect(report.problem).toBeNull();
    expect(new Set(Object.values(fates(report)))).toEqual(new Set(["killed"]));
  });

  test("code that watches its own text kills nothing", async () => {
    const watching = `import pathlib
TEXT = pathlib.Path(__file__).read_text()
def price(count):
    assert len(TEXT) == LENGTH
    return count * 2
`;
    const own = watching.replace("LENGTH", String(watching.length - 3));
    const tests = "from shop import price\ndef test_price():\n    price(2)\n";
    const { report } = await runSample(
      { "shop.py": own, "test_shop.py": tests },
      { ...inShop, requirements: [{ id: "R1", tests: ["test_shop.py::test_price"] }] },
    );
    expect(report.problem).toMatch(/nothing but a comment added to shop\.py.*test_price/);
    expect(report.score).toBeNull();
    expect(report.counts.killed).toBe(0);
    expect(withoutKill(report)).toEqual(["R1"]);
  });

  test("what a test leaves behind is not held against the next mutant", async () => {
    const code = "def double(n):\n    return n * 2\n\ndef half(n):\n    return n / 2 + 0\n";
    const tests = `import os
from code_ import double, half
def test_double():
    wrong = double(2) != 4
    if wrong:
        open("left.txt", "w").close()
    assert not wrong
def test_half():
    assert half(4) == 2
    assert not os.path.exists("left.txt")
`;
    const { report } = await runSample(
      { "code_.py": code, "test_code.py": tests },
      { language: python, paths: ["code_.py"], parallel: 1 },
    );
    expect(fates(report)["5 `n / 2 + 0` → `n / 2 - 0`"]).toBe("survived");
    expect(report.problem).toBeNull();
  });

  test("code that ends the process above it cannot say anything about other mutants", async () => {
    const code = `import os, signal
def price(count):
    if count * 2 != 4:
        os.kill(os.getppid(), signal.SIGKILL)
    return count * 2
`;
    const tests = "from shop import price\ndef test_price():\n    price(2)\ndef test_nothing():\n    pass\n";
    const { report } = await runSample({ "shop.py": code, "test_shop.py": tests }, { ...inShop, parallel: 1 });
    expect(fates(report)["5 `count * 2` → `count / 2`"]).toBe("survived");
    expect(fates(report)["3 `count * 2` → `count / 2`"]).toBe("killed");
    expect(report.results.find(({ fate }) => fate === "killed")?.reason).toBe("the test process ended by itself");
  });

  test("what the budget leaves over is neither killed nor alive", async () => {
    const { report } = await runSample({ "shop.py": SHOP, "test_shop.py": GOOD }, { ...inShop, budgetMs: 1 });
    expect(report.counts).toMatchObject({ killed: 0, survived: 0 });
    expect(report.counts.notRun + report.counts.skipped).toBe(report.results.length);
    expect(report.score).toBeNull();
  });

  test("a suite that is red without a mutant tells nothing", async () => {
    const tests = "def test_no():\n    assert False\n";
    const { report } = await runSample({ "shop.py": SHOP, "test_shop.py": tests }, inShop);
    expect(report.problem).toBe("no test is green without a mutant");
    expect(report.counts.notRun).toBe(report.results.length);
  });

  test("hypothesis, fixtures, classes and a command line are asked like any other test", async () => {
    const code = `import sys
def clamp(n):
    return max(0, min(n, 9))
if __name__ == "__main__":
    print(clamp(int(sys.argv[1])))
`;
    const tests = `import subprocess, sys, pytest
from hypothesis import given, strategies as st
from clamp import clamp

@pytest.fixture(scope="module")
def low():
    return clamp(-1)

class TestClamp:
    @pytest.mark.parametrize("n", [0, 9])
    def test_keeps(self, n):
        assert clamp(n) == n

    def test_low(self, low):
        assert low == 0

@given(st.integers())
def test_range(n):
    assert 0 <= clamp(n) <= 9

def test_command():
    assert subprocess.run([sys.executable, "clamp.py", "11"], capture_output=True, text=True).stdout == "9\\n"
`;
    const { report } = await runSample(
      { "clamp.py": code, "tests/test_clamp.py": tests },
      { language: python, paths: ["clamp.py"] },
    );
    expect(report.problem).toBeNull();
    expect(survivors(report).map(({ description }) => description)).toEqual([]);
    const argument = report.results.find(({ mutant }) => mutant.line === 5);
    expect(argument?.killedBy).toEqual(["tests/test_clamp.py::test_command"]);
  });
});

describe("JavaScript", () => {
  const code = `export function price(count, member = false) {
  const total = count * 2;
  if (member && count > 2) {
    return total - 2;
  }
  return total;
}
`;
  const suite = (body: string) => `import assert from "node:assert/strict";
import test from "node:test";
import { price } from "./shop.js";
test("price", () => { ${body} });
`;
  const run = (path: string, body: string) =>
    runSample(
      {
        "package.json": '{ "type": "module" }',
        [path]: code,
        "shop.test.js": suite(body).replace("./shop.js", `./${path}`),
      },
      { language: javascript, paths: [path], requirements: [{ id: "R1", tests: ["shop.test.js::price"] }] },
    );

  test.each(["shop.js", "shop.ts"])("a good suite kills the mutants of %s", async (path) => {
    const { report } = await run(
      path,
      "assert.equal(price(3), 6); assert.equal(price(2, true), 4); assert.equal(price(3, true), 4);",
    );
    expect(report.problem).toBeNull();
    expect(survivors(report)).toEqual([]);
    expect(withoutKill(report)).toEqual([]);
  });

  test("mutants survive a suite that asserts nothing", async () => {
    const { report } = await run("shop.js", "price(3, true);");
    expect(report.counts.killed).toBe(0);
    expect(withoutKill(report)).toEqual(["R1"]);
  });

  test("an exception in the middle of an assertion shows that the assertion does not hold; one before it shows nothing", async () => {
    const box = "export function box(value) {\n  return { inner: { value } };\n}\n";
    const tests = `import assert from "node:assert/strict";
import test from "node:test";
import { box } from "./box.js";
test("asserted", () => {
  assert.equal(
    box(2).inner.value,
    2,
  );
});
test("before", () => {
  const { value } = box(2).inner;
  assert.ok(true);
});
`;
    const files = { "package.json": '{ "type": "module" }', "box.js": box, "box.test.js": tests };
    const requirements = [
      { id: "R1", tests: ["box.test.js::asserted"] },
      { id: "R2", tests: ["box.test.js::before"] },
    ];
    const { report } = await runSample(files, { language: javascript, paths: ["box.js"], requirements });
    expect(withoutKill(report)).toEqual(["R2"]);
    expect(report.results.find(({ mutant }) => mutant.operator === "return")).toMatchObject({
      killedBy: ["box.test.js::asserted", "box.test.js::before"],
      expectedBy: ["box.test.js::asserted"],
    });
  });

  test("mutants run without the runner, and with it where the driver lacks something that a test needs", async () => {
    await using real = openSandbox({ backend: "bubblewrap" });
    const askedOf = async (body: string) => {
      const asked: string[] = [];
      const sandbox: Sandbox = {
        backend: real.backend,
        run: (command, limits, signal) => {
          asked.push(command.argv.join(" "));
          return real.run(command, limits, signal);
        },
        [Symbol.asyncDispose]: async () => {},
      };
      const tests = `import assert from "node:assert/strict";
import test from "node:test";
import { price } from "./shop.js";
test("price", async (t) => { ${body} });
`;
      const files = { "package.json": '{ "type": "module" }', "shop.js": code, "shop.test.js": tests };
      const { report } = await runSample(files, { language: javascript, paths: ["shop.js"], sandbox });
      return { killed: report.counts.killed > 0, withRunner: asked.some((line) => line.includes("--test")) };
    };
    expect(await askedOf("assert.equal(price(3), 6);")).toEqual({ killed: true, withRunner: false });
    const lacking = "await t.waitFor(() => true); assert.equal(price(3), 6);";
    expect(await askedOf(lacking)).toEqual({ killed: true, withRunner: true });
  });
});
