import type { Finding } from "../../domain/finding.ts";
import type { Grammar, SyntaxParsers } from "../../syntax/parse.ts";
import { coverSecrets, secretSpans } from "../secrets/find-secrets.ts";
import { codeIn } from "./code-in-file.ts";
import { explain } from "./explain.ts";
import { go } from "./go/go.ts";
import { javascript } from "./javascript/javascript.ts";
import { isTooLarge, lookAtFile } from "./look-at-file.ts";
import { type AddFinding, lookAtWords } from "./look-at-words.ts";
import type { Neighbours } from "./neighbours.ts";
import { Places } from "./places.ts";
import { python } from "./python/python.ts";
import { FileReading, type LanguageReader } from "./reading/reading.ts";
import type { ScannedLanguage, ScanRules } from "./scan-rules.ts";
import type { CodeInFile, ScannedFile } from "./scanned-file.ts";
import { secretFindings } from "./secret-findings.ts";

const DEEPEST_TEXT = 3;
const MOST_TEXTS = 100;

interface Opened {
  reading: FileReading;
  broken: boolean;
  /** Deeper than the stack: it could not be bound. */
  tooDeep: boolean;
}

/** One file of a scan: its names are bound first, and what it does is found when those of its neighbours are, too. */
export class FileScan {
  readonly #file: ScannedFile;
  readonly #rules: ScanRules;
  readonly #parsers: SyntaxParsers;
  readonly #neighbours: Neighbours | null;
  readonly #code: CodeInFile | null;
  #opened: Opened | null = null;

  constructor(file: ScannedFile, rules: ScanRules, parsers: SyntaxParsers, neighbours: Neighbours | null) {
    this.#file = file;
    this.#rules = rules;
    this.#parsers = parsers;
    this.#neighbours = neighbours;
    // A notebook is large by what it printed.
    const code = isTooLarge(file) && !file.path.endsWith(".ipynb") ? null : codeIn(file);
    this.#code = code && isTooLarge({ content: code.code }) ? null : code;
  }

  async open(): Promise<void> {
    if (!this.#code) return;
    this.#opened = await this.#read(this.#code.grammar, this.#code.code);
    this.#neighbours?.add(this.#file.path, this.#opened.reading);
  }

  async findings(): Promise<Finding[]> {
    const secrets = secretSpans(this.#file, this.#rules.secrets);
    const isTest = this.#rules.isTest(this.#file.path);
    const found = [...lookAtFile(this.#file, this.#rules), ...secretFindings(this.#file, secrets, isTest)];
    const code = this.#code;
    if (!code) return found;
    const places = new Places({ content: coverSecrets(this.#file.content, secrets) });
    const { path } = this.#file;
    const add: AddFinding = (rule, from, to) => {
      const finding = explain(rule, { path, places, isTest }, { from: code.place(from), to: code.place(to) });
      if (finding) found.push(finding);
    };
    const { broken } = this.#rules.languages[languageOf(code.grammar)];
    if (code.unreadable) lookAtWords(this.#file.content, broken, add);
    const opened = this.#opened ?? (await this.#read(code.grammar, code.code));
    this.#opened = null;
    await this.#judge(opened, code.grammar, null, 0, add);
    return found;
  }

  async #read(grammar: Grammar, code: string): Promise<Opened> {
    const { root, broken } = await this.#parsers.parse(grammar, code);
    const language = languageOf(grammar);
    const reading = new FileReading(code, root, READERS[language]);
    const neighbours = this.#neighbours;
    if (neighbours && language !== "go")
      reading.elsewhere = (module, member) => neighbours.find(this.#file.path, language, module, member);
    return { reading, broken, tooDeep: isTooDeep(() => reading.bindAll()) };
  }

  /** `at` is the place in the file of a text that is executed; inside it nothing has a place of its own. */
  async #judge(
    { reading, broken, tooDeep }: Opened,
    grammar: Grammar,
    at: { from: number; to: number } | null,
    depth: number,
    add: AddFinding,
  ): Promise<void> {
    const { index, broken: lexical } = this.#rules.languages[languageOf(grammar)];
    if (broken && !at) lookAtWords(reading.source, lexical, add);
    // What could not be read is judged by its words.
    if (tooDeep || isTooDeep(() => reading.findUses()) || reading.isTangled) lookAtWords(reading.source, lexical, add);
    for (const use of reading.uses) {
      const { from, to } = at ?? use.node;
      for (const rule of index.match(use, this.#file.path)) add(rule, from, to);
    }
    // Texts in texts in texts, or hundreds of them: what is not read is judged by its words.
    const isTooMuch = depth >= DEEPEST_TEXT || reading.inner.length > MOST_TEXTS;
    for (const { code, node } of reading.inner) {
      if (isTooMuch) lookAtWords(code, lexical, (rule) => add(rule, node.from, node.to));
      else await this.#judge(await this.#read(grammar, code), grammar, at ?? node, depth + 1, add);
    }
  }
}

/** Code nested deeper than the stack is no error of ours. */
function isTooDeep(run: () => void): boolean {
  try {
    run();
    return false;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return true;
  }
}

const READERS: Record<ScannedLanguage, LanguageReader> = { python, javascript, go };

const languageOf = (grammar: Grammar): ScannedLanguage =>
  grammar === "python" || grammar === "go" ? grammar : "javascript";
