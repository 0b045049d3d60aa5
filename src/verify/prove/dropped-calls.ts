import { hasLine, type LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { SourceFile } from "../../languages/language.ts";
import { fieldOf, textOf } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";

const STATEMENT = /_(statement|declaration|definition)$/;
const LONGEST = 80;

/**
 * Mutants that leave one step of a chain out: `text.trim()` becomes `text`. Others do not reach these, and where two
 * suites are compared a mutant more can only tell more: neither is blamed for what both overlook.
 */
export async function droppedCalls(
  { path, content }: SourceFile,
  lines: readonly LineRange[],
  parsers: SyntaxParsers,
): Promise<Mutant[]> {
  const grammar = grammarOf(path);
  if (grammar === null || grammar === "go") return [];
  const { root, broken } = await parsers.parse(grammar, content);
  if (broken) return [];
  const lineOf = (offset: number) => content.slice(0, offset).split("\n").length;
  const found: Mutant[] = [];
  const open: { node: SyntaxNode; statement: SyntaxNode }[] = [{ node: root, statement: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    const statement = STATEMENT.test(node.type) ? node : next.statement;
    const object = stepOf(node);
    const line = object ? node.row + 1 : 0;
    if (object && hasLine(lines, line)) {
      const replacement = textOf(content, object);
      const last = lineOf(Math.max(node.to - 1, node.from));
      found.push({
        id: `${path}:${line}:dropped:${node.to}`,
        path,
        line,
        statement: { from: Math.min(statement.row + 1, line), to: last },
        operator: "call-removal",
        from: node.from,
        to: node.to,
        replacement,
        description: `${clip(textOf(content, node))} → ${clip(replacement)}`,
      });
    }
    for (const child of node.children) open.push({ node: child, statement });
  }
  return found.sort((a, b) => a.from - b.from || a.to - b.to);
}

/** What a call without arguments, or one on the result of another call, is made on. */
function stepOf(node: SyntaxNode): SyntaxNode | null {
  if (node.type !== "call" && node.type !== "call_expression") return null;
  const object = fieldOf(fieldOf(node, "function") ?? node, "object");
  if (!object) return null;
  const given = fieldOf(node, "arguments")?.children.filter(({ named }) => named) ?? [];
  return given.length === 0 || object.type === node.type ? object : null;
}

const clip = (text: string): string => {
  const line = text.replace(/\s+/g, " ");
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line}\``;
};
