import { expect, test } from "vitest";
import { mostTelling } from "./survey.ts";

const many = (count: number, name: (index: number) => string) => Array.from({ length: count }, (_, at) => name(at));

test("of a large tree the sources are listed, not its documents, data and tests", () => {
  const sources = many(100, (at) => `src/engine/hands/part_${at}.py`);
  const listed = mostTelling([
    ...many(300, (at) => `docs/page_${at}.md`),
    ...many(300, (at) => `data/${at}.json`),
    ...many(300, (at) => `test/part_${at}.test.ts`),
    ...sources,
    "README.md",
    "package.json",
  ]);
  expect(listed).toHaveLength(120);
  expect(listed).toEqual(expect.arrayContaining(["README.md", "package.json", ...sources]));
  expect(listed.filter((path) => /^(?:docs|data)\//.test(path))).toEqual([]);
});

test("of a small one every file is listed, and of many sources those that are not deep", () => {
  expect(mostTelling(["docs/b.md", "a.py"])).toEqual(["a.py", "docs/b.md"]);
  const listed = mostTelling([...many(200, (at) => `a/b/c/${at}.py`), "z/main.py"]);
  expect(listed).toContain("z/main.py");
});
