import { toKinds } from "./kinds.ts";

export type ErrorLanguage = "python" | "javascript" | "typescript" | "go";

/** A line that says what went wrong, a call inside a library on the way there, or the failing line of code. */
export interface PickedLine {
  role: "error" | "frame" | "code";
  text: string;
  /** The text before names were replaced by kinds. Only for errors. */
  said?: string;
}

/** The lines of an error that are the same wherever it occurs. Places in the project's own files are left out. */
export function pickLines(lines: readonly string[], language: ErrorLanguage | ""): PickedLine[] {
  const picked: PickedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const frame = frameOf(line);
    if (frame === "own") {
      const next = lines[index + 1] ?? "";
      // Python prints the failing line below its frame.
      if (/^\s*File "/.test(line) && /^\s{4,}\S/.test(next) && frameOf(next) === null && !/^\s*[\^~ ]+$/.test(next)) {
        picked.push({ role: "code", text: toKinds(next) });
      }
      continue;
    }
    if (frame !== null) {
      picked.push({ role: "frame", text: frame });
      continue;
    }
    if (isNoise(line) || isCodeBelowFrame(lines, index)) continue;
    const said = withoutPlace(line, language);
    const text = toKinds(said);
    if (/[A-Za-z]{2}/.test(text.replace(/<\w+>/g, ""))) picked.push({ role: role(line), text, said });
  }
  return picked;
}

/** True for a line that only names a place in the project's own files. */
export const isOwnPlace = (line: string): boolean => frameOf(line) === "own";

/** `own` for a place in the project's files; library and function for a place in a library; null for no frame. */
function frameOf(line: string): string | "own" | null {
  const place =
    /^\s*File "([^"]{1,300})", line \d+(?:, in (.{1,80}))?/.exec(line) ??
    /^\s*at (?:async )?(?:(.{1,120}?) \()?((?:file:|node:|webpack|ext:|https?:\/\/[\w.-]{1,80}(?::\d{1,5})?|[A-Za-z]:)?[\w./@\\ -]{1,300}:\d+(?::\d+)?)\)?(?: \{)?\s*$/.exec(
      line,
    );
  if (place) {
    const python = /^\s*File/.test(line);
    const path = (python ? place[1] : place[2]) ?? "";
    const name = (python ? place[2] : place[1]) ?? "";
    const library = libraryOf(path);
    return library === null ? "own" : toKinds(`in ${library} ${name}`);
  }
  if (/^\s+(?:\/|[A-Za-z]:\\)[^\s]{1,300}\.go:\d+(?: \+0x[0-9a-f]+)?\s*$/.test(line)) return "own";
  if (
    /^(?:main|[\w./-]{1,200})\.(?:\(\*?\w{1,80}\)\.)?[\w.]{1,80}\((?:0x[0-9a-f]+|\.\.\.|\{|,|\s|\}|_|\?)*\)$/.test(line)
  ) {
    const library =
      /^(runtime|net\/http|encoding\/json|database\/sql|reflect|sync|strconv|testing|os|io|bufio|context)\./.exec(line);
    return library ? toKinds(`in ${line.replace(/\([^()]*\)$/, "").replace(/[^\w.]+/g, " ")}`) : "own";
  }
  const native = /^\s*at (?:async )?([\w.]{1,80}) \((?:<anonymous>|native|index \d+)\)/.exec(line);
  if (native) return `in ${native[1] ?? ""}`;
  if (/^\s*❯ .{0,200}:\d+:\d+\s*$/.test(line)) return "own";
  if (/^goroutine \d+ \[|^created by |^\s*at <anonymous>|^\s*at new |^\s*at native/.test(line)) return "own";
  return null;
}

function libraryOf(path: string): string | null {
  const library = /(?:site-packages|dist-packages|node_modules)[/\\]((?:@[\w.-]+[/\\])?[\w.-]+)/.exec(path);
  if (library) return (library[1] ?? "").replace(/\.py$/, "");
  const standard = /(?:[/\\]lib[/\\]python3[\d.]*[/\\]([\w.-]+)|^node:([\w/]+))/.exec(path);
  return standard ? (standard[1] ?? standard[2] ?? "").replace(/\.py$/, "").replaceAll("/", " ") : null;
}

const isNoise = (line: string): boolean =>
  NOISE.test(line) || TITLE.test(line) || /^[\s^~|=_\-+*.>•│╰╭─┌└]*$/.test(line);
const NOISE =
  /^\s*(?:Traceback \(most recent|npm (?:ERR!|error) (?:A complete log|.{0,40}debug-0\.log|path|cwd)|Node\.js v\d|node:[\w/]+:\d+$|throw er(?:r)?;|triggerUncaughtException|Require stack:|FAIL\s+\S+\.(?:go|[jt]sx?)|exit status \d+$|={3,}|-{3,}|\.{3,}|_{3,}|ok\s+\S+|PASS\b|(?:Tests?|Test Files|Test Suites|Snapshots|Time|Duration|Start at):?\s)/;

/** The title of a test, as a runner prints it above the failure: `● Cart › adds an item`. */
const TITLE = /^\s*(?:[●✕×✗]|not ok \d+) .{0,200}[›>:-]/;

/** The line of code that node prints above its error, with the caret below it, and the one of pytest. */
function isCodeBelowFrame(lines: readonly string[], index: number): boolean {
  const before = lines[index - 1] ?? "";
  return /^\s{4,}\S/.test(lines[index] ?? "") && /^\s*File "/.test(before);
}

const role = (line: string): PickedLine["role"] =>
  /^\s*(?:>|\d+\s*[|│]|\d+ {1,8}\S)/.test(line) || /[;{]\s*$/.test(line) ? "code" : "error";

/**
 * Removes what is before the message: `src/app.ts(12,5): error`, `./main.go:12:3:`, `api_1 | 2024-05-01 12:00:01
 * ERROR`.
 */
function withoutPlace(line: string, language: ErrorLanguage | ""): string {
  let rest = line.replace(/^\s*[\w.-]{1,40}\s+\| /, "").replace(/^\s*E\s{2,}/, "");
  rest = rest.replace(
    /^\s*\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?[\s|:-]*/,
    "",
  );
  rest = rest.replace(
    /^\s*(?:\[[\w.:#-]{1,40}\]\s*|(?:ERROR|WARN(?:ING)?|INFO|FATAL|CRITICAL|DEBUG)\b[\s|:-]*){0,4}/,
    "",
  );
  rest = rest.replace(
    /^\s*(?:(?:vet:?|#|FAIL:?)\s+)?[\w./\\@~-]{1,200}\.(?:go|[cm]?[jt]sx?|py)(?::\d+(?::\d+)?|\(\d+,\d+\))(?::| -| )?\s*/,
    "",
  );
  return language === "go" ? rest.replace(/^--- FAIL: (\w+).*$/, "FAIL") : rest;
}
