import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import type { UnitChange } from "../change/compare-units.ts";

const GIVES = /^(return_statement|yield|yield_expression)$/;

/**
 * Says of changed parts whether they could only throw before: a placeholder that somebody left to be written. Nobody can have
 * relied on what it did, so what stands there now is as good as new.
 */
export async function onlyThrew(
  units: readonly UnitChange[],
  read: (path: string) => string | null,
  parsers: SyntaxParsers,
): Promise<(unit: UnitChange) => boolean> {
  const throwing = new Set<UnitChange>();
  for (const [path, own] of Map.groupBy(units.filter(wasThere), ({ oldPath }) => oldPath ?? "")) {
    const grammar = grammarOf(path);
    const text = read(path);
    if (grammar === null || text === null) continue;
    const { root } = await parsers.parse(grammar, text);
    const places = [...within(root)].flatMap((node) => placeholderLines(node, text));
    for (const unit of own) {
      if (places.some(({ from, to }) => from === unit.before?.from && to === unit.before.to)) throwing.add(unit);
    }
  }
  return (unit) => throwing.has(unit);
}

const wasThere = ({ kind, before, relation }: UnitChange): boolean =>
  (kind === "function" || kind === "statement") &&
  before !== null &&
  (relation === "changed" || relation === "removed");

/** `type Game struct{}` of Go: a type without anything in it. */
const EMPTY_TYPE = /^type\s+\w+\s+struct\s*\{\s*\}$/;

/** The lines of an empty type, or of a function whose last statement always throws, and that gives nothing back. */
function placeholderLines(node: SyntaxNode, text: string): { from: number; to: number }[] {
  if (node.type === "type_declaration" && EMPTY_TYPE.test(textOf(text, node))) return [linesOf(node, text)];
  const body = fieldOf(node, "body");
  if (!body || !/function|method/.test(node.type)) return [];
  const last = body.children.filter(({ named, type }) => named && type !== "comment").at(-1);
  if (!last || !throws(last, text) || [...within(body)].some(({ type }) => GIVES.test(type))) return [];
  return [linesOf(node, text)];
}

const linesOf = (node: SyntaxNode, text: string): { from: number; to: number } => {
  const from = node.row + 1;
  return { from, to: from + textOf(text, node).split("\n").length - 1 };
};

const throws = (node: SyntaxNode, text: string): boolean =>
  /^(throw|raise)_statement$/.test(node.type) || /^panic\(/.test(textOf(text, node));
