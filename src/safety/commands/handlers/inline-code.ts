import type { Judging, Setting } from "../judging/judging.ts";
import type { InlineCode } from "../judging/verdict.ts";
import { type Field, holds, literal, textField } from "../shell/field.ts";
import { LANGUAGES, type Language } from "./code-languages.ts";
import { judgePaths } from "./inline-paths.ts";
import { isLocal } from "./network.ts";
import { readStrings } from "./string-literals.ts";

/**
 * `python -c`, `node -e` and their like, as the commands that they stand for: the programs they start, what they
 * delete and write, secrets they read, hosts they ask. The code scan cannot say that: it lets pass what is done in plain
 * sight, because in a file the sandbox holds it, and it knows no places, hosts and approvals. Whether code hides what it
 * does is the scan's business alone, for the languages that it reads.
 */
export function judgeCode(language: string, code: Field, setting: Setting, judging: Judging): void {
  const rules = LANGUAGES[language];
  if (rules === undefined) return;
  if (holds(code, "computed", "pipe", "found")) {
    judging.refuse("run.code", code);
    return;
  }
  const source =
    literal({
      ...code,
      pieces: code.pieces.map((piece) => ({ kind: "text", text: piece.kind === "text" ? piece.text : "0" })),
    }) ?? "";
  judging.nested(source);
  judging.executes = true;
  const hidden = rules.makesCode.exec(source);
  if (hidden) judging.refuse("run.code", code, hidden[0]);
  if (isScanned(language)) judging.code.push({ language, text: source, path: null, from: code.from, to: code.to });
  if (FORKS.test(source) && LOOPS.test(source)) judging.refuse("bomb.fork", code);
  if (ENDLESS.test(source) && STARTS.test(source) && !/\.\s*(?:join|wait)\s*\(/.test(source))
    judging.refuse("bomb.fork", code);
  if (FILLS.test(source)) judging.refuse("bomb.disk", code);
  if (language === "python" && /\.\s*(?:unlink|rmdir)\s*\(/.test(source))
    for (const [, path = ""] of source.matchAll(/\bPath\s*\(\s*["']([^"']*)["']/g))
      judging.run(
        [..."rm -r".split(" "), path].map((text) => textField(text, code.from, code.to)),
        setting,
      );
  const spawned = judgeCalls({ rules, source, code }, setting, judging, "all");
  if (spawned === 0 && rules.mentions.test(source)) judging.refuse("run.code", code, rules.mentions.exec(source)?.[0]);
  if (language === "perl" || language === "ruby" || language === "php")
    for (const text of backticks(source)) judging.script(textField(text, code.from, code.to), setting);
  if (/\/proc\b/.test(source) && /\bkill\b/.test(source)) judging.refuse("process.kill-all", code);
  if (/\bkill\s*\(\s*-\s*1\b/.test(source)) judging.refuse("process.kill-all", code);
  if (language === "python" || language === "node") judgePaths(source, code, setting, judging);
  judgeRequests(rules, source, code, judging);
}

function judgeRequests(rules: Language, source: string, code: Field, judging: Judging): void {
  const found = rules.network.exec(source);
  if (found && !onlyLocal(source)) judging.refuse("network.request", code, found[0]);
}

const isScanned = (language: string): language is InlineCode["language"] => /^(?:python|node|go)$/.test(language);

const FORKS = /\bfork\b/;
const LOOPS = /\b(?:while|for|until|loop|goto)\b/;

const ENDLESS = /\bwhile\s*\(?\s*(?:True|true|1)\b|\bfor\s*\(\s*;\s*;\s*\)/;
const STARTS = /\b(?:Process|Thread|Popen)\s*\(|\b(?:fork|spawn)\s*\(/;
/** A loop without an end that does nothing but write. */
const FILLS =
  /\bwhile\s*\(?\s*(?:True|true|1)\s*\)?\s*:?\s*\{?\s*[\w.]*\b(?:write|writeSync|writeFileSync|appendFileSync)\s*\([^\n]*\)\s*;?\s*\}?\s*$/m;

/** A source file of the same line that a build or a test run will execute: only calls that are written out count. */
export function judgeSource(language: string, code: Field, setting: Setting, judging: Judging): void {
  const rules = LANGUAGES[language];
  const source = literal(code);
  if (rules === undefined || source === undefined) return;
  judging.nested(source);
  judgeCalls({ rules, source, code }, setting, judging, "written out");
  if (language === "go") judgeRequests(rules, source, code, judging);
}

/** Judges the calls that start programs or delete, as the commands they are, and says how many start something. */
function judgeCalls(
  { rules, source, code }: { rules: Language; source: string; code: Field },
  setting: Setting,
  judging: Judging,
  which: "all" | "written out",
): number {
  let spawned = 0;
  const field = (text: string): Field => textField(text, code.from, code.to);
  // The interpreter by the name of the one that runs.
  const named = source
    .replace(/\bsys\s*\.\s*executable\b/g, '"python3"')
    .replace(/\bprocess\s*\.\s*execPath\b/g, '"node"');
  const isWithout = rules === LANGUAGES.python && !/subprocess|\bsp\b/.test(source);
  for (const { strings, exact, open, name } of callsOf(named, rules.spawns)) {
    // Many things have a method of this name.
    if (isWithout && /^\.\s*(?:run|call)\s*$/.test(name)) continue;
    spawned += 1;
    const [first] = strings;
    if (!exact || first === undefined) {
      if (which === "all") judging.refuse("run.code", code);
    } else if (strings.length === 1) judging.script(field(first), setting);
    else judging.run([...strings.map(field), ...(open ? [unknown(code)] : [])], setting);
  }
  for (const { strings, exact, at, name } of callsOf(source, rules.deletes)) {
    if (isOwnTemporary(source, at) || (isOneFile(name) && staysInside(rules, source))) continue;
    if (exact && strings.length > 0) judging.run(["rm", "-rf", ...strings].map(field), setting);
    else if (which === "all") judging.refuse("run.code", code);
  }
  return spawned;
}

interface CallInText extends ReturnType<typeof readStrings> {
  name: string;
  at: number;
}

function* callsOf(source: string, pattern: RegExp): Generator<CallInText> {
  for (const match of source.matchAll(pattern)) {
    const at = match.index + match[0].length;
    yield { ...readStrings(source, at), name: match[0], at };
  }
}

/** `os.remove(path)`, `fs.unlinkSync(path)`: no tree. */
const isOneFile = (name: string): boolean => /\b(?:remove|unlink|unlinkSync)\s*$/.test(name);

/**
 * Nothing in it leads out of the workspace or goes through a tree: what one such call deletes is a file of its own making.
 */
const staysInside = (rules: Language, source: string): boolean =>
  (rules === LANGUAGES.python || rules === LANGUAGES.node) &&
  !/["'`](?:\/(?!tmp\/|workspace\/|dev\/null)|~|\.\.)/.test(source) &&
  !/\b(?:expanduser|home|homedir|environ|getenv|env|argv|input|chdir)\b/.test(source) &&
  // Of a tree only what has a name that is asked for.
  (!/\b(?:walk|listdir|scandir|glob|iglob|rglob|iterdir|readdir|readdirSync)\b/.test(source) ||
    /\b(?:endswith|endsWith|startswith|startsWith|suffix|fnmatch|extname)\b|["'`][^"'`]*\*\.\w+["'`]/.test(source));

const unknown = ({ from, to }: Field): Field => ({ pieces: [{ kind: "computed", text: "…" }], from, to });

/** `rmtree(d)` of a name that holds a fresh temporary directory, and nothing else. */
function isOwnTemporary(source: string, at: number): boolean {
  const name = /^\(\s*([A-Za-z_]\w*)\s*[,)]/.exec(source.slice(at, at + 80))?.[1];
  if (name === undefined) return false;
  const given = [...source.matchAll(new RegExp(`\\b${name}\\s*=(?!=)\\s*([^\\n;]*)`, "g"))].map(
    ([, value = ""]) => value,
  );
  return given.length === 1 && /^(?:(?:\w+\.)?(?:Path|str)\()?(?:\w+\.)?(?:mkdtemp|mkdtempSync)\(/.test(given[0] ?? "");
}

const backticks = (source: string): string[] => [...source.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text);

/** A server of its own, and nobody else named. */
const servesItself = (source: string): boolean =>
  /\bcreateServer\s*\(|\bHTTPServer\s*\(|\bserve_forever\b|\.\s*listen\s*\(/.test(source) &&
  !/\bhost(?:name)?\s*[:=]|\bconnect\w*\s*\(|["'`][\w-]+(?:\.[\w-]+)*\.[a-z]{2,}["'`:/]|\d+\.\d+\.\d+\.\d+/.test(
    source,
  );

const onlyLocal = (source: string): boolean => {
  const addresses = source.match(/\bhttps?:\/\/[^\s'"`)]+/g) ?? [];
  if (addresses.length === 0 && servesItself(source)) return true;
  return addresses.length > 0
    ? addresses.every((address) => isLocal(address.replace(/\$?\{[^}]*\}?/g, "1")))
    : /\b(?:localhost|127\.0\.0\.1)\b/.test(source);
};
