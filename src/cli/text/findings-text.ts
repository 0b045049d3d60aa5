import type { Finding } from "../../domain/finding.ts";
import { printable } from "./printable.ts";

/** Findings for a person: by file, with place, rule, what is wrong and what to do instead. */
export function findingsText(findings: readonly Finding[]): string {
  let text = "";
  let path = "";
  for (const finding of findings) {
    if (finding.path !== path) text += `${path === "" ? "" : "\n"}${printable(finding.path)}\n`;
    path = finding.path;
    const place = `${finding.line}:${finding.column}`;
    const weight = finding.blocking ? `${finding.severity}, blocks` : finding.severity;
    const weakness = finding.cwe === undefined ? "" : ` ${finding.cwe}`;
    text += `  ${place.padEnd(7)} ${finding.rule} (${weight})${weakness}\n`;
    if (finding.excerpt !== "") text += `          ${printable(finding.excerpt)}\n`;
    text += `          ${finding.message}\n          instead: ${finding.instead}\n`;
  }
  return text === "" ? "" : `${text}\n`;
}
