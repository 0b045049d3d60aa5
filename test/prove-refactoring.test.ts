import { expect, test } from "vitest";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

const TOTAL = `import logging

log = logging.getLogger(__name__)


def total(xs, start=0):
    t = start
    for x in xs:
        t += x
    return t + 1


def last(xs):
    return xs[-1]
`;
const WEAK = `from total import last, total


def test_total():
    assert isinstance(total([1]), int)


def test_last():
    assert last([1, 2]) == 2
`;
const STRONG = `${WEAK}

def test_sum():
    assert total([]) == 1
    assert total([2, 3]) == 6
    assert total([1], 4) == 6
`;
const SUMMED = TOTAL.replace(/ {4}t = start\n[\s\S]*?t \+ 1\n/, "    return start + sum(xs) + 1\n");

const COUNTED = `def total(words):
    found = {}
    for word in words:
        if word not in found:
            found[word] = 0
        found[word] += 1
    return found
`;
const COUNTER = "from collections import Counter\n\n\ndef total(words):\n    return dict(Counter(words))\n";
const counts = (expected: string) => `from total import total\n\n\ndef test_it():\n    assert ${expected}\n`;
const LOCKED = `${TOTAL.split("def total")[0]}import threading

lock = threading.Lock()


def total(xs, start=0):
    with lock:
        return start + sum(xs) + 1


def last(xs):
    return xs[-1]
`;

interface Case {
  old?: string;
  tests?: string;
  change: Record<string, string>;
  status: string;
  says?: RegExp;
}

const cases: Record<string, Case> = {
  "a behaviour changed below a weak test is not kept": {
    change: { "total.py": TOTAL.replace("return t + 1", "return t") },
    status: "not-proven",
    says: /total\.py total: no test/,
  },
  "a sum written otherwise is kept, where tests would notice": {
    tests: STRONG,
    change: { "total.py": SUMMED },
    status: "proven",
    says: /1 place behaves as before, 3 tests held/,
  },
  "what went and was met by tests where it stood is written otherwise": {
    old: COUNTED,
    tests: counts("total(['a', 'b', 'a']) == {'a': 2, 'b': 1}"),
    change: { "total.py": COUNTER },
    status: "proven",
  },
  "what went and was met by no test is missed": {
    old: COUNTED,
    tests: counts("len(total(['a', 'b', 'a'])) == 2"),
    change: { "total.py": COUNTER },
    status: "proven-in-part",
    says: /total\.py total: no test notices|total\.py total: nothing shows that it can do without what went/,
  },
  "a lock that no test would miss is missed, however well the tests look at the rest": {
    old: LOCKED,
    tests: STRONG,
    change: { "total.py": LOCKED.replace("    with lock:\n        return", "    return") },
    status: "not-proven",
    says: /total\.py total: nothing shows that it can do without what went: .*with lock/,
  },
  "tests that come with a refactoring and hold on the old code carry it": {
    change: { "total.py": SUMMED, "test_total.py": STRONG },
    status: "proven",
  },
  "a function that moved within its file is only checked": {
    change: {
      "total.py": TOTAL.replace(/\n\ndef last[\s\S]*$/, "").replace(
        "\n\ndef total",
        "\n\ndef last(xs):\n    return xs[-1]\n\n\ndef total",
      ),
    },
    status: "checked",
  },
  "comments, layout and annotations are only checked": {
    change: {
      "total.py": TOTAL.replace(
        "def total(xs, start=0):",
        "def total(xs: list[int], start: int = 0) -> int:\n    # adds",
      ).replace("t + 1", "(t + 1)"),
    },
    status: "checked",
  },
  "a line of a log beside what tests hold fast is no change of behaviour": {
    tests: STRONG,
    change: {
      "total.py": TOTAL.replace("    return t + 1", '    log.debug("total of %d is %d", start, t)\n    return t + 1'),
    },
    status: "proven",
  },
  "another default is a change of behaviour": {
    change: { "total.py": TOTAL.replace("start=0", "start=10") },
    status: "not-proven",
    says: /total\.py total: no test/,
  },
  "an import of the same name from elsewhere is a change of behaviour": {
    tests: "from total import total\n\n\ndef test_it():\n    assert isinstance(total([1]), int)\n",
    change: { "total.py": "from b import add\n\n\ndef total(xs):\n    return add(xs)\n" },
    status: "not-proven",
    says: /total\.py add: no test turned for what it does now: total\(/,
  },
  "a function that is gone and that no test ran is not shown to be needless": {
    tests: "from total import total\n\n\ndef test_it():\n    assert total([2]) == 3\n",
    change: { "total.py": TOTAL.replace(/\n\ndef last[\s\S]*$/, "") },
    status: "not-proven",
    says: /total\.py last: it is gone, and nothing shows that nobody needs it/,
  },
  "a silent change beside a proven fix is seen": {
    tests: STRONG.replace("assert last([1, 2]) == 2", "assert isinstance(last([1, 2]), int)"),
    change: {
      "total.py": TOTAL.replace("t = start", "t = start or 0").replace("xs[-1]", "xs[0]"),
      "test_total.py": `${STRONG.replace("assert last([1, 2]) == 2", "assert isinstance(last([1, 2]), int)")}

def test_none():
    assert total([], None) == 1
`,
    },
    status: "proven-in-part",
    says: /total\.py last: no test turned for what it does now: last\(/,
  },
};

const before = (name: string): Record<string, string> =>
  name.startsWith("an import")
    ? {
        "total.py": "from a import add\n\n\ndef total(xs):\n    return add(xs)\n",
        "a.py": "def add(xs):\n    return sum(xs)\n",
        "b.py": "def add(xs):\n    return len(xs)\n",
      }
    : { "total.py": TOTAL };

test.each(Object.entries(cases))("%s", async (name, { old, tests = WEAK, change, status, says = /./ }) => {
  const code = old === undefined ? before(name) : { "total.py": old };
  const repository = new SampleRepository({ ...code, "test_total.py": tests });
  repository.write(change);
  const { verdict } = await proveChange(repository.directory);
  expect(verdict).toMatchObject({ status });
  expect([verdict.summary, ...verdict.reasons].join("\n")).toMatch(says);
});
