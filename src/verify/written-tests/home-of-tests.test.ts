import { expect, test } from "vitest";
import { homeOfTests } from "./home-of-tests.ts";

const ADDED = { path: "tests/test_as_money.py", content: "from shop.invoice import as_money\n" };
const files = (...all: [string, string][]) => all.map(([path, content]) => ({ path, content }));

test("tests go into the file that is named after the code they test", () => {
  const tests = files(["tests/test_invoice.py", "from shop.invoice import total"], ["tests/test_stock.py", ""]);
  expect(homeOfTests(ADDED, ["shop/invoice.py", "shop/stock.py"], tests)).toBe("tests/test_invoice.py");
  const other = files(["tests/invoice_test.py", ""]);
  expect(homeOfTests(ADDED, ["shop/invoice.py"], other)).toBe("tests/invoice_test.py");
});

test("without such a file, into the only one that tests this code", () => {
  const one = files(["tests/test_shop.py", "from shop import invoice\n"], ["tests/test_stock.py", "import shop.stock"]);
  expect(homeOfTests(ADDED, ["shop/invoice.py"], one)).toBe("tests/test_shop.py");
});

test("without any, a new file is named as the project names its own", () => {
  expect(homeOfTests(ADDED, ["shop/invoice.py"], files(["tests/test_a.py", ""]))).toBe("tests/test_invoice.py");
  const usual = files(["tests/stock_test.py", "import shop.stock"]);
  expect(homeOfTests(ADDED, ["shop/invoice.py"], usual)).toBe("tests/invoice_test.py");
  const script = { path: "test/round-prices.test.ts", content: 'import { round } from "../src/price.ts";' };
  expect(homeOfTests(script, ["src/price.ts"], files(["test/stock.spec.ts", ""]))).toBe("test/price.spec.ts");
  const go = { path: "calc/add_minus_test.go", content: "package calc" };
  expect(homeOfTests(go, ["calc/calc.go"], files(["calc/sum_test.go", ""]))).toBe("calc/calc_test.go");
});

test("a package is called by its folder", () => {
  const added = { path: "tests/test_money.py", content: "from shop import as_money\n" };
  expect(homeOfTests(added, ["shop/__init__.py"], files(["tests/test_a.py", ""]))).toBe("tests/test_shop.py");
});

test("tests of several files, and of none, stay where they are", () => {
  const both = { path: "tests/test_a.py", content: "from shop import invoice, stock\n" };
  const own = files(["tests/test_b.py", ""]);
  expect(homeOfTests(both, ["shop/invoice.py", "shop/stock.py"], own)).toBe("tests/test_a.py");
  expect(homeOfTests(ADDED, [], own)).toBe(ADDED.path);
  expect(homeOfTests(ADDED, ["shop/invoice.py"], []), "the project has no custom yet").toBe(ADDED.path);
});

test("a file in another folder is no home: what the tests import would be elsewhere", () => {
  const nested = files(["tests/unit/test_invoice.py", "from shop.invoice import total"]);
  expect(homeOfTests(ADDED, ["shop/invoice.py"], nested)).toBe("tests/test_invoice.py");
});
