import { expect, test } from "vitest";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

/*
 * An honest fix of `first`, and beside it edits of old tests that have nothing to do with it. All of them pass before and
 * after: what they say is measured by what they notice.
 */
const SHOP = `def names(n):
    return ["a", "b", "c"][:n]


def size(n):
    if n >= 1000:
        return "%dk" % (n // 1000)
    return str(n)


def clean(text):
    return text.strip().lower()


def area(width, height):
    return width * height


def parse(text):
    if not text:
        raise ValueError("empty")
    return int(text)


def first(items):
    return items[0]
`;
const FIXED = SHOP.replace("return items[0]", "return items[0] if items else None");

const HEAD = "import pytest\nfrom shop import area, clean, first, names, parse, size\n";
const CHECK = "def check(left, right):\n    assert left == right\n";
const NAMES = 'def test_names():\n    assert names(2) == ["a", "b"]\n';
const CASES = '(1, "1"), (999, "999"), (1000, "1k"), (5000, "5k")';
const size = (cases: string) =>
  `@pytest.mark.parametrize("n, text", [${cases}])\ndef test_size(n, text):\n    assert size(n) == text\n`;
const CLEAN = 'def test_clean():\n    assert clean(" A b ") == "a b"\n';
const AREA = "def test_area():\n    check(area(2, 3), 6)\n";
const PARSE = 'def test_parse():\n    with pytest.raises(ValueError):\n        parse("")\n    assert parse("7") == 7\n';
const FIRST = "def test_first():\n    assert first([1]) == 1\n";
const NOTHING = "def test_first_of_nothing():\n    assert first([]) is None\n";
const file = (...parts: string[]) => [HEAD, ...parts].join("\n\n");
const shop = () =>
  new SampleRepository({
    "shop.py": SHOP,
    "test_shop.py": file(CHECK, NAMES, size(CASES), CLEAN, AREA, PARSE, FIRST),
  });

type Evidence = Awaited<ReturnType<typeof proveChange>>;
const found = ({ integrity }: Evidence, code: string) =>
  integrity.filter((one) => one.code === code).map(({ test: id }) => id);

test("tests that say less are named one by one, with what they notice no more", async () => {
  const repository = shop();
  repository.write({
    "shop.py": FIXED,
    "test_shop.py": file(
      CHECK.replace("left == right", "left is not None"),
      NAMES.replace('names(2) == ["a", "b"]', 'names(2)[:1] == ["a", "b"][:1]'),
      size('(1, "1"), (999, "999"), (5000, "5k"), (7, "7")'),
      CLEAN.replace('clean(" A b ")', 'clean(" A b ").strip().lower()'),
      AREA,
      PARSE.replace('    assert parse("7") == 7\n', ""),
      FIRST,
      NOTHING,
    ),
  });
  const evidence = await proveChange(repository.directory, { budgetMs: 90_000 });
  expect(found(evidence, "test.says-less").sort()).toEqual([
    "test_shop.py::test_area",
    "test_shop.py::test_clean",
    "test_shop.py::test_names",
    "test_shop.py::test_parse",
    "test_shop.py::test_size[1000-1k]",
  ]);
  const { reasons, status } = evidence.verdict;
  expect(status).toBe("refused");
  const names = reasons.find((reason) => reason.startsWith("test_shop.py::test_names"));
  expect(names).toContain('shop.py:2 `"b"` → `""`');
  expect(names).toContain("--superseded 'test_shop.py::test_names'");
});

test("tests that say the same otherwise, or more, are no matter", async () => {
  const repository = shop();
  repository.write({
    "shop.py": FIXED,
    "test_shop.py": file(
      CHECK.replace("left == right", "left == right, (left, right)"),
      NAMES.replace("test_names", "test_the_first_names"),
      size(`(2000, "2k"), ${CASES}`),
      'def test_clean():\n    cleaned = clean(" A b ")\n    assert cleaned == "a b"\n    assert clean("") == ""\n',
      AREA,
      `${FIRST}    assert first([]) is None\n`,
    ),
    "test_parse.py": `import pytest\nfrom shop import parse\n\n\nclass TestParse:\n    ${PARSE.trimEnd()
      .replaceAll("\n", "\n    ")
      .replace("test_parse()", "test_parse(self)")}\n`,
  });
  const evidence = await proveChange(repository.directory, { budgetMs: 90_000 });
  expect(evidence.verdict.reasons).toEqual([]);
  expect(evidence.verdict.status).toBe("proven");
  expect(found(evidence, "test.replaced")).toEqual(["test_shop.py::test_parse"]);
  const roles = Object.fromEntries(evidence.tests.map(({ id, role }) => [id, role]));
  expect(roles).toMatchObject({
    "test_shop.py::test_first": "red-to-green",
    "test_shop.py::test_names": "moved",
    "test_shop.py::test_clean": "held",
    "test_shop.py::test_size[2000-2k]": "guard",
  });
});

test("a replaced expectation and a test that went with its function are questions, answered by the flag that they name", async () => {
  const repository = shop();
  repository.write({
    "shop.py": FIXED.replace('"%dk"', '"%d k"').replace(/def area[\s\S]*?height\n\n\n/, ""),
    "test_shop.py": file(NAMES, size(CASES.replaceAll("k", " k")), CLEAN, PARSE, FIRST, NOTHING).replace("area, ", ""),
  });
  const { verdict } = await proveChange(repository.directory, { budgetMs: 90_000 });
  expect(verdict.status).toBe("proven-in-part");
  const flags = verdict.reasons.flatMap((reason) => /--superseded '([^']*)'/.exec(reason)?.[1] ?? []);
  expect(flags.sort()).toEqual([
    "test_shop.py::test_area",
    "test_shop.py::test_size[1000-1k]",
    "test_shop.py::test_size[5000-5k]",
  ]);
  const said = await proveChange(repository.directory, { superseded: flags, budgetMs: 90_000 });
  expect(said.verdict.reasons.filter((reason) => reason.includes("--superseded"))).toEqual([]);
});

test("tests whose words changed and whose meaning did not are not asked about", async () => {
  const cases = 'CASES = [(1, "1"), (1000, "1k")]\n';
  const head = "import pytest\nfrom shop import area, clean, first, size\n";
  const sized = '@pytest.mark.parametrize("n, text", CASES)\ndef test_size(n, text):\n    assert size(n) == text\n';
  const repository = new SampleRepository({
    "shop.py": SHOP,
    "test_shop.py": [head, cases, CHECK, sized, CLEAN, AREA, FIRST].join("\n\n"),
  });
  const reworded = [
    "from typing import List, Tuple\nfrom shop import (\n    size, first,\n    clean, area,\n)\nimport pytest\n",
    'CASES: List[Tuple[int, str]] = [\n    (1, "1"),\n    (1000, "1k"),\n]\n',
    "def check(left: int, right: int) -> None:\n    assert (left == right)\n",
    sized.replace("test_size(n, text)", "test_size(n: int, text: str) -> None"),
    CLEAN.replaceAll('"', "'").replace("test_clean()", "test_clean() -> None"),
    AREA.replace("def test_area():\n", 'def test_area():\n    """Two sides."""\n'),
    FIRST,
    NOTHING,
  ].join("\n\n");
  // Nothing is measured here: so whatever means something else is a question.
  const asked = async (text: string) => {
    repository.write({ "shop.py": FIXED, "test_shop.py": text });
    const { verdict } = await proveChange(repository.directory, { budgetMs: 0 });
    return verdict.reasons.flatMap((reason) => /--superseded '([^']*)'/.exec(reason)?.[1] ?? []).sort();
  };
  expect(await asked(reworded)).toEqual([]);
  expect(await asked(reworded.replace("left == right", "left is not None"))).toEqual(["test_shop.py::test_area"]);
  expect(await asked(reworded.replace('(1000, "1k")', '(2000, "2k")'))).toEqual([
    "test_shop.py::test_size[1-1]",
    "test_shop.py::test_size[1000-1k]",
  ]);
});

test("a test that takes nearly the same for the same is a question, and its flag answers it", async () => {
  const code = `def find(items, key):
    for one in items:
        if one["key"] == key:
            return one
    return None


def order(items):
    return list(items)


def pick(table, name):
    if name not in table:
        raise KeyError(name)
    return table[name]


def first(items):
    return items[0]
`;
  const head = "import pytest\nfrom pile import find, first, order, pick\n";
  const tests = (missing: string, sorted: string, error: string) =>
    file(
      `def test_find():\n    assert find([{"key": "a"}], "a") == {"key": "a"}\n    assert ${missing}\n`,
      `def test_order():\n    assert ${sorted}\n`,
      `def test_pick():\n    assert pick({"a": 1}, "a") == 1\n    with pytest.raises(${error}):\n        pick({}, "a")\n`,
      FIRST,
    ).replace(HEAD, head);
  const repository = new SampleRepository({
    "pile.py": code,
    "test_pile.py": tests('find([], "a") is None', "order([2, 1]) == [2, 1]", "KeyError"),
  });
  repository.write({
    "pile.py": code.replace("return items[0]", "return items[0] if items else None"),
    "test_pile.py": `${tests('not find([], "a")', "sorted(order([2, 1])) == [1, 2]", "LookupError")}\n\n${NOTHING}`,
  });
  const { verdict } = await proveChange(repository.directory, { budgetMs: 90_000 });
  expect(verdict.status).toBe("proven-in-part");
  const asked = verdict.reasons.flatMap(
    (reason) => /^(\S+) (?:lets more pass|was edited, and it says less)/.exec(reason)?.[1] ?? [],
  );
  expect(asked.sort()).toEqual(["test_pile.py::test_find", "test_pile.py::test_order", "test_pile.py::test_pick"]);
});
