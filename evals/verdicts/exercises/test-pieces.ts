import { stringText, textOf, within } from "../../../src/syntax/nodes.ts";
import type { SyntaxNode } from "../../../src/syntax/parse.ts";

/** One test of a file: where it stands, and the groups around it. */
export interface TestPiece {
  name: string;
  /** Outermost first: classes, `describe` titles. */
  groups: string[];
  from: number;
  to: number;
  /** Not to be run by anybody: it belongs to no part. */
  isOff?: boolean;
}

/** A class or a `describe`: it goes with its last test. */
export interface GroupPiece {
  from: number;
  to: number;
}

export interface Pieces {
  tests: TestPiece[];
  groups: GroupPiece[];
  /** Skips are the learner's, who takes one test at a time: the words that stand for them, and what they become. */
  words: { from: number; to: number; text: string }[];
}

export function pythonPieces(text: string, root: SyntaxNode): Pieces {
  const pieces: Pieces = { tests: [], groups: [], words: [] };
  const visit = (node: SyntaxNode, around: string[]) => {
    for (const child of node.children) {
      const definition =
        child.type === "decorated_definition" ? child.children.find(({ field }) => field === "definition") : child;
      if (!definition) continue;
      const name = nameOf(text, definition);
      if (definition.type === "function_definition" && /^test/.test(name)) {
        const isOff = /@[\w.]*skip/.test(text.slice(child.from, definition.from));
        pieces.tests.push({ name, groups: around, from: child.from, to: child.to, isOff });
      } else if (definition.type === "class_definition") {
        pieces.groups.push({ from: child.from, to: child.to });
        for (const body of definition.children) if (body.type === "block") visit(body, [...around, name]);
      }
    }
  };
  visit(root, []);
  return pieces;
}

const SKIPPED: Record<string, string> = {
  xtest: "test",
  xit: "it",
  xdescribe: "describe",
  fit: "it",
  fdescribe: "describe",
};

export function scriptPieces(text: string, root: SyntaxNode): Pieces {
  const pieces: Pieces = { tests: [], groups: [], words: [] };
  const visit = (node: SyntaxNode, around: string[]) => {
    for (const child of node.children) {
      const call =
        child.type === "expression_statement"
          ? child.children.find((one) => one.type === "call_expression")
          : undefined;
      const [callee, args] = call?.children ?? [];
      const title = args?.children.find((one) => one.named);
      if (!callee || !args || !title) continue;
      const word = textOf(text, callee);
      const plain = (SKIPPED[word] ?? word).replace(/\.(skip|only)$/, "");
      const name = stringText(text, title);
      if (name === null || !/^(test|it|describe)$/.test(plain)) continue;
      if (plain !== word) pieces.words.push({ from: callee.from, to: callee.to, text: plain });
      const unescaped = name.replace(/\\(['"`\\])/g, "$1");
      if (plain !== "describe") pieces.tests.push({ name: unescaped, groups: around, from: child.from, to: child.to });
      else {
        pieces.groups.push({ from: child.from, to: child.to });
        const body = [...within(args)].find((one) => one.type === "statement_block");
        if (body) visit(body, [...around, unescaped]);
      }
    }
  };
  visit(root, []);
  return pieces;
}

const nameOf = (text: string, node: SyntaxNode): string => {
  const found = node.children.find(({ field }) => field === "name");
  return found ? textOf(text, found) : "";
};
