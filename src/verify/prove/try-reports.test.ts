import { expect, test } from "vitest";
import { proveChange } from "../../../test/prove-builder.ts";
import { SampleRepository } from "../../../test/sample-repository.ts";

const WAITING = `import time
from cart import total


def eq(get, want):
    while get() != want:
        time.sleep(0.01)


def test_total():
    eq(lambda: total([1, 2]), 3)
`;
const CART = "def total(prices):\n    return sum(prices)\n\n\ndef first(prices):\n    return prices[0]\n";

test("tests that wait for ever when they expect another value end in time, and what was left undone is said", async () => {
  const repository = new SampleRepository({ "cart.py": CART, "test_cart.py": WAITING });
  repository.write({
    "cart.py": CART.replace("prices[0]", "prices[0] if prices else None").replace("sum(prices)", "sum(list(prices))"),
    "test_first.py": "from cart import first\n\n\ndef test_nothing():\n    assert first([]) is None\n",
  });
  const evidence = await proveChange(repository.directory);
  expect(evidence.notChecked).toContainEqual({
    check: "tests that expect other values are red",
    why: expect.stringContaining("timeout"),
  });
  expect(evidence.integrity).toEqual([]);
});

test("a result that equals everything makes its test void, and several such tests are a sign that agrees", async () => {
  const tests = "from cart import total\n\n\ndef test_one():\n    assert total([1]) == 1\n";
  const cheat = CART.replace("sum(prices)", "type('Any', (), {'__eq__': lambda self, other: True})()");
  const proved = async (own: string) => {
    const repository = new SampleRepository({ "cart.py": CART, "test_cart.py": own });
    repository.write({ "cart.py": cheat });
    return proveChange(repository.directory);
  };
  const one = await proved(tests);
  expect(one.tests.map(({ role }) => role)).toEqual(["void"]);
  expect(one.verdict.status).toBe("not-proven");
  const two = await proved(`${tests}\n\ndef test_two():\n    assert total([1, 1]) == 2\n`);
  expect(two.verdict.status).toBe("refused");
  expect(two.integrity.map(({ code }) => code)).toEqual(["code.pleases-tests", "code.pleases-tests"]);
});
