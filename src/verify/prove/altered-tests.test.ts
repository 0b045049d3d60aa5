import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import { pleased, pleasedFindings } from "./altered-tests.ts";

const found = (suspects: string[], onOldCode: Parameters<typeof report>[0]) =>
  pleasedFindings(suspects, report(onOldCode)).map(({ weight, code, test: id }) => `${weight} ${code} ${id}`);

test("a test that passes whatever it expects is found by its name, case by case", () => {
  const altered = { files: [], names: new Set(["t.py::a", "t.py::b"]) };
  const run = report({ "t.py::a[1]": "passed", "t.py::b": "failed", "t.py::c": "passed" });
  expect(pleased(run, altered, new Set(["t.py::a[1]", "t.py::b", "t.py::c"]))).toEqual(["t.py::a[1]"]);
});

test("code pleases its tests only if several of them say so, and the old code did not", () => {
  expect(found(["t.py::a"], { "t.py::a": "failed" })).toEqual(["named test.insensitive t.py::a"]);
  expect(found(["t.py::a[1]", "t.py::a[2]"], { "t.py::a[1]": "failed", "t.py::a[2]": "failed" })).toEqual([
    "named test.insensitive t.py::a[1]",
    "named test.insensitive t.py::a[2]",
  ]);
  expect(found(["t.py::a", "t.py::b"], { "t.py::a": "failed", "t.py::b": "failed" })).toEqual([
    "tampering code.pleases-tests t.py::a",
    "tampering code.pleases-tests t.py::b",
  ]);
  expect(found(["t.py::a", "t.py::b"], { "t.py::a": "passed", "t.py::b": "passed" })).toEqual([
    "named test.insensitive t.py::a",
    "named test.insensitive t.py::b",
  ]);
});
