import type { TestUse, TestUses } from "../../languages/test-uses.ts";

/** Everything a held-out test may draw on: the goal, the spec with its examples, the base tree, the visible tests. */
export class Sources {
  readonly #text: string;
  readonly #words: Set<string>;
  readonly #said: Set<string>;

  constructor(texts: string[]) {
    this.#text = texts.join("\n").toLowerCase();
    this.#words = new Set(texts.join("\n").match(/[A-Za-z_$][\w$]*/g) ?? []);
    this.#said = new Set(this.#text.match(/[\p{L}\p{N}]+/gu) ?? []);
  }

  /** As a word of its own, in any case. */
  says(word: string): boolean {
    return this.#said.has(word.toLowerCase());
  }

  hasWord(word: string): boolean {
    return this.#words.has(word);
  }

  /** Anywhere, in any case; a number only by itself. */
  hasText(text: string): boolean {
    const wanted = text.toLowerCase();
    if (wanted.trim() === "") return true;
    if (!/^[\d.]+$/.test(wanted)) return this.#text.includes(wanted);
    return new RegExp(`(?<![\\w.])${wanted.replaceAll(".", "\\.")}(?![\\w]|\\.\\d)`).test(this.#text);
  }
}

/**
 * What a test asks for that nobody said: a coder who follows the spec could not know it, so the test would be red for a
 * right solution. Values to put in and to get out are free: that they are new is the point of a held-out test.
 */
export function unfounded(test: TestUse, sources: Sources): string[] {
  const found = test.words
    .filter(({ kind, word }) => !isFounded(kind, word, sources, test.literals))
    .map(({ kind, word }) => `${kind} ${word}`);
  return [...new Set(found)];
}

/** Modules that a file imports and nobody named: then none of its tests can be used. */
export function unfoundedModules({ imports }: TestUses, sources: Sources): string[] {
  const parts = (module: string) =>
    module
      .replace(/\.[cm]?[jt]sx?$/, "")
      .split(/[./]+/)
      .filter((part) => part !== "" && part !== "src" && part !== "index");
  return imports.flatMap(({ module }) =>
    parts(module).every((part) => sources.hasText(part)) ? [] : [`module ${module}`],
  );
}

function isFounded(
  kind: TestUse["words"][number]["kind"],
  word: string,
  sources: Sources,
  literals: readonly string[],
): boolean {
  switch (kind) {
    case "name":
    case "argument":
      return sources.hasWord(word);
    case "error":
      return sources.hasWord(word) || EVERYWHERE.test(word);
    case "attribute":
      return sources.hasWord(word) || COMMON_ATTRIBUTES.has(word) || /^__\w+__$/.test(word);
    case "flag":
    case "route":
      return sources.hasText(word);
    case "message":
      return plainWords(word).every((part) => sources.says(part) || isPutIn(part, word, literals));
  }
}

/** A message may name a value that the test itself puts in. */
const isPutIn = (part: string, message: string, literals: readonly string[]): boolean =>
  literals.some((one) => one !== message && plainWords(one).includes(part));

/** A pattern's plain words: `cannot divide by (zero|0)` says `cannot`, `divide`, `by`, `zero`, `0`. */
const plainWords = (pattern: string): string[] => pattern.replace(/\\[a-zA-Z]/g, " ").match(/[\p{L}\p{N}]+/gu) ?? [];

/** Error types that both languages bring. */
const EVERYWHERE =
  /^(pytest|Exception|BaseException|Error|(Value|Type|Key|Index|Attribute|Lookup|Arithmetic|ZeroDivision|Overflow|Assertion|Runtime|NotImplemented|OS|IO|FileNotFound|FileExists|Permission|IsADirectory|NotADirectory|Unicode\w*|StopIteration|Timeout|Recursion|Memory|Name|Import|ModuleNotFound|Syntax|Range|Reference|URI|Eval|Aggregate|Connection\w*|EOF)(Error)?|SystemExit|KeyboardInterrupt|CalledProcessError|JSONDecodeError|ValidationError)$/;

/** What strings, lists, maps, numbers, errors, promises, processes and responses have in Python and JavaScript. */
const COMMON_ATTRIBUTES = new Set(
  (
    "append extend insert remove pop clear index count sort reverse copy add discard update union intersection difference issubset issuperset keys values items get setdefault popitem " +
    "strip lstrip rstrip split rsplit splitlines join replace lower upper title capitalize casefold startswith endswith find rfind format encode decode isdigit isalpha isalnum isspace isupper islower zfill ljust rjust center partition rpartition removeprefix removesuffix " +
    "real imag numerator denominator bit_length is_integer value args type message code name stdout stderr returncode stdin text json status status_code headers body data content " +
    "length push shift unshift slice splice concat includes indexOf lastIndexOf map filter reduce forEach some every find findIndex findLast flat flatMap fill at has set delete size entries " +
    "trim trimStart trimEnd toUpperCase toLowerCase startsWith endsWith padStart padEnd repeat charAt charCodeAt codePointAt match matchAll search substring toString toFixed valueOf toSorted toReversed then catch finally constructor prototype next return throw stack cause " +
    "read write close exists mkdir read_text write_text read_bytes write_bytes iterdir glob unlink parent suffix stem mro call apply bind isoformat year month day hour minute second total_seconds " +
    "Error String Len Equal Compare Is As Unwrap Close Read Write Bytes Next Before After Sub Unix Seconds Minutes Hours Milliseconds Year Month Day"
  ).split(" "),
);
