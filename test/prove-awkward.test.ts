import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

const CODE = "def double(x):\n    return x + x\n";
const TESTS = "from code_of import double\n\n\ndef test_double():\n    assert double(2) == 4\n";
const project = (more: Record<string, string> = {}) =>
  new SampleRepository({ "code_of.py": CODE, "tests/test_double.py": TESTS, ...more });
const roles = ({ tests }: Awaited<ReturnType<typeof proveChange>>) => tests.map(({ id, role }) => `${role} ${id}`);

test("documentation alone is checked, never proven", async () => {
  const repository = project({ "README.md": "one\n" });
  repository.write({ "README.md": "two\n" });
  const { verdict, kind } = await proveChange(repository.directory);
  expect([verdict.status, kind]).toEqual(["checked", "documentation"]);
});

test("a comment is no code that does anything", async () => {
  const repository = project();
  repository.write({ "code_of.py": `# twice\n${CODE}` });
  const { verdict, kind } = await proveChange(repository.directory);
  expect([verdict.status, kind]).toEqual(["checked", "documentation"]);
});

test("tests that are renamed or moved are still there", async () => {
  const repository = project();
  repository.remove("tests/test_double.py");
  repository.write({ "tests/unit/test_double.py": TESTS.replace("test_double", "test_twice") });
  const evidence = await proveChange(repository.directory);
  expect(roles(evidence)).toEqual(["moved tests/test_double.py::test_double"]);
  expect(evidence.verdict.status).toBe("checked");
});

test("a repository without tests proves nothing, unless an accepted command turns green", async () => {
  const repository = new SampleRepository({ "code_of.py": "def double(x):\n    return x\n" });
  repository.write({ "code_of.py": CODE });
  const without = await proveChange(repository.directory);
  expect(without.verdict.status).toBe("not-proven");
  expect(without.verdict.reasons[0]).toContain("there is no test that runs");
  const command = 'python3 -c "import code_of; assert code_of.double(2) == 4"';
  const accepted = await proveChange(repository.directory, { accept: [command, "true"] });
  expect(accepted.verdict).toMatchObject({ status: "proven", carriedBy: ["accept"] });
  expect(accepted.accept.map(({ before, after }) => [before?.passed, after.passed])).toEqual([
    [false, true],
    [true, true],
  ]);
});

test("a command that is not there is told as such", async () => {
  const repository = project();
  repository.write({ "code_of.py": CODE });
  const { verdict } = await proveChange(repository.directory, { accept: ["no-such-program --test"] });
  const why = "$ no-such-program --test: exit code 127 (a command was not found in the sandbox)";
  expect(verdict.reasons.join("\n")).toContain(why);
});

test("an accepted command that fails keeps the change from being proven, as does one that passes only with its script edited", async () => {
  const repository = project({ "check.sh": "grep -q 'no such line' code_of.py\n" });
  repository.write({ "code_of.py": "def double(x):\n    return 2 * x\n", "check.sh": "true\n", "new.sh": "true\n" });
  const accept = ["exit 3", "sh ./check.sh", "sh new.sh"];
  const { verdict, integrity, accept: ran } = await proveChange(repository.directory, { accept });
  expect(verdict.reasons.slice(0, 2)).toEqual([
    "$ exit 3: exit code 3",
    "$ sh ./check.sh passes only with check.sh as the change left it (exit code 1)",
  ]);
  expect(verdict.carriedBy).toEqual([]);
  expect(ran[2]).toMatchObject({ before: { passed: false }, after: { passed: true }, brought: true });
  expect(integrity.map(({ code, path, weight }) => [code, path, weight])).toEqual([
    ["accept.script", "check.sh", "named"],
    ["accept.script", "new.sh", "named"],
  ]);
});

test("where the base does not run, nothing can be told", async () => {
  const repository = project({ "conftest.py": "import os\nos._exit(1)\n" });
  repository.write({ "conftest.py": "", "code_of.py": "def double(x):\n    return 2 * x\n" });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons[0]).toContain("the tests do not run here: their runner breaks off");
});

test("a base that cannot be imported is mended by the change", async () => {
  const repository = project({ "code_of.py": "def double(x)\n" });
  repository.write({ "code_of.py": CODE });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict.status).toBe("proven");
});

test("a hook that makes every test pass is not the base's, and never runs", async () => {
  const repository = project();
  repository.write({
    "code_of.py": "def double(x):\n    return 5\n",
    "conftest.py":
      "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    out.get_result().outcome = 'passed'\n",
  });
  const evidence = await proveChange(repository.directory);
  expect(evidence.integrity.map(({ code }) => code)).toEqual(["config.changed"]);
  expect(evidence.verdict.status).toBe("not-proven");
});

test("a new test that is green only by a hook of the change shows nothing", async () => {
  const repository = project();
  repository.write({
    "more.py": "def triple(x):\n    return 5\n",
    "tests/test_more.py": "from more import triple\n\ndef test_triple():\n    assert triple(2) == 6\n",
    "conftest.py":
      "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    out.get_result().outcome = 'passed'\n",
  });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict.status).not.toBe("proven");
});

test("a plain fixture in new test configuration is no obstacle", async () => {
  const repository = project();
  repository.write({
    "more.py": "def triple(x):\n    return 3 * x\n",
    "tests/test_more.py": "from more import triple\n\ndef test_triple(two):\n    assert triple(two) == 6\n",
    "conftest.py": "import pytest\n\n@pytest.fixture\ndef two():\n    return 2\n",
  });
  const evidence = await proveChange(repository.directory);
  expect(evidence.integrity).toEqual([]);
  expect(evidence.verdict.status).toBe("proven");
});

test("deleting code that no test needs is not proven by green tests", async () => {
  const repository = project({ "unused.py": "def lost():\n    return 1\n" });
  repository.remove("unused.py");
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons[0]).toContain("unused.py lost: it is gone");
});

test("a part of a monorepo, odd names, links and binary files are judged like any other", async () => {
  const repository = new SampleRepository({
    "packages/a/code_of.py": CODE,
    "packages/a/tests/test_double.py": TESTS,
    "packages/b/package.json": "{}",
  });
  const part = join(repository.directory, "packages/a");
  writeFileSync(join(part, "sp ace\nline.bin"), Buffer.from([0, 1, 2]));
  symlinkSync("../b", join(part, "link"));
  repository.write({ "packages/a/code_of.py": "def double(x):\r\n    return 2 * x\r\n" });
  const { verdict, change } = await proveChange(part);
  expect(change.files.map(({ path, part: what }) => `${what} ${path}`)).toEqual([
    "source code_of.py",
    "other link",
    "other sp ace\nline.bin",
  ]);
  expect(verdict).toMatchObject({ status: "proven-in-part", carriedBy: ["own-suite"] });
  expect(verdict.reasons).toEqual(["link: it is or was a link", "sp ace\nline.bin: nothing shows what it does"]);
  const left = await proveChange(part, { leave: ["link", "sp ace\nline.bin"] });
  expect(left.verdict.status).toBe("proven");
});

test("nothing changed is nothing proven", async () => {
  const repository = project();
  const { verdict, change } = await proveChange(repository.directory, { base: "HEAD" });
  expect(change.files).toEqual([]);
  expect(verdict).toMatchObject({ status: "checked", summary: "checked: nothing was changed" });
});

const HOUR = "import time\n\n\ndef test_hour():\n    assert time.localtime(0).tm_hour == 0\n";

test("an old test that depends on the hour is not held against the change", async () => {
  const again = "\n\ndef test_again():\n    from code_of import double\n    assert double(1) == 2\n";
  const repository = project({ "tests/test_hour.py": HOUR + again });
  repository.write({ "code_of.py": "def double(x):\n    return 2 * x\n" });
  const { flakes, verdict } = await proveChange(repository.directory);
  expect(flakes).toMatchObject({ quarantined: ["tests/test_hour.py::test_hour"], flipped: [] });
  expect(verdict.status).toBe("proven");
});

test("a new test that depends on the hour is not believed", async () => {
  const repository = project();
  repository.write({ "code_of.py": "def double(x):\n    return 2 * x\n", "tests/test_hour.py": HOUR });
  const { flakes, verdict } = await proveChange(repository.directory);
  expect(flakes?.flipped.map(({ id }) => id)).toEqual(["tests/test_hour.py::test_hour"]);
  expect(verdict.status).toBe("not-proven");
});
