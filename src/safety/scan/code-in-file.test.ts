import { join } from "node:path";
import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { scanFiles } from "./scan-files.ts";
import { loadScanRules } from "./scan-rules.ts";

const parsers = new SyntaxParsers();
const rules = await loadScanRules(join(import.meta.dirname, "../../.."));
const scan = async (path: string, content: string) =>
  (await scanFiles([{ path, content }], rules, parsers)).filter(({ blocking }) => blocking);

const notebook = (...cells: [string, string[]][]) =>
  JSON.stringify({ cells: cells.map(([cell_type, source]) => ({ cell_type, source })), nbformat: 4 }, null, 1);

test("a script in a page is read, at its place", async () => {
  const page = '<html>\n<script>\nconst e = "ev" + "al";\nwindow[e](x);\n</script>\n<p>eval(x)</p>';
  expect(new Set((await scan("index.html", page)).map(({ line }) => line))).toEqual(new Set([3, 4]));
});

test("names of one script are known in the next, and what handlers do counts", async () => {
  const page = '<script>let e = eval\n</script><script type="module">e(x)</script><b onclick="setTimeout(\'go()\')">';
  const rulesFound = (await scan("a.html", page)).map(({ rule }) => rule);
  expect(rulesFound).toContain("javascript.eval");
  expect(rulesFound).toContain("javascript.timer-text");
});

test("a script that is never closed is read, data and templates are not", async () => {
  expect(await scan("a.html", "<script>eval(x)")).toHaveLength(1);
  expect(await scan("a.html", '<script type="application/json">{"a": "eval(x)"}</script>')).toEqual([]);
  expect(await scan("a.vue", '<template><p/></template><script lang="ts">eval(x as string)</script>')).toHaveLength(1);
});

test("the code cells of a notebook are one program", async () => {
  const text = notebook(
    ["code", ["from os import system as s\n", "%matplotlib inline\n"]],
    ["markdown", ["eval(x)"]],
    ["code", ["!ls\n", "s(name)"]],
  );
  const [finding, ...others] = await scan("a.ipynb", text);
  expect(others).toEqual([]);
  expect(finding?.rule).toBe("python.os-system");
  expect(text.split("\n")[(finding?.line ?? 0) - 1]).toContain("s(name)");
});

test("a notebook that is no notebook is judged by its words", async () => {
  expect((await scan("a.ipynb", '{"cells": [ eval(x)')).map(({ rule }) => rule)).toEqual(["python.broken"]);
});

test("a shell line in a notebook is reported and does not block", async () => {
  const text = notebook(["code", ["!pip install x\n"]]);
  expect(await scan("a.ipynb", text)).toEqual([]);
  const all = await scanFiles([{ path: "a.ipynb", content: text }], rules, parsers);
  expect(all.map(({ rule }) => rule)).toContain("file.notebook-shell");
});

test("Python without a window is Python", async () => {
  expect(await scan("a.pyw", "eval(x)")).toHaveLength(1);
});
