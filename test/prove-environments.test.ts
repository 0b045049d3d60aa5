import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type MadePackage, PackageIndex } from "./package-index.ts";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

vi.setConfig({ testTimeout: 180_000 });

const tiny = (version: string, half: string): MadePackage => ({
  language: "python",
  name: "tiny",
  version,
  files: { "tiny.py": `def half(amount):\n    return ${half}\n` },
});

let index: PackageIndex;
beforeAll(async () => {
  index = await PackageIndex.listen([tiny("1.0", "amount // 2"), tiny("2.0", "amount / 2")]);
});
afterAll(() => index[Symbol.asyncDispose]());

const PRICES = "import tiny\n\n\ndef discounted(price):\n    return price - tiny.half(price)\n";
const CAPPED =
  "import tiny\n\n\ndef discounted(price):\n    if price > 100:\n        return price - 50\n    return price - tiny.half(price)\n";
const TESTS = "from prices import discounted\n\n\ndef test_half():\n    assert discounted(10) == 5\n";
const CAP =
  "\n\ndef test_cap():\n    assert discounted(101) == 51\n    assert discounted(100) == 50\n    assert discounted(300) == 250\n";

test("a change of a project whose packages are not installed is proven in its environment", async () => {
  const repository = new SampleRepository({
    "requirements.txt": "tiny==2.0\n",
    "prices.py": PRICES,
    "test_prices.py": TESTS,
  });
  repository.write({ "prices.py": CAPPED, "test_prices.py": TESTS + CAP });
  const evidence = await proveChange(repository.directory, {}, index);
  expect(evidence.verdict, JSON.stringify(evidence.verdict)).toMatchObject({ status: "proven" });
  expect(evidence.versions.environment).toMatch(/^python-[0-9a-f]{16}$/);
});

test("each side of a change runs with the packages of its own manifest", async () => {
  const test = "\n\ndef test_odd():\n    assert discounted(5) == 2.5\n";
  const files = { "requirements.txt": "tiny==1.0\n", "prices.py": PRICES, "test_prices.py": TESTS };
  const repository = new SampleRepository(files);
  repository.write({ "requirements.txt": "tiny==2.0\n", "test_prices.py": TESTS + test });
  const { tests, versions, account } = await proveChange(repository.directory, { budgetMs: 0 }, index);
  expect(tests).toContainEqual(
    expect.objectContaining({ id: "test_prices.py::test_odd", onOldCode: "failed", after: "passed" }),
  );
  expect(versions.environmentBefore).toMatch(/^python-/);
  expect(versions.environmentBefore).not.toBe(versions.environment);
  // A package of the change runs beside its tests, so that what they say is no proof of it.
  expect(account).toContainEqual(expect.objectContaining({ path: "requirements.txt", standing: "not-judged" }));
});

test("a change does not describe the environment that it is judged in, and is told so", async () => {
  const file = ".miracle/environment.yaml";
  const reads = "import os\n\n\ndef discounted(price):\n    return price - int(os.environ.get('OFF', '5'))\n";
  const files = { "prices.py": reads, "test_prices.py": TESTS, [file]: "variables: { OFF: '5' }\n" };
  const repository = new SampleRepository(files);
  const other = "\n\ndef test_more():\n    assert discounted(10) == 3\n";
  repository.write({ [file]: "variables: { OFF: '7' }\n", "test_prices.py": TESTS + other });
  const { verdict, tests, account, notes } = await proveChange(repository.directory, { budgetMs: 0 });
  expect(verdict.status).not.toBe("proven");
  expect(Object.fromEntries(tests.map(({ id, after }) => [id.split("::")[1], after]))).toEqual({
    test_half: "passed",
    test_more: "failed",
  });
  expect(account).toContainEqual(expect.objectContaining({ path: file, standing: "not-judged" }));
  expect(notes).toContainEqual(expect.stringContaining("counts as the base has it"));
});

test("where packages cannot be had, the first line of the verdict names them", async () => {
  const repository = new SampleRepository({
    "requirements.txt": "tiny==9.0\n",
    "prices.py": PRICES,
    "test_prices.py": TESTS,
  });
  repository.write({ "prices.py": CAPPED, "test_prices.py": TESTS + CAP });
  const { verdict } = await proveChange(repository.directory, { budgetMs: 0 }, index);
  expect(verdict.status).toBe("not-proven");
  expect(JSON.stringify(verdict)).toMatch(/No module named 'tiny'.*tiny==9\.0 cannot be had as a wheel/);
});

test("a project runs whose version only its build and its installation know", async () => {
  const pyproject = [
    "[build-system]",
    'requires = ["hatchling", "hatch-vcs"]',
    "[project]",
    'name = "sample-prices"',
    'dynamic = ["version"]',
    "[project.entry-points.sample]",
    'half = "sample_prices:half"',
    "[tool.hatch.version]",
    'source = "vcs"',
    "[tool.hatch.build.hooks.vcs]",
    'version-file = "src/sample_prices/_version.py"',
  ].join("\n");
  const code = (half: string) =>
    `from importlib.metadata import version\n\nfrom ._version import __version__\n\nassert version("sample-prices") == __version__\n\n\ndef half(amount):\n    return ${half}\n`;
  const tests = [
    "from importlib.metadata import entry_points",
    "from sample_prices import __version__, half",
    "",
    "def test_version():",
    "    assert __version__ == '1.4.2'",
    "",
    "def test_entry_point():",
    "    assert [point.value for point in entry_points(group='sample')] == ['sample_prices:half']",
    "",
    "def test_even():",
    "    assert half(10) == 5",
    "",
  ].join("\n");
  const files = { "pyproject.toml": pyproject, ".gitignore": "_version.py\n", "tests/test_prices.py": tests };
  const repository = new SampleRepository({ ...files, "src/sample_prices/__init__.py": code("amount // 2") });
  repository.git("tag", "v1.4.2");
  const odd =
    "\ndef test_odd():\n    assert half(5) == 2.5\n    assert half(-3) == -1.5\n    assert half(8.5) == 4.25\n";
  repository.write({ "src/sample_prices/__init__.py": code("amount / 2"), "tests/test_prices.py": tests + odd });
  const { tests: judged, notes } = await proveChange(repository.directory, { budgetMs: 0 });
  expect(Object.fromEntries(judged.map(({ id, after }) => [id.split("::")[1], after]))).toEqual({
    test_version: "passed",
    test_entry_point: "passed",
    test_even: "passed",
    test_odd: "passed",
  });
  expect(notes).toContainEqual(expect.stringContaining("src/sample_prices/_version.py"));
});
