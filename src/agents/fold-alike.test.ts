import { expect, test } from "vitest";
import { foldAlike } from "./fold-alike.ts";

const locales = ["ar", "de", "es", "fr", "it", "ja", "pt_BR"];

test("the same file in many folders is one line, with a few of them", () => {
  const paths = ["setup.py", ...locales.map((name) => `locale/${name}/LC_MESSAGES/units.po`)];
  expect(foldAlike(paths)).toEqual(["setup.py", "locale/*/LC_MESSAGES/units.po (7 files: ar, de, es, fr, …)"]);
});

test("files that are told apart by a number or a language are one line", () => {
  const paths = [...locales.map((name) => `texts/${name}.json`), ...locales.map((_, at) => `db/000${at}_step.sql`)];
  expect(foldAlike(paths)).toEqual([
    "texts/*.json (7 files: ar, de, es, fr, …)",
    "db/*_step.sql (7 files: 0000_step, 0001_step, 0002_step, 0003_step, …)",
  ]);
});

test("files whose names say what they are for keep them, however many there are", () => {
  const paths = ["add", "apply", "branch", "clone", "commit", "fetch", "merge", "push"].map((name) => `src/${name}.js`);
  expect(foldAlike(paths)).toEqual(paths);
});

test("a few alike files are no pattern", () => {
  const paths = ["test/part-1.js", "test/part-2.js", "a/index.ts", "b/index.ts"];
  expect(foldAlike(paths)).toEqual(paths);
});
