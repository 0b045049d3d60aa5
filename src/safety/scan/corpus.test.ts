import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { scanFiles } from "./scan-files.ts";
import { loadScanRules } from "./scan-rules.ts";

const parsers = new SyntaxParsers();
const rules = await loadScanRules(join(import.meta.dirname, "../../.."));

/** `### title` and the code below it. A title that begins with "conftest" is of that file. */
function snippets(file: string): { title: string; code: string }[] {
  const text = readFileSync(join(import.meta.dirname, "corpus", `${file}.txt`), "utf8");
  return text
    .split(/^### /m)
    .slice(1)
    .map((part) => ({ title: part.slice(0, part.indexOf("\n")), code: part.slice(part.indexOf("\n") + 1) }));
}

/** The attacks were written by somebody who had read the scanner. */
const CORPORA = [
  ["python-evasions", "py", 78],
  ["python-attacks", "py", 40],
  ["javascript-evasions", "js", 70],
  ["javascript-attacks", "js", 40],
  ["typescript-evasions", "ts", 8],
  ["go-evasions", "go", 9],
  // These by somebody who had not.
  ["python-disguises", "py", 41],
  ["javascript-disguises", "js", 39],
  ["typescript-disguises", "ts", 5],
  ["go-disguises", "go", 4],
] as const;

/** In plain sight, and held by the sandbox: reported as grave, and nothing is stopped. */
const PLAIN = [
  ["python-plain", "py", 10],
  ["javascript-plain", "js", 4],
  ["go-plain", "go", 3],
] as const;

/** Files as coding agents write them. */
const ORDINARY = [
  ["python-ordinary", "py", 36],
  ["javascript-ordinary", "js", 27],
  ["typescript-ordinary", "ts", 8],
  ["go-ordinary", "go", 7],
] as const;

/** Where a snippet would stand, by its title: some rules count less in a test. */
function pathOf(title: string, extension: string): string {
  if (title.startsWith("conftest")) return "conftest.py";
  return title.startsWith("test:") ? `tests/test_a.${extension}` : `src/a.${extension}`;
}

describe.each(CORPORA)("%s", (file, extension, atLeast) => {
  test("are all stopped", async () => {
    const all = snippets(file);
    const missed: string[] = [];
    for (const { title, code } of all) {
      const findings = await scanFiles([{ path: pathOf(title, extension), content: code }], rules, parsers);
      if (!findings.some(({ blocking }) => blocking)) missed.push(title);
    }
    console.log(`${file}: ${all.length - missed.length} of ${all.length} stopped`);
    expect(missed).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(atLeast);
  });
});

describe.each(PLAIN)("%s", (file, extension, atLeast) => {
  test("are reported as grave, and stop nothing", async () => {
    const all = snippets(file);
    for (const { title, code } of all) {
      const findings = await scanFiles([{ path: pathOf(title, extension), content: code }], rules, parsers);
      const grave = findings.some(({ severity }) => severity === "high" || severity === "critical");
      expect({ title, grave, stopped: findings.some(({ blocking }) => blocking) }).toEqual({
        title,
        grave: true,
        stopped: false,
      });
    }
    expect(all.length).toBeGreaterThanOrEqual(atLeast);
  });
});

describe.each(ORDINARY)("%s", (file, extension, atLeast) => {
  test("are never stopped", async () => {
    const all = snippets(file);
    for (const { title, code } of all) {
      const findings = await scanFiles([{ path: pathOf(title, extension), content: code }], rules, parsers);
      const stopped = findings.filter(({ blocking }) => blocking).map(({ rule }) => rule);
      expect({ title, stopped }).toEqual({ title, stopped: [] });
    }
    expect(all.length).toBeGreaterThanOrEqual(atLeast);
  });
});

test("ordinary code that looks a little like them passes", async () => {
  for (const { title, code } of [...snippets("python-harmless"), ...snippets("javascript-harmless")]) {
    const extension = title.startsWith("js") ? "js" : "py";
    const findings = await scanFiles([{ path: `src/a.${extension}`, content: code }], rules, parsers);
    const stopped = findings.filter(({ blocking }) => blocking).map(({ rule }) => `${title}: ${rule}`);
    expect(stopped).toEqual([]);
  }
});
