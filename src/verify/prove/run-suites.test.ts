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
