import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { calleeOf } from "../../languages/call-nodes.ts";
import type { Mutations } from "../../languages/mutations.ts";
import { MUTATIONS } from "../../languages/mutations-of.ts";
import { wordsIn } from "../../languages/syntax-text.ts";
import { lineCounter } from "../../syntax/line-counter.ts";
import { fieldOf, within } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { longestCommonLines } from "../change/common-lines.ts";
import { exchange, type Piece, type Versions } from "./exchange-nodes.ts";
import { mutate } from "./make-mutants.ts";
import { readByNode } from "./read-by-node.ts";

/** A part of a file that was changed, with where it stood before. */
interface ChangedPart {
  before: LineRange;
  after: LineRange;
}

interface Sides extends Versions {
  mutations: Mutations;
}

/** So many for one part: one that was written anew has no smaller pieces. */
const MOST = 8;

/**
 * Each smallest piece of a change, put back as it was: a piece that no test misses is not shown by any, though tests
 * notice small changes of what stands around it.
 */
export async function putBack({ old, now }: Versions, part: ChangedPart, parsers: SyntaxParsers): Promise<Mutant[]> {
  const grammar = grammarOf(now.path);
  if (grammar === null || grammarOf(old.path) !== grammar) return [];
  const [was, is] = [await parsers.parse(grammar, old.content), await parsers.parse(grammar, now.content)];
  if (was.broken || is.broken) return [];
  const [from, to] = [nodeAt(was.root, old.content, part.before), nodeAt(is.root, now.content, part.after)];
  const sides = { old, now, mutations: MUTATIONS[grammar] };
  const found = from && to ? differing(sides, from, to, pathTo(is.root, to)) : [];
  // What the interpreter reads as it reads the new text is no piece: a type, a pair of parentheses.
  const pieces = readByNode(
    now.path,
    found.map((piece) => ({ ...piece, part: is.root })),
    now.content,
  );
  const lineOf = lineCounter(now.content);
  const made: Mutant[] = [];
  for (const piece of pieces.length > MOST ? [] : pieces) {
    const line = lineOf(piece.from);
    if (line < part.after.from || line > part.after.to) continue;
    if ((await parsers.parse(grammar, mutate(now.content, piece))).broken) continue;
    const said = (text: string) => `\`${text.trim().split("\n")[0]?.slice(0, LONGEST_SHOWN) ?? ""}\``;
    const { from, to, replacement } = piece;
    made.push({
      ...{ from, to, replacement },
      id: `${now.path}:${line}:put-back:${made.length + 1}`,
      path: now.path,
      line,
      statement: { from: line, to: lineOf(Math.max(piece.from, piece.to - 1)) },
      operator: "put-back",
      description: `${said(now.content.slice(piece.from, piece.to))} → ${said(piece.replacement)}, as it was`,
    });
  }
  return made;
}

const LONGEST_SHOWN = 60;

/** The nodes above a node, from the root on. */
function pathTo(root: SyntaxNode, node: SyntaxNode): SyntaxNode[] {
  const path: SyntaxNode[] = [];
  for (let at: SyntaxNode | undefined = root; at && at !== node; ) {
    path.push(at);
    at = at.children.find((child) => child.from <= node.from && node.to <= child.to);
  }
  return path;
}

/** The smallest node that holds all that is written on these lines. */
function nodeAt(root: SyntaxNode, text: string, { from, to }: LineRange): SyntaxNode | null {
  const lines = text.split("\n");
  const start = lines.slice(0, from - 1).join("\n").length + (from > 1 ? 1 : 0);
  const own = lines.slice(from - 1, to).join("\n");
  const [first, last] = [start + (own.length - own.trimStart().length), start + own.trimEnd().length];
  if (own.trim() === "") return null;
  let found = root;
  for (;;) {
    const inner = found.children.find((child) => child.from <= first && last <= child.to);
    if (!inner) return found === root ? null : found;
    found = inner;
  }
}

/** For people and type checkers: nothing to miss. */
const UNSEEN = /^(comment|type|type_annotation)$/;

/** What a node says but for types: `a` of `a: int`. */
function saidBy(text: string, node: SyntaxNode): string {
  const types = [...within(node)].flatMap(({ children }) =>
    children.filter(({ type }, index) => UNSEEN.test(type) || (/^(:|->)$/.test(type) && isType(children[index + 1]))),
  );
  return UNSEEN.test(node.type) ? "" : wordsIn({ text }, node, new Set(types)).join(" ");
}

const isType = (node: SyntaxNode | undefined): boolean => node?.type === "type";

/** The pieces in which two nodes differ, each as small as the two trees allow. */
function differing(sides: Sides, old: SyntaxNode, now: SyntaxNode, above: readonly SyntaxNode[]): Piece[] {
  const { old: was, now: is, mutations } = sides;
  if (saidBy(was.content, old) === saidBy(is.content, now)) return [];
  // Words for people are nobody's to miss.
  const place = { node: now, above, text: is.content };
  if (mutations.isLeftAlone(place) || (now.type === "string" && mutations.edits(place).length === 0)) return [];
  const called = otherCall(sides, old, now);
  if (called) return [...called.pieces, ...pair(sides, ...called.objects, [...above, now])];
  const isAlike =
    (old.type === now.type && old.type !== "decorator") || [old, now].some(({ type }) => type === DECORATED);
  const [left, right] = isAlike ? [partsOf(old, now), partsOf(now, old)] : [[], []];
  if (left.length === 0 || right.length === 0) return [exchange(sides, [old], [now], now)];
  const inside = [...above, now];
  // What is defined is the same thing edited, whatever came beside it.
  const key = (text: string, node: SyntaxNode) => (DEFINED.test(node.type) ? node.type : saidBy(text, node));
  const keys = [left.map((node) => key(was.content, node)), right.map((node) => key(is.content, node))] as const;
  const common = longestCommonLines(...keys).map((one) => ({
    ...one,
    pieces: pair(sides, left[one.old], right[one.now], inside),
  }));
  const pieces: Piece[] = [];
  let [at, to] = [0, 0];
  for (const end of [...common, { old: left.length, now: right.length, pieces: [] }]) {
    const [gone, come] = [left.slice(at, end.old), right.slice(to, end.now)];
    const isPaired = gone.length === come.length;
    if (isPaired) for (const [index, one] of gone.entries()) pieces.push(...pair(sides, one, come[index], inside));
    else pieces.push(exchange(sides, gone, come, right[end.now] ?? null, right[to - 1]));
    pieces.push(...end.pieces);
    [at, to] = [end.old + 1, end.now + 1];
  }
  return pieces;
}

const pair = (
  sides: Sides,
  old: SyntaxNode | undefined,
  now: SyntaxNode | undefined,
  above: readonly SyntaxNode[],
): Piece[] => (old && now ? differing(sides, old, now, above) : []);

/** A function by another name, or another one, is called with what belongs to it: one piece, but for its object. */
function otherCall({ old: was, now: is }: Sides, old: SyntaxNode, now: SyntaxNode) {
  const [before, after] = [calleeOf(old), calleeOf(now)];
  if (!before || !after || old.type !== now.type) return null;
  const [name, newName] = [nameOf(before), nameOf(after)];
  if (saidBy(was.content, name) === saidBy(is.content, newName)) return null;
  const objects = [fieldOf(before, "object"), fieldOf(after, "object")] as const;
  const [from, whole] = objects[0] && objects[1] ? [name.from, newName.from] : [old.from, now.from];
  return { objects, pieces: [{ from: whole, to: now.to, replacement: was.content.slice(from, old.to) }] };
}

/** `strip` of `text.strip`. */
const nameOf = (callee: SyntaxNode): SyntaxNode =>
  fieldOf(callee, "property") ?? fieldOf(callee, "attribute") ?? fieldOf(callee, "field") ?? callee;

const DECORATED = "decorated_definition";
const DEFINED = /_definition$/;

/** A function that has no decorator yet stands beside one that has. */
function partsOf(node: SyntaxNode, other: SyntaxNode): readonly SyntaxNode[] {
  if (other.type === DECORATED && node.type !== DECORATED) return [node];
  return /^(template_)?string$/.test(node.type) ? [] : node.children.filter((child) => !UNSEEN.test(child.type));
}
