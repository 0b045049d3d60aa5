import { expect, test } from "vitest";
import type { ChangedFile } from "./change-parts.ts";
import { partsByReads } from "./parts-by-reads.ts";

const file = (path: string, part: ChangedFile["part"]): ChangedFile => ({
  path,
  part,
  change: "modified",
  before: null,
  after: null,
});
const isTest = (path: string) => path.startsWith("tests/test_");
const partsOf = (files: ChangedFile[], ...reads: [string, string][]) => partsBeside("", files, ...reads);
const partsBeside = (code: string, files: ChangedFile[], ...reads: [string, string][]) =>
  partsByReads(
    files,
    reads.map(([reader, path]) => ({ reader, path })),
    isTest,
    () => [code],
  ).map(({ part }) => part);

const TEST = file("tests/test_a.py", "test");

test("a file of tests that code opens, which the change did not touch, was handed to it by a test", () => {
  expect(partsOf([TEST], ["src/io.py", "tests/test_a.py"])).toEqual(["test"]);
});

test("a file of tests that changed code opens is its own", () => {
  const reads: [string, string] = ["src/io.py", "tests/test_a.py"];
  expect(partsOf([TEST, file("src/io.py", "source")], reads)).toEqual(["source", "source"]);
});

test("an answer that tests alone open is theirs, and data that code opens or others may is not", () => {
  const data = file("golden/a.json", "other");
  expect(partsOf([data], ["tests/test_a.py", "golden/a.json"])).toEqual(["test-support"]);
  expect(partsOf([data], ["tests/test_a.py", "golden/a.json"], ["src/io.py", "golden/a.json"])).toEqual(["other"]);
  expect(partsOf([file("config/prod.json", "other")], ["tests/test_a.py", "config/prod.json"])).toEqual(["other"]);
});

test("data that code speaks of is no answer, though only tests open it here", () => {
  const data = file("settings.json", "other");
  expect(partsBeside('open("settings.json")', [data], ["tests/test_a.py", "settings.json"])).toEqual(["other"]);
});

test("a text that code opens is no document, and a helper that code opens is no test's", () => {
  const mail = file("mails/welcome.md", "documentation");
  expect(partsOf([mail], ["src/mail.py", "mails/welcome.md"])).toEqual(["other"]);
  expect(partsOf([mail], ["tests/test_a.py", "mails/welcome.md"])).toEqual(["documentation"]);
  const helper = file("rules/fixtures.py", "test-support");
  expect(partsOf([helper], ["rules/__init__.py", "rules/fixtures.py"])).toEqual(["source"]);
});
