import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { survivors } from "../../domain/evidence/mutant-report.ts";
import { escapeHtml } from "./html-text.ts";

const MOST_LINES = 5_000;

/** The change line by line. Beside each new line: `●` a test runs it, `○` none does; below it the mutants nobody noticed. */
export function htmlDiff(document: EvidenceDocument, patch: string): string {
  const known = lookUp(document);
  const rows: string[] = [];
  let path = "";
  let number = 0;
  const lines = patch.replace(/\n$/, "").split("\n");
  let inHunk = false;
  for (const line of lines.slice(0, MOST_LINES)) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    if (line.startsWith("diff --git")) inHunk = false;
    if (hunk) {
      inHunk = true;
      number = Number(hunk[1]);
      rows.push(row("", "", line, ""));
    } else if (!inHunk) {
      if (line.startsWith("+++ ")) {
        path = line.slice(4).replace(/^b\//, "");
        rows.push(`<tr><th colspan="3"><code>${escapeHtml(path)}</code></th></tr>`);
      }
    } else if (line.startsWith("-")) rows.push(row("", "", line, "del"));
    else if (line.startsWith("+")) {
      rows.push(row(known.gutter(path, number), String(number), line, "add"));
      rows.push(...known.unnoticed(path, number).map((text) => note(`not noticed by any test: ${text}`)));
      number += 1;
    } else {
      rows.push(row("", String(number), line, ""));
      number += 1;
    }
  }
  if (lines.length > MOST_LINES) rows.push(note(`${lines.length - MOST_LINES} lines more: see change.patch`));
  return `<table class="diff">${rows.join("\n")}</table><p>● run by a test · ○ run by none</p>`;
}

const row = (gutter: string, number: string, line: string, kind: string): string =>
  `<tr><td class="gutter">${gutter}</td><td>${number}</td><td class="${kind}">${escapeHtml(line)}</td></tr>`;

const note = (text: string): string => `<tr class="note"><td></td><td></td><td>${escapeHtml(text)}</td></tr>`;

function lookUp({ coverage, mutants }: EvidenceDocument) {
  const files = new Map((coverage?.files ?? []).map((file) => [file.path, file]));
  const left = mutants ? survivors(mutants) : [];
  return {
    gutter: (path: string, line: number): string => {
      const file = files.get(path);
      if (!file?.available) return "";
      return file.uncovered.some(({ from, to }) => from <= line && line <= to) ? "○" : "●";
    },
    unnoticed: (path: string, line: number): string[] =>
      left.filter((mutant) => mutant.path === path && mutant.line === line).map(({ description }) => description),
  };
}
