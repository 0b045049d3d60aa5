import { expect, test } from "vitest";
import { proveChange } from "../../../test/prove-builder.ts";
import { SampleRepository } from "../../../test/sample-repository.ts";

const CART = "def total(prices):\n    return sum(prices)\n";

test("what is red only in the first run after the change is asked once more, and holds when it is green then", async () => {
  const repository = new SampleRepository({
    "cart.py": CART,
    "test_cart.py": "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    // It minds being watched, as the first run after a change is.
    "test_other.py": "def test_compile():\n    assert isinstance(compile, type(len))\n",
  });
  repository.write({ "cart.py": CART.replace("sum(prices)", "sum(list(prices))") });
  const { tests } = await proveChange(repository.directory);
  expect(Object.fromEntries(tests.map(({ id, role }) => [id, role]))).toMatchObject({
    "test_other.py::test_compile": "held",
  });
});

test("what another test makes red is red, though it is green alone", async () => {
  const tests = "from stats import average\n\n\ndef test_average():\n    assert average([1, 2, 3]) == 2\n";
  const repository = new SampleRepository({
    "stats.py": "def average(values):\n    return sum(values) / len(values)\n",
    "test_average.py": tests,
    "test_money.py":
      "from decimal import Decimal\n\n\ndef test_third():\n    assert round(Decimal(10) / 3, 4) == Decimal('3.3333')\n",
  });
  repository.write({
    "stats.py":
      "from decimal import Decimal, getcontext\n\n\ndef average(values):\n    getcontext().prec = 2\n" +
      "    return float(sum(map(Decimal, values)) / len(values))\n",
    "test_average.py": `${tests}\n\ndef test_two_digits():\n    assert average([1, 1, 2]) == 1.3\n`,
  });
  const { verdict, tests: found } = await proveChange(repository.directory);
  expect(Object.fromEntries(found.map(({ id, role }) => [id, role]))).toMatchObject({
    "test_money.py::test_third": "broken",
  });
  expect(verdict.status).toBe("not-proven");
});
