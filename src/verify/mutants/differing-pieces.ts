import { calleeOf } from "../../languages/call-nodes.ts";
import type { SourceFile } from "../../languages/language.ts";
import { isLogLine, isForPeople as isSaid, type Mutations } from "../../languages/mutations.ts";
import { wordsIn } from "../../languages/syntax-text.ts";
import { fieldOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { longestCommonLines } from "../change/common-lines.ts";
import { alignNodes } from "./align-nodes.ts";
import { exchange, type Piece, type Versions } from "./exchange-nodes.ts";

export interface Sides extends Versions {
  mutations: Mutations;
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

/**
 * The pieces in which two nodes differ, each as small as the two trees allow. What stood there and has no successor is a
 * piece of its own: a guard that went beside a mended line comes back beside it.
 */
export function differing(sides: Sides, old: SyntaxNode, now: SyntaxNode, above: readonly SyntaxNode[]): Piece[] {
  const { old: was, now: is } = sides;
  const said = [saidBy(was.content, old), saidBy(is.content, now)];
  if (said[0] === said[1] || said.every((word) => DECLARES.test(word))) return [];
  if (isForPeople(sides, now, above)) return [];
  const linked = otherLinks(sides, old, now);
  if (linked) return [linked];
  const called = otherCall(sides, old, now);
  if (called) return [...called.pieces, ...pair(sides, ...called.objects, [...above, now])];
  const isAlike =
    (old.type === now.type && old.type !== "decorator") || [old, now].some(({ type }) => type === DECORATED);
  const parts = ({ content, path }: SourceFile, one: SyntaxNode, other: SyntaxNode) =>
    isAlike ? partsOf(content, one, other).filter((child) => !isDocumentation(path, child)) : [];
  const [left, right] = [parts(was, old, now), parts(is, now, old)];
  if (left.length === 0 || right.length === 0) {
    const wrapped = wrapping(sides, old, now, above);
    return wrapped.length > 0 ? wrapped : [instead(sides, [old], [now], now)];
  }
  const inside = [...above, now];
  // What is defined is the same thing edited, whatever came beside it.
  const key = (text: string, node: SyntaxNode) => (DEFINED.test(node.type) ? node.type : saidBy(text, node));
  const keys = [left.map((node) => key(was.content, node)), right.map((node) => key(is.content, node))] as const;
  const pieces: Piece[] = [];
  let [at, to] = [0, 0];
  for (const end of [...longestCommonLines(...keys), { old: left.length, now: right.length }]) {
    const around = { next: right[end.now] ?? null, previous: right[to - 1] };
    pieces.push(...between(sides, left.slice(at, end.old), right.slice(to, end.now), around, inside));
    pieces.push(...pair(sides, left[end.old], right[end.now], inside));
    [at, to] = [end.old + 1, end.now + 1];
  }
  return pieces;
}

/** A name that is given a value once may be either. */
const DECLARES = /^(const|let)$/;

/** `a and b and c`: the tree of it holds `a and b` as its first part. */
const CHAIN = /^(boolean_operator|binary_operator|binary_expression)$/;

/** What came or went at one end of a chain whose other links stand as they stood; null where it is no such change. */
function otherLinks({ old: was, now: is }: Sides, old: SyntaxNode, now: SyntaxNode): Piece | null {
  const came = heldAtEnd(is.content, now, saidBy(was.content, old));
  if (came?.isFirst) return { from: came.node.to, to: now.to, replacement: "" };
  if (came) return { from: now.from, to: came.node.from, replacement: "" };
  const went = heldAtEnd(was.content, old, saidBy(is.content, now));
  if (!went) return null;
  const { node, isFirst, rest } = went;
  const replacement = isFirst ? was.content.slice(node.to, old.to) : was.content.slice(old.from, node.from);
  const place = isFirst ? now.to : now.from;
  return { from: place, to: place, replacement, dropped: rest };
}

/** The part at the beginning or end of a chain that says these words, with the links that it is without. */
function heldAtEnd(text: string, chain: SyntaxNode, words: string) {
  if (!CHAIN.test(chain.type)) return null;
  const rest: SyntaxNode[] = [];
  for (let at: SyntaxNode | undefined = chain; at && CHAIN.test(at.type); at = at.children[0]) {
    const [first, last] = [at.children[0], at.children.at(-1)];
    if (last && at === chain && saidBy(text, last) === words)
      return { node: last, isFirst: false, rest: chain.children.slice(0, -1).filter(({ named }) => named) };
    if (last) rest.unshift(last);
    if (first && saidBy(text, first) === words) return { node: first, isFirst: true, rest };
  }
  return null;
}

/** Words for people are nobody's to miss. A single word may be a code that programs read. */
function isForPeople({ now: is, mutations }: Sides, now: SyntaxNode, above: readonly SyntaxNode[]): boolean {
  const text = is.content;
  if (isLogLine(now, text)) return true;
  if (isDocumentation(is.path, now)) return true;
  const isText = now.type === "string" && /\s/.test(text.slice(now.from, now.to));
  if (!isText) return false;
  // Of a text that is put together the words alone may be too few to change.
  const isMade = now.children.some(({ type }) => type === "interpolation");
  if (isMade) return above.some(({ type }) => type === "raise_statement") || isSaid({ above, text });
  return mutations.edits({ node: now, above, text }).length === 0;
}

const isDocumentation = (path: string, { type, children }: SyntaxNode): boolean =>
  path.endsWith(".py") && type === "expression_statement" && children.every((child) => child.type === "string");

interface Around {
  next: SyntaxNode | null;
  previous: SyntaxNode | undefined;
}

/** What stands between two parts that both sides have. */
function between(
  sides: Sides,
  gone: readonly SyntaxNode[],
  come: readonly SyntaxNode[],
  { next, previous }: Around,
  inside: readonly SyntaxNode[],
): Piece[] {
  if (gone.length === 0 && come.length === 0) return [];
  if (come.length === 0) return dropped(sides, gone, next, previous);
  if (gone.length === 0) return [exchange(sides, [], come, next, previous)];
  const said = (side: "old" | "now") => (node: SyntaxNode) => saidBy(sides[side].content, node).split(" ");
  const matches = alignNodes(gone, come, said("old"), said("now"));
  if (matches.length === 0) {
    if (gone.length === come.length) return gone.flatMap((one, index) => pair(sides, one, come[index], inside));
    const whole = instead(sides, gone, come, next, previous);
    if (gone.some(isWord)) return [whole];
    return [whole, ...dropped(sides, gone, come[0] ?? next, previous).map((one) => ({ ...one, replaced: true }))];
  }
  const pieces: Piece[] = [];
  let [at, to] = [0, 0];
  for (const end of [...matches, { old: gone.length, now: come.length }]) {
    const around = { next: come[end.now] ?? next, previous: come[to - 1] ?? previous };
    pieces.push(...between(sides, gone.slice(at, end.old), come.slice(to, end.now), around, inside));
    pieces.push(...pair(sides, gone[end.old], come[end.now], inside));
    [at, to] = [end.old + 1, end.now + 1];
  }
  return pieces;
}

/** What stood there instead. Where nothing new came, what is not said again was dropped: `with lock:` around a line. */
function instead(
  sides: Sides,
  gone: readonly SyntaxNode[],
  come: readonly SyntaxNode[],
  next: SyntaxNode | null,
  previous?: SyntaxNode,
): Piece {
  const said = (text: string, nodes: readonly SyntaxNode[]) => nodes.flatMap((node) => saidBy(text, node).split(" "));
  const piece = exchange(sides, gone, come, next, previous);
  const left = said(sides.old.content, gone);
  const isNew = said(sides.now.content, come).some((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return isNew || left.length === 0 || gone.some(isWord) ? piece : { ...piece, dropped: gone };
}

const STATEMENT = /_(statement|definition|declaration)$/;

/** Each of them comes back alone; one that only gives a name to a value is nothing without the others. */
function dropped(
  sides: Sides,
  gone: readonly SyntaxNode[],
  next: SyntaxNode | null,
  previous: SyntaxNode | undefined,
): Piece[] {
  const back = (nodes: readonly SyntaxNode[]): Piece => ({
    ...exchange(sides, nodes, [], next, previous),
    dropped: nodes,
  });
  if (gone.length === 1 || gone.some(isWord)) return [back(gone)];
  const acting = gone.filter(acts);
  const groups = gone.some(({ type }) => STATEMENT.test(type)) ? acting.map((one) => [one]) : withSeparators(gone);
  return groups.length === 0 ? [back(gone)] : groups.map(back);
}

const ACTS =
  /^(return_statement|raise_statement|throw_statement|continue_statement|break_statement|yield|yield_expression|await|await_expression|call|call_expression|assert_statement|delete_statement|with_statement)$/;

const acts = (node: SyntaxNode): boolean =>
  !STATEMENT.test(node.type) || [...within(node)].some(({ type }) => ACTS.test(type));

/** An entry of a list with the comma that belongs to it. */
function withSeparators(nodes: readonly SyntaxNode[]): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [];
  let waiting: SyntaxNode[] = [];
  for (const node of nodes) {
    waiting.push(node);
    if (!node.named) continue;
    groups.push(waiting);
    waiting = [];
  }
  const last = groups.at(-1);
  if (last) last.push(...waiting);
  else if (waiting.length > 0) groups.push(waiting);
  return groups;
}

/**
 * What stood around the new node comes back, level by level; or what stands around the old one goes. None where nothing
 * else differs: then both are exchanged.
 */
function wrapping(sides: Sides, old: SyntaxNode, now: SyntaxNode, above: readonly SyntaxNode[]): Piece[] {
  if (STATEMENT.test(old.type) || STATEMENT.test(now.type)) return [];
  const [was, is] = [sides.old.content, sides.now.content];
  const words = (text: string) => (node: SyntaxNode) => saidBy(text, node).split(" ");
  const held = bestWithin(old, now, words(was), words(is));
  if (held) {
    const own = is.slice(now.from, now.to);
    const levels = held.path.flatMap((level, index): Piece[] => {
      if (/argument|parenthes/.test(level.type)) return [];
      // Of `a and b and c` each of those that went comes back without the others; a call needs all that it holds.
      const inner = (CHAIN.test(level.type) ? held.path[index + 1] : undefined) ?? held.node;
      const replacement = was.slice(level.from, inner.from) + own + was.slice(inner.to, level.to);
      return [{ from: now.from, to: now.to, replacement, dropped: [level] }];
    });
    const inner = differing(sides, held.node, now, above);
    return levels.length > 0 ? [...levels, ...inner] : [];
  }
  const kept = bestWithin(now, old, words(is), words(was));
  if (!kept) return [];
  const bare = { from: now.from, to: now.to, replacement: is.slice(kept.node.from, kept.node.to) };
  const inner = differing(sides, old, kept.node, [...above, now]);
  return inner.length > 0 ? [bare, ...inner] : [];
}

const MOSTLY_THE_SAME = 0.4;

/** The part of a node that is most like another one, with the nodes above it. */
function bestWithin(
  node: SyntaxNode,
  other: SyntaxNode,
  words: (node: SyntaxNode) => string[],
  otherWords: (node: SyntaxNode) => string[],
): { node: SyntaxNode; path: SyntaxNode[] } | null {
  const found: { node: SyntaxNode; path: SyntaxNode[] }[] = [];
  const look = (at: SyntaxNode, path: SyntaxNode[]) => {
    for (const child of at.children) {
      if (child.type === other.type && child.named) found.push({ node: child, path });
      if (!DEFINED.test(child.type)) look(child, [...path, child]);
    }
  };
  look(node, [node]);
  const [match] = alignNodes(
    found.map((one) => one.node),
    [other],
    words,
    otherWords,
    MOSTLY_THE_SAME,
  );
  return (match && found[match.old]) ?? null;
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
const TEXT = "text";
const isWord = ({ type }: SyntaxNode): boolean => type === TEXT;
const WRITTEN = /^(string_content|string_fragment|regex_pattern|format_specifier)$/;

/** A function that has no decorator yet stands beside one that has. A text is made of its words. */
function partsOf(text: string, node: SyntaxNode, other: SyntaxNode): readonly SyntaxNode[] {
  if (other.type === DECORATED && node.type !== DECORATED) return [node];
  if (!WRITTEN.test(node.type)) return node.children.filter((child) => !UNSEEN.test(child.type));
  const own = text.slice(node.from, node.to);
  return [...own.matchAll(/[^\W\d]+|\d+|\s+|[^\w\s]/g)].map((word) => ({
    ...node,
    ...{ type: TEXT, field: null, named: false, children: [] },
    ...{ from: node.from + word.index, to: node.from + word.index + word[0].length },
  }));
}
