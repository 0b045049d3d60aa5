/**
 * What the parser will cost, in characters looked at, before it sees the text. It looks at a substitution once per level
 * around it, at a word once per brace in it, and at the rest once per here-document.
 */
export function parseCost(source: string): number {
  const text = withoutDocuments(source);
  const levels = Math.min(256, count(text, /[$<>]\(|`|\$\{/g)) * text.length;
  const documents = count(text, /<</g) * text.length;
  // A quoted or escaped blank does not end a word.
  const words = [...text.split(/\s+/), ...text.replace(/\\\s|"[^"]*"|'[^']*'/g, "..").split(/\s+/)];
  let braces = 0;
  for (const word of words) braces += count(word, /\{/g) * word.length;
  return levels + Math.ceil(braces / 8) + Math.ceil(documents / 40);
}

/** More than this would take longer than an agent should wait for a judgement. */
export const MOST_PARSING = 1_000_000;

/** A line that leaves the next one unquoted and outside of everything, whatever stood before it did so too. */
const CLEAN =
  /^(?:[^'"\\`$()#\n]|'[^'\n]*'|"(?:[^"\\`$\n]|\$\w|\$\{\w+\})*"|\$\w|\$\{[\w:-]*\}|\$\([\w\s./=:@|-]*\)|\(\)|#[^\n]*$)*$/;
const DOCUMENT = /<<(-?)\s*(['"])([\w.-]+)\2/g;

/**
 * Texts of quoted here-documents are not parsed, and are where the long and harmless contents of files stand. They are
 * left out where they surely are such; behind the first line that is not plain, nothing is believed.
 */
function withoutDocuments(source: string): string {
  if (!source.includes("<<")) return source;
  const kept: string[] = [];
  let at = 0;
  while (at < source.length) {
    const end = source.indexOf("\n", at);
    const line = source.slice(at, end === -1 ? undefined : end);
    if (end === -1 || line.length > 2000 || !CLEAN.test(line)) return kept.join("\n") + source.slice(at);
    kept.push(line);
    at = end + 1;
    const documents = [...line.replace(/<<</g, "   ").matchAll(DOCUMENT)];
    if (count(line, /<</g) !== documents.length) return kept.join("\n") + source.slice(at);
    for (const [, dash, , name = ""] of documents) {
      at = behindDocument(source, at, name, dash === "-");
    }
  }
  return kept.join("\n");
}

function behindDocument(source: string, from: number, name: string, mayIndent: boolean): number {
  for (let at = from; at < source.length; ) {
    const end = source.indexOf("\n", at);
    const line = source.slice(at, end === -1 ? undefined : end);
    at = end === -1 ? source.length : end + 1;
    if ((mayIndent ? line.replace(/^\t+/, "") : line) === name) return at;
  }
  return source.length;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
