import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { scanFiles } from "./scan-files.ts";
import { loadScanRules } from "./scan-rules.ts";
import type { ScannedFile } from "./scanned-file.ts";

const root = join(import.meta.dirname, "../../..");

/**
 * Files as people write them: every so manieth of what is installed, by path, so that nobody chooses. Some of them do
 * run text that comes from elsewhere; those are to be stopped.
 */
function chosen(): ScannedFile[] {
  const python = ["/usr/lib/python3", "/usr/lib/python3.11", "/usr/local/lib/python3.11"].flatMap((directory) =>
    globSync(`${directory}/**/*.py`),
  );
  const node = globSync(`${root}/node_modules/**/*.{js,mjs,cjs,ts}`).filter((file) => !file.includes("/.cache/"));
  const every = (files: string[], count: number) => {
    const fit = files.filter((file) => statSync(file).size > 1000 && statSync(file).size < 60_000).sort();
    const step = Math.max(1, Math.floor(fit.length / count));
    return fit.filter((_, index) => index % step === 0).slice(0, count);
  };
  return [...every(python, 130), ...every(node, 130)].map((path) => ({
    path: path.replace(/^\/(usr\/)?/, ""),
    content: readFileSync(path, "utf8"),
  }));
}

test("of the files that people wrote at most two in a hundred are stopped", async () => {
  const rules = await loadScanRules(root);
  const parsers = new SyntaxParsers();
  const files = chosen();
  const stopped: string[] = [];
  for (const file of files) {
    const findings = (await scanFiles([file], rules, parsers)).filter(({ blocking }) => blocking);
    if (findings.length === 0) continue;
    const line = findings.map(({ rule, line: at, excerpt }) => `${rule} at ${at}: ${excerpt}`).join("; ");
    stopped.push(`${file.path}: ${line.slice(0, 300)}`);
  }
  const share = ((100 * stopped.length) / files.length).toFixed(1);
  console.log(`${files.length} ordinary files: ${stopped.length} stopped (${share} %)\n${stopped.join("\n")}`);
  expect(stopped.length).toBeLessThanOrEqual(files.length * 0.02);
});
