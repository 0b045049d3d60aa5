import { isKnown } from "./known-names.ts";

/**
 * Replaces everything that differs between two occurrences of the same error by kinds. Every pattern is linear:
 * repeated classes do not overlap, and lines are limited before.
 */
export function toKinds(line: string): string {
  let done = line;
  for (const [pattern, replacement] of UNQUOTED_FIRST) done = done.replace(pattern, replacement);
  done = done.replace(QUOTED, quotedKind);
  for (const [pattern, replacement] of VARYING) done = done.replace(pattern, replacement);
  return done
    .replace(/(<(?:n|str|name|bool)>)(?:(?:, ?| )\1)+/g, "$1")
    .replace(
      /[[({](?:<(?:n|str|name|list|map|bool)>(?:: ?<(?:n|str|name|list|map|bool)>)?(?:, ?)?){1,64}[\])}]/g,
      "<list>",
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** Recognised everywhere, even inside quotes. */
const UNQUOTED_FIRST: [RegExp, string][] = [
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s'"`<>)\]}]+/gi, "<url>"],
  [/\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}/g, "<email>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?\b/g, "<time>"],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, "<time>"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b/g, "<host>"],
  [/(?:\[::1?\]|\b(?:localhost|[\w-]+\.(?:local|internal|svc)))(?::\d{1,5})?(?![\w.])/g, "<host>"],
  [/<([\w.]+(?: object)?) at 0x[0-9a-f]+>/gi, "$1 <addr>"],
  [/\b0x[0-9a-f]+\b/gi, "<addr>"],
];

/** An apostrophe inside a word is no quote. */
const QUOTED = /(?<![A-Za-z0-9])'([^'\n]{0,200})'|"([^"\n]{0,200})"|`([^`\n]{0,200})`|‘([^’\n]{0,200})’/g;

function quotedKind(
  _whole: string,
  single: string | undefined,
  double: string | undefined,
  back: string | undefined,
  curly: string | undefined,
): string {
  const content = (single ?? double ?? back ?? curly ?? "").trim();
  if (content === "") return "<str>";
  if (isKnown(content)) return ` ${content} `;
  if (/^[A-Z][A-Z0-9_]{3,40}$/.test(content)) return ` ${content} `;
  if (/^-?[\d.,]+$/.test(content)) return "<n>";
  const library = LIBRARY_PATH.exec(content);
  if (library) return `<path> ${library[1] ?? library[2] ?? ""}`;
  if (/[/\\]/.test(content) && !/\s/.test(content)) return PACKAGE.test(content) ? "<name>" : "<path>";
  if (/^[\w$.-]+(?:\(\))?$/.test(content))
    return /\.(?:[cm]?[jt]sx?|py|go|json|ya?ml|txt|csv|toml)$/.test(content) ? "<path>" : "<name>";
  if (isSentence(content)) return ` ${content} `;
  const types = content.match(TYPE_WORD);
  return types === null ? "<str>" : `<str> ${types.slice(0, 6).join(" ")}`;
}

/** Quoted words of another program, as in logs and wrapped errors. They say more than the words around them. */
const isSentence = (content: string): boolean =>
  !/[{}[\];|=<>()]/.test(content) && (content.match(/(?<![\w.-])[A-Za-z][a-z]+(?![\w(])/g)?.length ?? 0) >= 3;

const LIBRARY_PATH = /(?:node_modules[/\\]((?:@[\w.-]+[/\\])?[\w.-]+)|site-packages[/\\]([\w.-]+))/;
const PACKAGE = /^(?:@[\w.-]+\/[\w.-]+|(?:github|gitlab|golang|gopkg|google)\.[\w.]+\/[\w./-]+)$/;
const TYPE_WORD =
  /\b(?:string|number|boolean|undefined|null|void|never|unknown|any|Promise|Array|Record|Map|Set|readonly|keyof|typeof|int|float64|error|nil|context\.Context)\b/g;

/** A number behind these words is a code, and codes are names. */
const CODE =
  "(?:errno|exit (?:code|status)|exited with(?: code)?|status(?: code)?|HTTP(?:/\\d(?:\\.\\d)?)?|signal|code:?)";

const VARYING: [RegExp, string][] = [
  [new RegExp(`\\b(${CODE})[ :=]{0,3}\\(?(\\d{1,3})\\b`, "gi"), "$1 code_$2"],
  [/\(([\w, ]{1,100})\)=\([^()\n]{0,200}\)/g, "<name>=<str>"],
  [/(?<![\w./\\])@([a-z][\w.-]{0,60})\/([a-z][\w.-]{0,80})(?![\w/])/g, "$1 $2"],
  [/(?<![\w.])(?:[A-Za-z]:|~|\.{1,2})?[/\\][\w.@+-]+(?:[/\\][\w.@+-]*)*(?::\d+(?::\d+)?)?/g, "<path>"],
  [/[\w.@+-]+(?:[/\\][\w.@+-]+)+[/\\]?(?::\d+(?::\d+)?)?/g, "<path>"],
  [
    /\b[\w-]{1,80}\.(?:[cm]?[jt]sx?|py|go|rs|json|ya?ml|toml|txt|csv|log|sql|html?)(?::\d+(?::\d+)?|\(\d+,\d+\))?\b/g,
    "<path>",
  ],
  [/\b(?:line|column|col|char|position|offset|index|row|pid|port|byte|bytes) \d+(?:-\d+)?\b/gi, "<n>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds|milliseconds|minutes|min|µs|ns|m)\b/g, "<duration>"],
  [/\b\d+(?:\.\d+)? ?(?:[KMG]i?B|bytes|kb|mb|gb)\b/gi, "<size>"],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi, "<id>"],
  [/\b[A-Za-z]+(?=[A-Za-z0-9]*\d[A-Za-z0-9]*\d)[A-Za-z0-9]{12,}\b/g, "<id>"],
  [/\bgoroutine \d+/g, "goroutine"],
  [/(?<![\w.]|[A-Za-z]-)[-+]?\d[\d_]*(?:[.,]\d+)*(?:e[-+]?\d+)?n?\b/gi, "<n>"],
  ...ownNames(),
];

/** Names that a project chose, recognised by their surroundings. */
function ownNames(): [RegExp, string][] {
  return [
    [/\b(?!(?:asyncio|np|pd|os|sys|json)\.)[A-Za-z_][\w.]*\.(__\w+__)\(\)/g, "<name> $1"],
    [/\b(?!(?:asyncio|np|pd|os|sys|json)\.)[A-Za-z_][\w.]{0,80}\(\)/g, "<name>"],
    [
      /^((?:\w+Error: )?)(?:\([^()\n]{1,40}\)|[\w$.]{1,80}) is not (a function|a constructor|defined|iterable)\b/,
      "$1<name> is not $2",
    ],
    [/\b(undefined|declared and not used): [\w.]{1,80}/g, "$1: <name>"],
    [/\bcannot use [\w.&*{}<>()[\]]{1,80} \(/g, "cannot use <name> ("],
    [/\b(argument to|struct field) [A-Za-z_][\w.]{0,80}(?= |$|\))/g, "$1 <name>"],
    [/\b[A-Za-z_][\w.]{0,80} undefined \(type \*?[\w.]{1,80}/g, "<name> undefined (type <name>"],
    [
      /(^|[ *])[A-Za-z_]\w{0,80} does not implement (?:(?=(?:io|http|context|fmt|error)\b)|[A-Za-z_]\w{0,80})/g,
      "$1<name> does not implement <name>",
    ],
    [/\bas [A-Z]\w{0,80} value/g, "as <name> value"],
    [/\bmain\.[A-Z]\w{0,80}/g, "<name>"],
  ];
}
