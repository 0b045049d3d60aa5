import { entropyOf, isPlaceholder } from "./placeholder.ts";
import type { SecretRules } from "./secret-rule.ts";
import type { SecretSpan } from "./secret-span.ts";

/** `password = "…"`, `"token": "…"`, `API_KEY=…` in a file of settings; `URL?token=…` is not meant. */
const ASSIGNED =
  /(?<![A-Za-z0-9_-])["']?([A-Za-z][A-Za-z0-9_.-]{1,60})["']?[ \t]{0,8}(?::[ \t]{0,8}(?:str|string)[ \t]{0,8})?(?:=>|:=|[:=])[ \t]{0,8}(?:[bru]{0,2}(["'`])([^"'`\r\n]{6,200})\2|([^\s"'`#;,(){}[\]<>]{8,200})[ \t]{0,8}$)/gm;

/** A name that speaks of a secret, with a value that looks like one. */
export function* findAssigned(
  text: string,
  { assignment, placeholders, readable }: SecretRules,
  isCode: boolean,
): Generator<SecretSpan> {
  const names = new RegExp(assignment.names, "i");
  const notNames = new RegExp(assignment.notNames, "i");
  for (const match of text.matchAll(ASSIGNED)) {
    const [whole, key = "", , quoted, bare] = match;
    if (!names.test(key) || notNames.test(key)) continue;
    // In code a short value without quotes is an expression or an example, unless it stands in a comment.
    if (isCode && bare !== undefined && bare.length < SHORTEST_BARE && !isComment(text, match.index)) continue;
    const value = quoted ?? bare ?? "";
    if (isPlaceholder(value, { placeholders, readable }) || !looksReal(value, quoted !== undefined, key)) continue;
    const from = match.index + whole.lastIndexOf(value);
    yield { rule: assignment, from, to: from + value.length };
  }
}

const SHORTEST_BARE = 16;

function isComment(text: string, at: number): boolean {
  const start = text.lastIndexOf("\n", at) + 1;
  return /#|\/\/|^\s*\*/.test(text.slice(start, Math.min(at, start + 400)));
}

/** Not a sentence, not the name of a thing, not an expression: some variety, and more than letters. */
function looksReal(value: string, quoted: boolean, key: string): boolean {
  if (/\s/.test(value) || value.includes("://") || /^[a-z]+([._-][a-z]+)*$/i.test(value)) return false;
  if (value.toLowerCase().includes(key.toLowerCase())) return false;
  if (!quoted && /[.()[\]]/.test(value)) return false;
  if (/^[\d.,:-]+$/.test(value) && value.length < 12) return false;
  return /\d|[^\w.-]/.test(value) && entropyOf(value) >= 2.5;
}
