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
  ["python-evasions", "py", 80],
  ["python-attacks", "py", 40],
  ["javascript-evasions", "js", 70],
  ["javascript-attacks", "js", 40],
  ["typescript-evasions", "ts", 8],
  ["go-evasions", "go", 11],
] as const;

describe.each(CORPORA)("%s", (file, extension, atLeast) => {
  test("are all stopped", async () => {
    const all = snippets(file);
    const missed: string[] = [];
    for (const { title, code } of all) {
      const path = title.startsWith("conftest") ? "conftest.py" : `src/a.${extension}`;
      const findings = await scanFiles([{ path, content: code }], rules, parsers);
      if (!findings.some(({ blocking }) => blocking)) missed.push(title);
    }
    console.log(`${file}: ${all.length - missed.length} of ${all.length} stopped`);
    expect(missed).toEqual([]);
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
