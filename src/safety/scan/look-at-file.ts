import type { Finding } from "../../domain/finding.ts";
import { oddSource } from "../../syntax/odd-source.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { matchesAny } from "../../workspace/glob.ts";
import { grammarIn } from "./code-in-file.ts";
import { explain } from "./explain.ts";
import { Places } from "./places.ts";
import type { ScanRules } from "./scan-rules.ts";
import type { ScannedFile } from "./scanned-file.ts";

const LARGEST = 1 << 20;
const REPLACED = "\ufffd";
const ODD = "text.odd-source";

/** Larger than anything that is written by hand: it is not read as code, and as code it does not pass. */
export const isTooLarge = ({ content }: { content: string }): boolean => content.length > LARGEST;

/** What is to be said of a file by its name and its bare text: what runs by being there, and what hides from a reader. */
export function lookAtFile(file: ScannedFile, rules: ScanRules): Finding[] {
  const places = new Places(file);
  const isTest = rules.isTest(file.path);
  const isData = grammarOf(file.path) === null && isBinary(file.content);
  const found: Finding[] = [];
  for (const rule of rules.files.rules) {
    if (rule.paths && !matchesAny(rule.paths, file.path)) continue;
    if (!applies(rule.id, file)) continue;
    // Random bytes hold every character sooner or later: nobody reads them, and nobody is misled.
    if (isData && rule.matches !== undefined && !rule.paths) continue;
    const spots = rule.matches === undefined ? [{ from: 0, to: 0 }] : placesOf(rule.matches, file.content);
    for (const spot of spots) {
      const message = rule.id === ODD ? `${rule.message}: ${whyOdd(file)}` : rule.message;
      const finding = explain({ ...rule, message }, { path: file.path, places, isTest }, spot);
      if (finding) found.push(finding);
    }
  }
  return found;
}

/** Some rules are of the whole file, and cannot be said by a pattern. */
function applies(id: string, file: ScannedFile): boolean {
  const { content } = file;
  if (id === ODD) return whyOdd(file) !== null;
  if (id.startsWith("file.large")) return content.length > LARGEST;
  if (id.startsWith("file.binary")) return isBinary(content);
  return true;
}

/** Of the text alone: bytes that are not UTF-8 are told by `file.binary-code`. */
const whyOdd = (file: ScannedFile): string | null => oddSource(file.path, Buffer.from(file.content), grammarIn(file));

function* placesOf(pattern: string, content: string): Generator<{ from: number; to: number }> {
  let count = 0;
  for (const match of content.slice(0, LARGEST).matchAll(new RegExp(pattern, "gmu"))) {
    yield { from: match.index, to: match.index + match[0].length };
    count += 1;
    if (count >= 20) return;
  }
}

function isBinary(content: string): boolean {
  const head = content.slice(0, 8192);
  return head.includes("\0") || head.split(REPLACED).length - 1 > 8;
}
