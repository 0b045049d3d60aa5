import type { SourceFile } from "../../languages/language.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

export interface Versions {
  old: SourceFile;
  now: SourceFile;
}

/** A part of the new text, and what takes its place. */
export interface Piece {
  from: number;
  to: number;
  replacement: string;
  /** What stood there and has no successor: of the old tree. */
  dropped?: readonly SyntaxNode[];
  /** Something else stands there now that may do what it did. */
  replaced?: boolean;
}

/** What stood there instead. Where nothing stands there now, it goes before what follows, or behind what came before. */
export function exchange(
  { old, now }: Versions,
  gone: readonly SyntaxNode[],
  come: readonly SyntaxNode[],
  next: SyntaxNode | null,
  previous?: SyntaxNode,
): Piece {
  const [first, last] = [gone[0], gone.at(-1)];
  const text = first && last ? moved(old.content, first, last, now.content, come[0] ?? next ?? previous) : "";
  const [begin, end] = [come[0], come.at(-1)];
  if (begin && end) return { from: begin.from, to: end.to, replacement: text || emptied(now.path, begin) };
  const isStatement =
    first !== undefined && /_(statement|definition|declaration)$|^(assignment|decorator)$/.test(first.type);
  const indent = (place: number) => `\n${" ".repeat(indentOf(now.content, place))}`;
  if (next) return { from: next.from, to: next.from, replacement: isStatement ? text + indent(next.from) : text };
  const place = previous?.to ?? 0;
  return { from: place, to: place, replacement: isStatement ? indent(previous?.from ?? 0) + text : text };
}

/** A statement of Python needs something in its place. */
const emptied = (path: string, node: SyntaxNode): string =>
  path.endsWith(".py") && /_(statement|definition)$/.test(node.type) ? "pass" : "";

/** The old text, indented as what stands at its place now. */
function moved(old: string, first: SyntaxNode, last: SyntaxNode, now: string, at: SyntaxNode | undefined): string {
  const text = old.slice(first.from, last.to);
  const by = (at ? indentOf(now, at.from) : 0) - indentOf(old, first.from);
  if (by === 0 || !text.includes("\n")) return text;
  return text
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : by > 0 ? " ".repeat(by) + line : line.slice(-by)))
    .join("\n");
}

const indentOf = (text: string, place: number): number => {
  const start = text.lastIndexOf("\n", place - 1) + 1;
  return text.slice(start, place).length - text.slice(start, place).trimStart().length;
};
