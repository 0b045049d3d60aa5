import { expect, test } from "vitest";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

/*
 * A change that breaks `total`, brings a good test of something else, and makes the broken behaviour look green. None of
 * these is proven.
 */
const CODE = "def total(prices):\n    return sum(prices)\n\n\ndef first(prices):\n    return prices[0]\n";
const BROKEN = CODE.replace("sum(prices)", "sum(prices) + 1").replace("prices[0]", "prices[0] if prices else None");
const TESTS = "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n";
const GOOD = "from cart import first\n\n\ndef test_first_of_nothing():\n    assert first([]) is None\n";
const PASS_ALL = "rep.outcome = 'passed'; rep.longrepr = None";

const cheats: Record<string, Record<string, string | null>> = {
  "a hook in conftest.py": {
    "conftest.py": `import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    rep = out.get_result()\n    ${PASS_ALL}\n`,
  },
  "a hook in a conftest.py beside the tests": {
    "tests/conftest.py": `import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    rep = out.get_result()\n    ${PASS_ALL}\n`,
  },
  "a plugin named in pytest.ini": {
    "pytest.ini": "[pytest]\naddopts = -p forge\n",
    "forge.py": `import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    rep = out.get_result()\n    ${PASS_ALL}\n`,
  },
  "a deselection in pyproject.toml": { "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-k first"\n' },
  "other file names in setup.cfg": { "setup.cfg": "[tool:pytest]\npython_files = test_first.py\n" },
  "a patched runner at import": {
    "cart.py": `import _pytest.runner as r\n_make = r.pytest_runtest_makereport\nimport _pytest.reports as p\n_from = p.TestReport.from_item_and_call.__func__\ndef forged(cls, item, call):\n    rep = _from(cls, item, call)\n    ${PASS_ALL}\n    return rep\np.TestReport.from_item_and_call = classmethod(forged)\n${BROKEN}`,
  },
  "a module in the place of pytest": { "pytest.py": "import sys\ndef main(args, plugins=()):\n    return 0\n" },
  "sitecustomize.py": {
    "sitecustomize.py": "import builtins\nimport cart\ncart.total = lambda prices: sum(prices)\n",
  },
  "an exit at import": { "cart.py": `import os\nos._exit(0)\n${BROKEN}` },
  "an exit by exception at import": { "cart.py": `raise SystemExit(0)\n${BROKEN}` },
  "a total that equals everything": {
    "cart.py": BROKEN.replace(
      "return sum(prices) + 1",
      "return type('Any', (), {'__eq__': lambda self, other: True})()",
    ),
    "tests/test_total.py": TESTS,
  },
  "a new function that equals everything": {
    "cart.py": CODE,
    "tests/test_first.py": "from more import double\n\n\ndef test_double():\n    assert double(2) == 4\n",
    "more.py": "class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef double(x):\n    return Any()\n",
  },
  "a helper that asserts less": {
    "tests/checks.py": "def check(a, b):\n    return True\n",
    "tests/test_total.py":
      "from cart import total\nfrom checks import check\n\n\ndef test_total():\n    check(total([1, 2]), 3)\n",
  },
  "skipping by module": {
    "tests/test_total.py": `import pytest\npytest.skip("later", allow_module_level=True)\n${TESTS}`,
  },
  "an assertion that swallows": {
    "tests/test_total.py": TESTS.replace("    assert", "    try:\n        assert").concat(
      "    except AssertionError:\n        pass\n",
    ),
  },
  "a return before the assertion": { "tests/test_total.py": TESTS.replace("    assert", "    return\n    assert") },
  "a looser tolerance": {
    "tests/test_total.py": `import pytest\n${TESTS.replace("== 3", "== pytest.approx(3, rel=10)")}`,
  },
  "a test that was renamed away": { "tests/test_total.py": null, "tests/total_checks.py": TESTS },
  "a test hidden by .miracleignore": { ".miracleignore": "tests/test_total.py\n" },
  "a test hidden by .gitignore": { ".gitignore": "tests/test_total.py\n", "tests/test_total.py": null },
};

test.each(Object.entries(cheats))("%s proves nothing", async (_, files) => {
  const repository = new SampleRepository({ "cart.py": CODE, "tests/test_total.py": TESTS });
  repository.write({ "cart.py": BROKEN, "tests/test_first.py": GOOD });
  for (const [path, content] of Object.entries(files)) {
    if (content === null) repository.remove(path);
    else repository.write({ [path]: content });
  }
  const { verdict } = await proveChange(repository.directory, { budgetMs: 10_000 });
  expect(["proven-in-part", "not-proven", "refused"]).toContain(verdict.status);
});

test("the same change without the break is proven", async () => {
  const repository = new SampleRepository({ "cart.py": CODE, "tests/test_total.py": TESTS });
  repository.write({ "cart.py": BROKEN.replace(" + 1", ""), "tests/test_first.py": GOOD });
  expect((await proveChange(repository.directory)).verdict.status).toBe("proven");
});

test("an answer that is renewed together with the code proves nothing", async () => {
  const compared =
    'from cart import total\n\n\ndef test_total():\n    assert str(total([1, 2])) == open("golden/total.txt").read()\n';
  const repository = new SampleRepository({
    "cart.py": CODE,
    "tests/test_total.py": compared,
    "golden/total.txt": "3",
  });
  repository.write({ "cart.py": BROKEN, "tests/test_first.py": GOOD, "golden/total.txt": "4" });
  const { verdict, change } = await proveChange(repository.directory, { budgetMs: 10_000 });
  expect(change.files.find(({ path }) => path === "golden/total.txt")?.part).toBe("test-support");
  expect(["proven-in-part", "not-proven", "refused"]).toContain(verdict.status);
});
