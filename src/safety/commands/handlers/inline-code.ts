import { type Field, holds, literal, textField } from "../field.ts";
import type { Judging, Setting } from "../judging.ts";
import { LANGUAGES, type Language } from "./code-languages.ts";
import { isLocal } from "./network.ts";
import { readStrings } from "./string-literals.ts";

/**
 * A first look at `python -c`, `node -e` and their like: the obvious ways to start programs, to delete, and to hide
 * both. The whole truth of a program is the code scan's and the sandbox's business.
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
  const hidden = rules.makesCode.exec(source);
  if (hidden) judging.refuse("run.code", code, hidden[0]);
  if (FORKS.test(source) && LOOPS.test(source)) judging.refuse("bomb.fork", code);
  if (language === "python" && /\.\s*(?:unlink|rmdir)\s*\(/.test(source))
    for (const [, path = ""] of source.matchAll(/\bPath\s*\(\s*["']([^"']*)["']/g))
      judging.run(
        [..."rm -r".split(" "), path].map((text) => textField(text, code.from, code.to)),
        setting,
      );
  const spawned = judgeCalls(rules, source, code, setting, judging, "all");
  if (spawned === 0 && rules.mentions.test(source)) judging.refuse("run.code", code, rules.mentions.exec(source)?.[0]);
  if (language === "perl" || language === "ruby" || language === "php")
    for (const text of backticks(source)) judging.script(textField(text, code.from, code.to), setting);
  if (rules.network.test(source) && !onlyLocal(source))
    judging.refuse("network.request", code, rules.network.exec(source)?.[0]);
}

const FORKS = /\bfork\b/;
const LOOPS = /\b(?:while|for|until|loop|goto)\b/;

/** A source file of the same line that a build or a test run will execute: only calls that are written out count. */
export function judgeSource(language: string, code: Field, setting: Setting, judging: Judging): void {
  const rules = LANGUAGES[language];
  const source = literal(code);
  if (rules === undefined || source === undefined) return;
  judging.nested(source);
  judgeCalls(rules, source, code, setting, judging, "written out");
}

function judgeCalls(
  rules: Language,
  source: string,
  code: Field,
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
  for (const { strings, exact, open } of callsOf(named, rules.spawns)) {
    spawned += 1;
    const [first] = strings;
    if (!exact || first === undefined) {
      if (which === "all") judging.refuse("run.code", code);
    } else if (strings.length === 1) judging.script(field(first), setting);
    else judging.run([...strings.map(field), ...(open ? [unknown(code)] : [])], setting);
  }
  for (const { strings, exact, at } of callsOf(source, rules.deletes)) {
    if (isOwnTemporary(source, at)) continue;
    if (exact && strings.length > 0) judging.run(["rm", "-rf", ...strings].map(field), setting);
    else if (which === "all") judging.refuse("run.code", code);
  }
  return spawned;
}

function* callsOf(source: string, pattern: RegExp): Generator<ReturnType<typeof readStrings> & { at: number }> {
  for (const match of source.matchAll(pattern)) {
    const at = match.index + match[0].length;
    yield { ...readStrings(source, at), at };
  }
}

const unknown = ({ from, to }: Field): Field => ({ pieces: [{ kind: "computed", text: "…" }], from, to });

/** `rmtree(d)` of a name that holds a fresh temporary directory, and nothing else. */
function isOwnTemporary(source: string, at: number): boolean {
  const name = /^\(\s*([A-Za-z_]\w*)\s*[,)]/.exec(source.slice(at, at + 80))?.[1];
  if (name === undefined) return false;
  const given = [...source.matchAll(new RegExp(`\\b${name}\\s*=(?!=)\\s*([^\\n;]*)`, "g"))].map(
    ([, value = ""]) => value,
  );
  return given.length === 1 && /^(?:\w+\.)?(?:mkdtemp|mkdtempSync)\(/.test(given[0] ?? "");
}

const backticks = (source: string): string[] => [...source.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text);

const onlyLocal = (source: string): boolean => {
  const addresses = source.match(/\bhttps?:\/\/[^\s'"`)]+/g) ?? [];
  return addresses.length > 0
    ? addresses.every((address) => isLocal(address.replace(/\$?\{[^}]*\}?/g, "1")))
    : /\b(?:localhost|127\.0\.0\.1)\b/.test(source);
};
