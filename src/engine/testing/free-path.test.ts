import { expect, test } from "vitest";
import { Python } from "../../languages/python/python.ts";
import { freePath } from "./free-path.ts";

test("no name is proposed that a file of the project has", () => {
  expect(freePath("invoice", new Python({}), ["tests/test_other.py"])).toBe("tests/test_invoice.py");
  const paths = ["tests/test_invoice.py", "tests/test_invoice_2.py"];
  expect(freePath("invoice", new Python({}), paths)).toBe("tests/test_invoice_3.py");
});
