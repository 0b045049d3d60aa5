import { expect, test } from "vitest";
import { CART, CART_TESTS } from "./cart-project.ts";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

const FIXED = CART.replace("return min(prices)", "return min(prices) if prices else 0");
const FIX_TEST = `${CART_TESTS}

def test_cheapest_of_nothing():
    assert cheapest([]) == 0
`;
const cart = () => new SampleRepository({ "cart.py": CART, "test_cart.py": CART_TESTS });

const roles = ({ tests }: Awaited<ReturnType<typeof proveChange>>) =>
  Object.fromEntries(tests.map(({ id, role }) => [id.slice(id.indexOf("::") + 2), role]));
const codes = ({ integrity }: Awaited<ReturnType<typeof proveChange>>) =>
  integrity.map(({ code, weight }) => `${weight} ${code}`);

test("a good fix with its test is proven", async () => {
  const repository = cart();
  repository.write({ "cart.py": FIXED, "test_cart.py": FIX_TEST });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict).toMatchObject({ status: "proven", carriedBy: ["change-tests"], reasons: [] });
  expect(roles(evidence)).toEqual({
    test_total: "held",
    test_cheapest: "held",
    test_cheapest_of_nothing: "red-to-green",
  });
});

test("a fix whose test was red on the base already is carried by the project's own suite", async () => {
  const repository = new SampleRepository({ "cart.py": CART, "test_cart.py": FIX_TEST });
  repository.write({ "cart.py": FIXED });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict).toMatchObject({ status: "proven", carriedBy: ["own-suite"] });
});

test("a constant that code reads which no test runs is not shown by the test of another reader", async () => {
  const code = (digits: number) =>
    `DIGITS = ${digits}\n\n\ndef money(x):\n    return round(x, DIGITS)\n\n\ndef rate(x):\n    return round(x, DIGITS)\n`;
  const test = "from money import money\n\n\ndef test_money():\n    assert money(1.23456) == ";
  const repository = new SampleRepository({ "money.py": code(2), "test_money.py": `${test}1.23\n` });
  repository.write({ "money.py": code(4), "test_money.py": `${test}1.2346\n` });
  const { account } = await proveChange(repository.directory, { superseded: ["test_money.py::test_money"] });
  expect(account?.find(({ unit }) => unit === "DIGITS")).toMatchObject({
    standing: "not-judged",
    why: "`DIGITS` means something else in lines that no test runs: 9",
  });
});

test("a change that breaks a test is not proven, and the test is named", async () => {
  const repository = cart();
  repository.write({ "cart.py": FIXED.replace("sum(prices)", "sum(prices) + 1"), "test_cart.py": FIX_TEST });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict).toMatchObject({ status: "not-proven" });
  expect(verdict.reasons[0]).toBe("test_cart.py::test_total passed before and is red now");
});

test.each([
  [
    "deleted",
    (text: string) => text.replace("def test_total():\n    assert total([1, 2]) == 3\n", ""),
    "tampering test.says-less",
  ],
  [
    "skipped",
    (text: string) => `import pytest\n${text.replace("def test_total", "@pytest.mark.skip\ndef test_total")}`,
    "tampering test.skipped",
  ],
  [
    "expected to fail",
    (text: string) => `import pytest\n${text.replace("def test_total", "@pytest.mark.xfail\ndef test_total")}`,
    "tampering test.skipped",
  ],
  ["emptied", (text: string) => text.replace("assert total([1, 2]) == 3", "pass"), "tampering test.says-less"],
  [
    "made trivial",
    (text: string) => text.replace("assert total([1, 2]) == 3", "total([1, 2])\n    assert True"),
    "tampering test.says-less",
  ],
  ["loosened", (text: string) => text.replace("total([1, 2]) == 3", "total([1, 2]) >= 3"), "tampering test.says-less"],
  [
    "renamed so that it is not collected",
    (text: string) => text.replace("def test_total", "def check_total"),
    "tampering test.says-less",
  ],
])("a fix with a test that was %s is refused", async (_, weaken, finding) => {
  const repository = cart();
  // The change breaks `total`, and the test is made to say nothing of it.
  repository.write({ "cart.py": FIXED.replace("sum(prices)", "sum(prices) + 1"), "test_cart.py": weaken(FIX_TEST) });
  const evidence = await proveChange(repository.directory);
  expect(codes(evidence)).toContain(finding);
  expect(evidence.verdict.status).toBe("refused");
});

test("a test that expects something else than before must be named by a person", async () => {
  const repository = cart();
  repository.write({
    "cart.py": FIXED.replace("sum(prices)", "sum(prices) + 1"),
    "test_cart.py": FIX_TEST.replace("total([1, 2]) == 3", "total([1, 2]) == 4"),
  });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict.status).toBe("proven-in-part");
  expect(evidence.verdict.reasons[0]).toContain("test_cart.py::test_total expects something else now");
  const said = await proveChange(repository.directory, { superseded: ["test_cart.py::test_total"] });
  expect(said.verdict.status).toBe("proven");
  expect(codes(said)).toEqual(["named test.superseded"]);
});

test("new tests that cannot fail show nothing, and are held against nobody", async () => {
  const repository = cart();
  const dull = `from cart import total


def test_empty():
    pass


def test_tautology():
    assert 1 == 1


def test_swallowed():
    try:
        assert total([1]) == 5
    except Exception:
        pass


def test_counted():
    calls = 0
    for price in [1, 2]:
        calls += total([price])
    assert calls == 3
`;
  repository.write({ "cart.py": FIXED, "test_cart.py": FIX_TEST, "test_new.py": dull });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict.status).toBe("proven");
  expect(codes(evidence)).toEqual([]);
  expect(roles(evidence)).toMatchObject({ test_empty: "guard", test_tautology: "guard", test_swallowed: "guard" });
});

test("a refactoring that breaks a behaviour no test covers is not proven, and names the lines", async () => {
  const repository = cart();
  repository.write({ "cart.py": CART.replace("result = result - result * discount", "result -= discount") });
  const { verdict, kind } = await proveChange(repository.directory);
  expect(kind).toBe("refactoring");
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons[0]).toBe("cart.py total: no test runs line 4");
});

test("a refactoring whose lines are covered and whose mutants are noticed is proven", async () => {
  const repository = cart();
  repository.write({ "cart.py": CART.replace("return min(prices)", "lowest = min(prices)\n    return lowest") });
  const { verdict, kind, mutants } = await proveChange(repository.directory);
  expect(kind).toBe("refactoring");
  expect((mutants?.counts.killed ?? 0) + (mutants?.counts.compared ?? 0)).toBeGreaterThan(0);
  expect(verdict).toMatchObject({ status: "proven", carriedBy: ["own-suite"] });
});

test("a refactoring that behaves otherwise with inputs of no test is not one, and the call is named", async () => {
  const repository = cart();
  repository.write({ "cart.py": CART.replace("return min(prices)", "return sorted(prices)[0]") });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.reasons.join()).toMatch(/cheapest\(\[\]\): raises ValueError.* → raises IndexError/);
});

test("a refactoring that only a test without a claim runs is not proven", async () => {
  const repository = new SampleRepository({
    "cart.py": CART,
    "test_cart.py": CART_TESTS.replace("assert cheapest([3, 1]) == 1", "cheapest([3, 1])"),
  });
  repository.write({ "cart.py": CART.replace("return min(prices)", "return sorted(prices)[-1]") });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons[0]).toContain("cart.py cheapest: no test");
});

test("new tests that notice nothing of the changed lines carry no fix", async () => {
  const repository = cart();
  repository.write({
    "cart.py": FIXED,
    "shop.py": "NAME = 'x'\n",
    "test_new.py": "import shop\n\ndef test_name():\n    assert shop.__name__ == 'shop'\n",
  });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.status).toBe("not-proven");
});

test("a secret in the change keeps it from being proven", async () => {
  const repository = cart();
  const key = ["AKIA", "Q3EGRTZYV5NXW2LM"].join("");
  repository.write({ "cart.py": `${FIXED}\nKEY = "${key}"\n`, "test_cart.py": FIX_TEST });
  const { verdict, scans } = await proveChange(repository.directory);
  expect(scans?.map(({ kind }) => kind)).toContain("secret");
  expect(verdict.status).toBe("not-proven");
  expect(JSON.stringify(scans)).not.toContain(key);
});

test("what a fix holds beside what its tests need is put back, and not shown when nobody misses it", async () => {
  const cost = (line: string) => `LIMIT = 1000\n\n\ndef cost(price):\n    ${line}\n`;
  const checks = (expected: string) =>
    `from shop import cost\n\n\ndef test_cost():\n    assert cost(50) == ${expected}\n`;
  const repository = new SampleRepository({ "shop.py": cost("return price * 0.5"), "test_shop.py": checks("25.0") });
  const judged = async (line: string) => {
    repository.write({ "shop.py": cost(line), "test_shop.py": checks("40.0") });
    return (await proveChange(repository.directory, { superseded: ["test_shop.py::test_cost"] })).verdict;
  };
  expect(await judged("return price * 0.8")).toMatchObject({ status: "proven", reasons: [] });
  const { status, reasons } = await judged("return min(price, LIMIT) * 0.8");
  expect(status).toBe("proven-in-part");
  expect(reasons).toEqual(["shop.py cost: no test notices line 5 `min(price, LIMIT)` → `price`, as it was"]);
});

test("a place to be left that is nowhere is refused before anything runs; one where nothing is open is noted", async () => {
  const repository = cart();
  repository.write({ "cart.py": FIXED, "test_cart.py": FIX_TEST });
  await expect(proveChange(repository.directory, { leave: ["nothing.py"] })).rejects.toThrow(
    "--leave nothing.py names nothing of this project: the change touches cart.py, test_cart.py",
  );
  await expect(proveChange(repository.directory, { leave: ["cart.py totall"] })).rejects.toThrow("cart.py totall");
  const { verdict, notes } = await proveChange(repository.directory, { leave: ["cart.py"] });
  expect(verdict.status).toBe("proven");
  expect(notes).toContain("--leave cart.py accepts nothing: no place that it names is open");
});
