import { describe, expect, it } from "vitest";
import { matchesAny, matchesGlob } from "./glob.ts";

describe("a glob", () => {
  it.each([
    ["*.py", "a.py", true],
    ["*.py", "d/a.py", false],
    ["**/*.py", "a.py", true],
    ["**/*.py", "d/e/a.py", true],
    ["src/**", "src/a/b", true],
    ["src/**/test.js", "src/test.js", true],
    ["src/*/b", "src/a/b", true],
    ["src/*/b", "src/a/c/b", false],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["*.{js,ts}", "a.ts", true],
    ["{a,b}/**/{c,d}.x", "b/z/d.x", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["[", "[", true],
    ["a*b*c", "axxbyyc", true],
    [".*", ".env", true],
  ])("%s on %s: %s", (glob, path, expected) => {
    expect(matchesGlob(glob, path)).toBe(expected);
  });

  it("without a slash counts at any depth, and a directory stands for what is below it", () => {
    expect(matchesAny(["*.py"], "a/b/c.py")).toBe(true);
    expect(matchesAny(["docs/"], "x/docs/a/b")).toBe(true);
    expect(matchesAny(["/docs/api"], "docs/api/x")).toBe(true);
    expect(matchesAny(["docs/api"], "x/docs/api")).toBe(false);
    expect(matchesAny([], "x")).toBe(false);
  });

  it("cannot be made to take exponential time", () => {
    expect(matchesGlob(`${"*a".repeat(40)}b`, "a".repeat(200))).toBe(false);
    expect(matchesGlob(`${"**/".repeat(40)}b`, "a/".repeat(200))).toBe(false);
    expect(matchesGlob("{a,b}".repeat(40), "c")).toBe(false);
  });
});
