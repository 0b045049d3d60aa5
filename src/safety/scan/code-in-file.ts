import { type Grammar, grammarOf } from "../../syntax/parse.ts";
import { notebookCode } from "./notebook-code.ts";
import type { CodeInFile, ScannedFile } from "./scanned-file.ts";

const same = (offset: number): number => offset;

/** A file of code, a page with scripts, a notebook, or a script that says on its first line who runs it. */
export function codeIn({ path, content }: ScannedFile): CodeInFile | null {
  const grammar = grammarIn({ path, content });
  if (grammar) return { grammar, code: content, place: same };
  if (/\.(x?html?|vue|svelte|astro)$/i.test(path)) return pageCode(content);
  return /\.ipynb$/i.test(path) ? notebookCode(content) : null;
}

/** Of a file that is code as a whole, by its name or its first line. */
export const grammarIn = ({ path, content }: ScannedFile): Grammar | null =>
  grammarOf(path) ?? grammarOfFirstLine(content);

function grammarOfFirstLine(content: string): Grammar | null {
  const line = /^#![^\n]{0,200}/.exec(content)?.[0] ?? "";
  if (/\bpython[\d.]*\b/.test(line)) return "python";
  return /\b(node|bun|deno)\b/.test(line) ? "javascript" : null;
}

const SCRIPT = /<script\b([^>]{0,2000})>([\s\S]*?)(?:<\/script\b|$)/gi;
const HANDLER = /\son[a-z]{3,30}\s{0,8}=\s{0,8}("[^"]*"|'[^']*')/gi;
const OTHER_TYPE =
  /\btype\s{0,8}=\s{0,8}["']?(?!module|text\/(java|ecma|type|babel)|application\/(x-)?(java|ecma)|["'\s>])/i;

/** The scripts of a page are one program: the rest becomes blanks, so that every place stays where it is. */
function pageCode(content: string): CodeInFile | null {
  const spans: { from: number; to: number }[] = [];
  let isTyped = false;
  for (const match of content.matchAll(SCRIPT)) {
    const [, attributes = "", body = ""] = match;
    if (OTHER_TYPE.test(attributes) || body.trim() === "") continue;
    isTyped ||= /\blang\s*=\s*["']?tsx?/i.test(attributes);
    const from = match.index + match[0].indexOf(">", "<script".length + attributes.length) + 1;
    spans.push({ from, to: from + body.length });
  }
  for (const match of content.matchAll(HANDLER)) {
    const to = match.index + match[0].length - 1;
    const from = to - (match[1]?.length ?? 2) + 2;
    if (!spans.some((span) => from < span.to && span.from < to)) spans.push({ from, to });
  }
  if (spans.length === 0) return null;
  let code = "";
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    // What ends one script does not go on in the next.
    code += `${blank(content.slice(code.length, from)).slice(0, -1)};${content.slice(from, to)}`;
  }
  return { grammar: isTyped ? "typescript" : "javascript", code, place: same };
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
