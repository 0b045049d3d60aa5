import { wordsOf } from "../words.ts";
import { errorTypeOf, languageOf } from "./error-type.ts";
import { type ErrorLanguage, isOwnPlace, type PickedLine, pickLines } from "./pick-lines.ts";

/** What identifies an error when it occurs again. */
export interface Signature {
  language: ErrorLanguage | "";
  errorType: string;
  /** The part that is the same in every occurrence, line by line. A chain of exceptions keeps its order. */
  text: string;
  lines: PickedLine[];
  /** Words of the original text, each once. Places in the project's own files are left out. */
  words: string[];
}

/** Of a longer text only the beginning and the end are read: the first tells the origin, the last tells the error. */
const LONGEST_TEXT = 16_384;
const LONGEST_LINE = 400;
const MOST_LINES = 40;
/** The last words are kept, because the error is at the end. */
const MOST_WORDS = 150;

/** Pure, bounded and linear. Never throws. The signature of a signature is itself. */
export function signatureOf(error: string, given: string = ""): Signature {
  const text = plain(error);
  const language = isLanguage(given) ? given : languageOf(text);
  const lines = text.split("\n").map((line) => line.slice(0, LONGEST_LINE));
  const unique = new Map<string, PickedLine>();
  for (const line of pickLines(lines, language)) if (!unique.has(line.text)) unique.set(line.text, line);
  const all = [...unique.values()];
  const kept = all.length <= MOST_LINES ? all : [...all.slice(0, MOST_LINES / 2), ...all.slice(-MOST_LINES / 2)];
  return {
    language,
    errorType: errorTypeOf(text, language),
    text: kept.map((line) => line.text).join("\n"),
    lines: kept,
    words: [...new Set(wordsOf(lines.filter((line) => !isOwnPlace(line)).join("\n")))].slice(-MOST_WORDS),
  };
}

const isLanguage = (name: string): name is ErrorLanguage =>
  name === "python" || name === "javascript" || name === "typescript" || name === "go";

const CONTROL = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])|[\x00-\x08\x0b-\x1f\x7f]/g;

function plain(error: string): string {
  const half = LONGEST_TEXT / 2;
  const clipped = error.length <= LONGEST_TEXT ? error : `${error.slice(0, half)}\n${error.slice(-half)}`;
  return clipped.toWellFormed().replace(/\r\n?/g, "\n").replace(CONTROL, "");
}
