import { textOf, within } from "../../../src/syntax/nodes.ts";
import { grammarOf, type SyntaxNode, SyntaxParsers } from "../../../src/syntax/parse.ts";

/** A test file in which one exact assertion says next to nothing. */
export interface Weakened {
  line: number;
  text: string;
}

const parsers = new SyntaxParsers();

/** Every exact assertion outside of `taken` (lines that the commit itself touches), made loose. */
export async function weakenings(path: string, text: string, taken: Set<number>): Promise<Weakened[]> {
  const grammar = grammarOf(path);
  if (grammar === null) return [];
  const { root } = await parsers.parse(grammar, text);
  const found: Weakened[] = [];
  for (const node of within(root)) {
    const loose = grammar === "python" ? looseInPython(text, node) : looseInScript(text, node);
    if (loose === null || taken.has(node.row + 1)) continue;
    found.push({ line: node.row + 1, text: text.slice(0, node.from) + loose + text.slice(node.to) });
  }
  return found;
}

function looseInPython(text: string, node: SyntaxNode): string | null {
  if (node.type === "assert_statement") {
    const comparison = node.children.find((child) => child.type === "comparison_operator");
    const [left, operator] = comparison?.children ?? [];
    return left && operator && textOf(text, operator) === "==" ? `assert ${textOf(text, left)} is not None` : null;
  }
  if (node.type !== "call") return null;
  const [callee, args] = node.children;
  const first = args?.children.find((child) => child.named);
  if (!callee || !first || textOf(text, callee) !== "self.assertEqual") return null;
  return `self.assertIsNotNone(${textOf(text, first)})`;
}

function looseInScript(text: string, node: SyntaxNode): string | null {
  if (node.type !== "call_expression") return null;
  const [callee, args] = node.children;
  const first = args?.children.find((child) => child.named);
  if (!callee || !first) return null;
  const word = textOf(text, callee);
  if (/^assert\.(equal|strictEqual|deepEqual|deepStrictEqual)$/.test(word))
    return `assert.ok(${textOf(text, first)} !== undefined)`;
  if (/^t\.(equal|is|same|deepEqual|strictEqual|deepStrictEqual|assert\.strictEqual)$/.test(word)) {
    return `t.ok(${textOf(text, first)} !== undefined)`;
  }
  const subject = /^(expect\([\s\S]*\))\.(toBe|toEqual|toStrictEqual)$/.exec(word)?.[1];
  return subject === undefined ? null : `${subject}.toBeDefined()`;
}
