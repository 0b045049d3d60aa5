import type { Finding } from "../../domain/finding.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { FileScan } from "./file-scan.ts";
import { Neighbours } from "./neighbours.ts";
import { weigh } from "./policy.ts";
import type { ScanRules } from "./scan-rules.ts";
import type { ScannedFile } from "./scanned-file.ts";

export { newFindings } from "./new-findings.ts";

/** What is wrong with these files, sorted by path, place and rule. Never throws on what they hold. */
export async function scanFiles(files: ScannedFile[], rules: ScanRules, parsers: SyntaxParsers): Promise<Finding[]> {
  const found: Finding[] = [];
  const neighbours = Neighbours.takes(files.length) ? new Neighbours() : null;
  const scans = files.map((file) => new FileScan(file, rules, parsers, neighbours));
  // Names lead from file to file: all are bound before the first is followed.
  if (neighbours) for (const scan of scans) await scan.open();
  for (const scan of scans) {
    for (const finding of await scan.findings()) {
      const weighed = weigh(finding, rules.policy);
      if (weighed) found.push(weighed);
    }
  }
  return distinct(found.sort(byPlace));
}

function byPlace(a: Finding, b: Finding): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  if (a.line !== b.line) return a.line - b.line;
  if (a.column !== b.column) return a.column - b.column;
  return a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0;
}

/** One rule speaks once of one place. */
function distinct(findings: Finding[]): Finding[] {
  return findings.filter((finding, index) => {
    const before = findings[index - 1];
    return !before || byPlace(before, finding) !== 0;
  });
}
