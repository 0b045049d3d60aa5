import type { Finding } from "../../domain/finding.ts";
import { type Grammar, grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { coverSecrets, secretFindings, secretSpans } from "../secrets/find-secrets.ts";
import { explain } from "./explain.ts";
import { GoReading } from "./go/go-reading.ts";
import { JavaScriptReading } from "./javascript/javascript-reading.ts";
import { isTooLarge, lookAtFile } from "./look-at-file.ts";
import { Places } from "./places.ts";
import { weigh } from "./policy.ts";
import { PythonReading } from "./python/python-reading.ts";
import type { Reading } from "./reading.ts";
import type { ExplainedRule } from "./rule.ts";
import type { LanguageRules, ScannedLanguage, ScanRules } from "./scan-rules.ts";

export { newFindings } from "./new-findings.ts";

export interface ScannedFile {
  /** Relative to the workspace, with `/`. */
  path: string;
  content: string;
}

/** What is wrong with these files, sorted by path, place and rule. Never throws on what they hold. */
export async function scanFiles(files: ScannedFile[], rules: ScanRules, parsers: SyntaxParsers): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const file of files) {
    const secrets = secretSpans(file, rules.secrets);
    const findings = [
      ...lookAtFile(file, rules),
      ...secretFindings(file, secrets, rules.isTest(file.path)),
      ...(await scanCode(file, coverSecrets(file.content, secrets), rules, parsers)),
    ];
    for (const finding of findings) {
      const weighed = weigh(finding, rules.policy);
      if (weighed) found.push(weighed);
    }
  }
  return distinct(found.sort(byPlace));
}

const DEEPEST_TEXT = 3;
const MOST_TEXTS = 100;

/** `covered` is the content as it may be shown. */
async function scanCode(
  file: ScannedFile,
  covered: string,
  rules: ScanRules,
  parsers: SyntaxParsers,
): Promise<Finding[]> {
  const grammar = grammarOf(file.path) ?? grammarOfFirstLine(file.content);
  if (!grammar || isTooLarge(file)) return [];
  const places = new Places({ content: covered });
  const found: Finding[] = [];
  const language = languageOf(grammar);
  const add = (rule: ExplainedRule, from: number, to: number) => {
    const finding = explain(rule, file.path, places, from, to, rules.isTest(file.path));
    if (finding) found.push(finding);
  };
  await scanText(file.content, null, 0);
  return found;

  /** `at` is the place in the file of a text that is executed; inside it nothing has a place of its own. */
  async function scanText(code: string, at: { from: number; to: number } | null, depth: number): Promise<void> {
    if (!grammar) return;
    const { root, broken } = await parsers.parse(grammar, code);
    const { index, broken: lexical } = rules.languages[language];
    if (broken && !at) lookAtWords(code, lexical, add);
    const reading = readingOf(language, code, root);
    try {
      reading.run();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Deeper than the stack: what could not be read is judged by its words.
      lookAtWords(code, lexical, add);
    }
    if (reading.isTangled) lookAtWords(code, lexical, add);
    for (const use of reading.uses) {
      const { from, to } = at ?? use.node;
      for (const rule of index.match(use, file.path)) add(rule, from, to);
    }
    // Texts in texts in texts, or hundreds of them: what is not read is judged by its words.
    const isTooMuch = depth >= DEEPEST_TEXT || reading.inner.length > MOST_TEXTS;
    if (isTooMuch)
      for (const inner of reading.inner)
        lookAtWords(inner.code, lexical, (rule) => add(rule, inner.node.from, inner.node.to));
    else for (const inner of reading.inner) await scanText(inner.code, at ?? inner.node, depth + 1);
  }
}

function readingOf(
  language: ScannedLanguage,
  code: string,
  root: ConstructorParameters<typeof PythonReading>[1],
): Reading {
  if (language === "python") return new PythonReading(code, root);
  if (language === "go") return new GoReading(code, root);
  return new JavaScriptReading(code, root);
}

const languageOf = (grammar: Grammar): ScannedLanguage =>
  grammar === "python" || grammar === "go" ? grammar : "javascript";

/** A script without an extension says on its first line who runs it. */
function grammarOfFirstLine(content: string): Grammar | null {
  const line = /^#![^\n]{0,200}/.exec(content)?.[0] ?? "";
  if (/\bpython[\d.]*\b/.test(line)) return "python";
  return /\b(node|bun|deno)\b/.test(line) ? "javascript" : null;
}

/** Error recovery must be no hole: the dangerous words of a text that is not understood count wherever they stand. */
function lookAtWords(code: string, { words, ...rule }: LanguageRules["broken"], add: AddFinding): void {
  add({ ...rule, id: `${rule.id}.unreadable`, severity: "medium", blocking: false }, 0, 0);
  const pattern = new RegExp(words, "g");
  let count = 0;
  for (const match of code.matchAll(pattern)) {
    count += 1;
    add(rule, match.index, match.index + match[0].length);
  }
  // Letters in disguise move what stands behind them: what only shows then has the place of the file.
  const plain = code
    .normalize("NFKC")
    .replace(/\\u(?:00([0-9a-f]{2})|\{0*([0-9a-f]{2})\})/gi, (_, short: string | undefined, long: string | undefined) =>
      String.fromCharCode(Number.parseInt(short ?? long ?? "", 16)),
    );
  if (plain !== code && [...plain.matchAll(pattern)].length > count) add(rule, 0, 0);
}

type AddFinding = (rule: ExplainedRule, from: number, to: number) => void;

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
