import type { CompiledUnit } from "../../languages/compiled-unit.ts";
import { lineCounter } from "../../syntax/line-counter.ts";
import { within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

/** How the system starts the file: its line end and a mark before it count as well. */
const FIRST_LINE = /^\ufeff?#!.*(?:\r?\n)?/;
/** What installs packages for a script, and what compiles Python, reads these. */
const PYTHON_BLOCK = /^# \/\/\/ [\w-]+[ \t]*\r?\n(?:#.*\r?\n)*?# \/\/\/[ \t]*$/gm;
const PYTHON_LINE = /^#[ \t]*(?:cython|distutils|nuitka-project\S*):.*$/gm;
/** What builds a script, or loads it into a page, reads these. */
const PRAGMA = /@jsx\w*\s|[#@]__[A-Z_]+__|\b(?:webpack|turbopack)[A-Z]\w*:|<amd-|@vite-ignore|@ngInject|==UserScript==/;
const USER_SCRIPT = /^\/\/ ==UserScript==[\s\S]*?^\/\/ ==\/UserScript==.*$/gm;

/** Comments that a tool reads and not only people: units of their own, of which nothing shows what they do. */
export function toolComments(path: string, text: string, root: SyntaxNode): CompiledUnit[] {
  const lineOf = lineCounter(text);
  const unit = (name: string, start: number, said: string): CompiledUnit => {
    const end = start + said.length;
    const place = { from: lineOf(start), to: lineOf(Math.max(start, end - 1)), start, end };
    const meaning = { code: said, plain: said, binds: [], reads: [], acts: false };
    return { name, kind: "statement", ...place, ...meaning, forTools: true };
  };
  const found = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(({ 0: said, index }) =>
      unit(firstLine(said), index, said.replaceAll("\r\n", "\n")),
    );
  const [first] = FIRST_LINE.exec(text) ?? [];
  const units = first === undefined ? [] : [unit("#!", 0, first)];
  if (path.endsWith(".py")) return [...units, ...found(PYTHON_BLOCK), ...found(PYTHON_LINE)];
  if (path.endsWith(".go")) return [...units, ...preambles(root, text).map((one) => unit(...one))];
  const comments = [...within(root)].filter(({ type }) => type === "comment");
  for (const { from, to } of comments) {
    const said = text.slice(from, to);
    if (PRAGMA.test(said) && !said.includes("==UserScript==")) units.push(unit(firstLine(said), from, plainly(said)));
  }
  return [...units, ...found(USER_SCRIPT)];
}

const firstLine = (said: string): string => (said.split("\n")[0] ?? "").trim().slice(0, 60);

const plainly = (said: string): string => said.replace(/[\s*/]+/g, " ").trim();

/** The comments before an import of "C" are compiled as C. */
function preambles(root: SyntaxNode, text: string): [name: string, start: number, said: string][] {
  const isC = (node: SyntaxNode) =>
    node.type === "import_declaration" && /"C"/.test(text.slice(node.from, node.to).replace(/\/\/.*$/gm, ""));
  const imported = root.children.findIndex(isC);
  if (imported === -1) return [];
  const begin = root.children.findIndex(({ type }) => type === "package_clause");
  const around = root.children.slice(begin + 1, imported + 1).flatMap((node) => [...within(node)]);
  const comments = around.filter(({ type }) => type === "comment");
  const [one, last] = [comments[0], comments.at(-1)];
  return one && last ? [['comment before import "C"', one.from, text.slice(one.from, last.to)]] : [];
}

/** The usual ways to say which interpreter a new file is for: nobody could start it before. */
const USUAL = /^#!(?:\/usr\/bin\/env (?:-S )?|\/usr\/(?:local\/)?bin\/|\/bin\/)(?:python[\d.]*|node|bun|deno|tsx)\n?$/;

/** What counts of a new file: a usual first line does nothing, and tests of the file show how it is built. */
export const countsWhenNew = ({ forTools, name, plain }: CompiledUnit): boolean =>
  !forTools || (name === "#!" ? !USUAL.test(plain) : !plain.includes("@jsx"));
