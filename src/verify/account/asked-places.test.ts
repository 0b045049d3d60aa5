import { expect, test } from "vitest";
import type { AccountLine } from "../../domain/evidence/account.ts";
import { type AskedFor, markAsked } from "./asked-places.ts";

const open = (path: string, unit?: string): AccountLine => ({
  path,
  ...(unit !== undefined && { unit }),
  standing: "not-judged",
  why: "nothing shows what it does",
});
const asked = (line: AccountLine, change: Partial<AskedFor>) =>
  markAsked([line], { words: "", artifacts: [], code: false, ...change })[0]?.explained;

test("a file is asked for when the words name it, with its folders or without", () => {
  const words = "Put the rates into `data/rates.json`, and say so in Makefile.";
  expect(asked(open("data/rates.json"), { words })).toBe("the goal names it");
  expect(asked(open("src/data/rates.json"), { words })).toBe("the goal names it");
  expect(asked(open("Makefile"), { words })).toBe("the goal names it");
});

test("another file whose name is part of a longer word is not", () => {
  expect(asked(open("rates.json"), { words: "read old-rates.json and rates.json.bak" })).toBeUndefined();
  expect(asked(open("data/rates.json"), { words: "write other/rates.json" })).toBeUndefined();
  expect(asked(open("axjson"), { words: "a.json" })).toBeUndefined();
});

test("what the plan makes is asked for, and so is what a package manager writes beside it", () => {
  expect(asked(open("site/index.html"), { artifacts: ["site/*.html"] })).toBe("the plan names it");
  const both = markAsked([open("package.json"), open("package-lock.json"), open("web/package-lock.json")], {
    words: "add left-pad to package.json",
    artifacts: [],
    code: false,
  });
  expect(both.map((line) => line.explained !== undefined)).toEqual([true, true, false]);
});

test("a manifest is asked for where packages were allowed beforehand", () => {
  const packages = "--approve deps";
  expect(asked(open("requirements.txt"), { packages })).toBe("packages are allowed: --approve deps");
  expect(asked(open("requirements.txt"), {})).toBeUndefined();
  expect(asked(open("rates.json"), { packages })).toBeUndefined();
  const manifest = (fields: string) => ({ ...open("package.json"), why: `nothing shows what ${fields} of it does` });
  expect(asked(manifest("`dependencies`"), { packages })).toBe("packages are allowed: --approve deps");
  expect(asked(manifest("`dependencies`, `scripts.start`"), { packages })).toBeUndefined();
  expect(asked(open(".npmrc"), { packages })).toBeUndefined();
});

test("code that the goal wants gone needs no test that it is gone", () => {
  const gone = { ...open("a.py", "SETTINGS"), why: "it is gone, and nothing shows that nobody needs it" };
  expect(asked(gone, { words: "One dictionary, SETTINGS, is read everywhere: pass it in" })).toBe("the goal names it");
  expect(asked(gone, { words: "the settings are read everywhere" })).toBeUndefined();
  expect(asked({ ...gone, unit: "Cart.total" }, { words: "drop total" })).toBe("the goal names it");
  expect(asked(open("a.py", "SETTINGS"), { words: "keep SETTINGS" })).toBeUndefined();
});

test("code needs a test whoever names its file, unless the goal is of a kind without tests", () => {
  expect(asked(open("calc.py", "add"), { words: "write calc.py", artifacts: ["calc.py"] })).toBeUndefined();
  expect(asked(open("noxfile.py", "lint"), { words: "write noxfile.py", code: true })).toBe("the goal names it");
});
