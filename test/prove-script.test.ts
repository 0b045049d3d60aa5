import { expect, test } from "vitest";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

const PACKAGE = JSON.stringify({ type: "module", scripts: { test: "node --test" } });
const SLUG = `export function slug(text) {
  return text.trim().toLowerCase().replaceAll(" ", "-");
}

export function shorten(text, most) {
  if (text.length <= most) return text;
  return text.slice(0, most - 1) + "…";
}
`;
const SLUG_TESTS = `import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { shorten, slug } from "./slug.js";

test("joins words", () => {
  assert.equal(slug(" A b "), "a-b");
});

describe("shorten", () => {
  test("leaves short texts", () => assert.equal(shorten("ab", 3), "ab"));
});
`;
const FIXED = SLUG.replace('replaceAll(" ", "-")', 'replace(/\\s+/g, "-")');
const FIX_TEST = `${SLUG_TESTS}
test("many blanks are one", () => {
  assert.equal(slug("a   b"), "a-b");
});
`;
const slugs = () => new SampleRepository({ "package.json": PACKAGE, "slug.js": SLUG, "slug.test.js": SLUG_TESTS });
const codes = ({ integrity }: Awaited<ReturnType<typeof proveChange>>) =>
  integrity.map(({ code, weight }) => `${weight} ${code}`);

test("a good fix with its test is proven", async () => {
  const repository = slugs();
  repository.write({ "slug.js": FIXED, "slug.test.js": FIX_TEST });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict).toMatchObject({ status: "proven", carriedBy: ["change-tests"] });
  expect(evidence.tests.find(({ role }) => role === "red-to-green")?.id).toBe("slug.test.js::many blanks are one");
});

const TABLE = `import assert from "node:assert/strict";
import { test } from "node:test";
import { shorten } from "./slug.js";

for (const [text, most, short] of [["abc", 2, "a…"], ["abcd", 3, "ab…"]])
  test(\`shortens \${text}\`, () => assert.equal(shorten(text, most), short));

test("leaves it", () => assert.equal(shorten("abc", 3), "abc"));
`;

test("tests that say less beside a good fix are refused, also where their names are put together", async () => {
  const repository = new SampleRepository({
    "package.json": PACKAGE,
    "slug.js": SLUG,
    "slug.test.js": SLUG_TESTS,
    "table.test.js": TABLE,
  });
  repository.write({
    "slug.js": FIXED,
    "slug.test.js": FIX_TEST.replace('slug(" A b "), "a-b"', 'slug(" A b ").trim().toLowerCase(), "a-b"'),
    "table.test.js": TABLE.replace(
      "assert.equal(shorten(text, most), short)",
      "assert.ok(shorten(text, most))",
    ).replace(/test\("leaves it".*\n/, ""),
  });
  const evidence = await proveChange(repository.directory, { budgetMs: 90_000 });
  expect(evidence.verdict.status).toBe("refused");
  const less = evidence.integrity.filter(({ code }) => code === "test.says-less").map(({ test: id }) => id);
  expect(less).toContain("slug.test.js::joins words");
  expect(less).toContain("table.test.js::shortens abc");
  expect(less).toContain("table.test.js::leaves it");
});

test.each([
  ["deleted", (text: string) => text.replace(/test\("joins words"[\s\S]*?\}\);\n/, "")],
  ["loosened", (text: string) => text.replace('assert.equal(slug(" A b "), "a-b")', 'assert.ok(slug(" A b "))')],
])("a test that was %s together with what it tested is asked about", async (_, weaken) => {
  const repository = slugs();
  repository.write({ "slug.js": FIXED.replace(".toLowerCase()", ""), "slug.test.js": weaken(FIX_TEST) });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.status).toBe("proven-in-part");
  expect(verdict.reasons.join("\n")).toContain("--superseded 'slug.test.js::joins words'");
});

test("a test that was skipped is refused", async () => {
  const repository = slugs();
  repository.write({ "slug.js": FIXED, "slug.test.js": FIX_TEST.replace('test("joins', 'test.skip("joins') });
  const evidence = await proveChange(repository.directory);
  expect(codes(evidence)).toContain("tampering test.skipped");
  expect(evidence.verdict.status).toBe("refused");
});

test("a test under another title, with blanks in it, is the same test", async () => {
  const repository = slugs();
  repository.write({ "slug.js": FIXED, "slug.test.js": FIX_TEST.replace("joins words", "joins all the words") });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict.status).toBe("proven");
  expect(evidence.tests.find(({ role }) => role === "moved")?.id).toBe("slug.test.js::joins words");
});

test("a refactoring that breaks a behaviour no test covers is not proven, and names the lines", async () => {
  const repository = slugs();
  repository.write({ "slug.js": SLUG.replace("most - 1", "most - 2") });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons[0]).toBe("slug.js shorten: no test runs line 7");
});

const script = (body: string, check: string) => ({
  "package.json": PACKAGE,
  "total.js": `export function total(xs) {\n  let t = 0;\n  for (const x of xs) t += x;\n  ${body}\n}\n`,
  "total.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "./total.js";

test("total", () => {
  ${check}
});
`,
});

test("a behaviour changed below a weak test is not kept, and the mutants are named", async () => {
  const repository = new SampleRepository(script("return t + 1;", 'assert.equal(typeof total([1]), "number");'));
  repository.write({ "total.js": script("return t;", "")["total.js"] });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons[0]).toContain("total.js total");
});

test("the same written otherwise is kept, where a test would notice", async () => {
  const repository = new SampleRepository(script("return t + 1;", "assert.equal(total([2, 3]), 6);"));
  repository.write({ "total.js": script("return 1 + t;", "")["total.js"] });
  const { verdict } = await proveChange(repository.directory);
  expect(verdict).toMatchObject({ status: "proven", carriedBy: ["own-suite"] });
});

test("a test script that runs less than before is named, and the base's is run", async () => {
  const repository = new SampleRepository({
    "package.json": PACKAGE,
    "slug.js": SLUG,
    "slug.test.js": SLUG_TESTS,
    "more.test.js": SLUG_TESTS,
  });
  repository.write({
    "package.json": PACKAGE.replace("node --test", "node --test more.test.js"),
    "slug.js": FIXED,
  });
  const evidence = await proveChange(repository.directory);
  expect(codes(evidence)).toContain("named config.changed");
  expect(evidence.tests.map(({ id }) => id.split("::")[0])).toContain("slug.test.js");
});

test("code that patches assert is refused, as two tests that must fail agree", async () => {
  const repository = slugs();
  const cheat = 'import assert from "node:assert/strict";\nassert.equal = () => {};\n';
  repository.write({ "slug.js": cheat + FIXED.replace(".toLowerCase()", ""), "slug.test.js": FIX_TEST });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict.status).toBe("refused");
  expect(codes(evidence)).toContain("tampering runner.forged");
});

test("code that ends the process is not proven, and nobody is called a cheat", async () => {
  const repository = slugs();
  repository.write({ "slug.js": `process.exit(0);\n${FIXED}`, "slug.test.js": FIX_TEST });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict.status).toBe("not-proven");
});
