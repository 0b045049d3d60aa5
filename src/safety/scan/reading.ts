import type { SyntaxNode } from "../../syntax/parse.ts";
import type { Scope } from "./scope.ts";
import type { Argument, Use, UseKind } from "./use.ts";
import { HOLE, name, UNKNOWNS, union, type Value, type Values, wholeText } from "./value.ts";

const DEEPEST = 120;
const LONGEST_NAME = 120;
/** A list of letters is short; what is not is data. */
const MOST_TRIAL_WORK = 4_000;
const MOST_WORK = 50_000;
const MOST_WITHIN = 40;
const REFLECTS = /getattr|import|globals|vars\(|locals|__dict__|require|Reflect|attrgetter|methodcaller|[\w)]\[/;

/**
 * One file being read. Two walks over its tree: the first binds names, the second finds uses, inner ones first, so
 * that what an expression is made of has been read before it. Both walk without recursion; only the way from a name
 * to what it was assigned recurses, and ends at a depth, as unknown.
 */
export abstract class Reading {
  readonly source: string;
  readonly root: SyntaxNode;
  readonly uses: Use[] = [];
  /** Code in texts that are executed, with the place that executes them. */
  readonly inner: { code: string; node: SyntaxNode }[] = [];
  /** What was assigned to an attribute or key of this name, of whatever object. */
  readonly #members = new Map<string, (() => Values)[]>();
  #known = new Map<SyntaxNode, Values>();
  readonly #trials: Map<string, Values>[] = [];
  #trialWork = 0;
  readonly #open = new Set<SyntaxNode>();
  readonly #scopes = new Map<SyntaxNode, Scope>();
  readonly #returned = new Map<SyntaxNode, SyntaxNode[]>();
  readonly #homes = new Map<SyntaxNode, Scope>();
  #depth = 0;
  #cut = 0;
  #work = 0;
  #provisional = new Map<SyntaxNode, Values>();

  constructor(source: string, root: SyntaxNode) {
    this.source = source;
    this.root = root;
  }

  protected abstract openScope(node: SyntaxNode, outer: Scope | null, parent: SyntaxNode | null): Scope;
  protected abstract bind(node: SyntaxNode, scope: Scope, sure: boolean, parent: SyntaxNode | null): void;
  protected abstract isConditional(node: SyntaxNode): boolean;
  protected abstract read(node: SyntaxNode, scope: Scope): Values;
  protected abstract use(node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void;

  /** Follows a name into another file of the same scan. */
  elsewhere: ((module: string, member: string) => Values) | null = null;

  /** What it is there, beside what it is called here: a file named `os.py` is no excuse. */
  fromElsewhere(module: string, member: string): Values {
    return this.elsewhere?.(module, member) ?? [];
  }

  bindAll(): void {
    this.#walk((node, scope, sure, parent) => this.bind(node, scope, sure, parent), null);
  }

  findUses(): void {
    this.#walk(null, (node, scope, parent) => this.use(node, scope, parent));
  }

  /** What a name of this file is to others. */
  abstract exported(member: string): Values;

  textOf(node: SyntaxNode): string {
    return this.source.slice(node.from, node.to);
  }

  evaluate(node: SyntaxNode, scope: Scope): Values {
    const known = this.#known.get(node) ?? (this.#provisional.size > 0 ? this.#provisional.get(node) : undefined);
    if (known) return known;
    this.#work += 1;
    if (this.#trials.length > 0) this.#trialWork += 1;
    // A name that is made from itself: `s = s.strip()`.
    if (this.#open.has(node)) return UNKNOWNS;
    // A way too long to follow, or a tangle.
    if (this.#depth >= DEEPEST || this.isTangled) {
      this.#cut += 1;
      return UNKNOWNS;
    }
    const cutBefore = this.#cut;
    this.#open.add(node);
    this.#depth += 1;
    try {
      const values = this.read(node, this.#scopes.get(node) ?? this.#homes.get(node) ?? scope);
      // What was cut short by where the reading began may be told from elsewhere: it counts until this one ends.
      const isWhole = this.#cut === cutBefore || this.#depth === 1;
      (isWhole ? this.#known : this.#provisional).set(node, values);
      return values;
    } finally {
      this.#depth -= 1;
      this.#open.delete(node);
      if (this.#depth === 0) this.#provisional.clear();
    }
  }

  /** Reading it took more work than any honest file does: what was not read then must not pass. */
  get isTangled(): boolean {
    return this.#work > MOST_WORK + this.source.length * 4;
  }

  /** An expression for one value of a name in it; nothing of it is kept. */
  withValue(target: SyntaxNode, values: Values, node: SyntaxNode, scope: Scope): Values {
    return this.withValues(new Map([[this.textOf(target), values]]), node, scope);
  }

  /** What a name is while an expression is tried for one value. */
  tried(identifier: string): Values | undefined {
    return this.#trials.findLast((values) => values.has(identifier))?.get(identifier);
  }

  /** What is read in a trial counts for it alone: what is known already is put aside. */
  withValues(values: Map<string, Values>, node: SyntaxNode, scope: Scope): Values {
    // Where nothing is known of what is given, it is as it is without.
    if (![...values.values()].some((given) => given.some(({ kind }) => kind !== "name" && kind !== "function"))) {
      return this.evaluate(node, scope);
    }
    if (this.#trials.length > 1 || this.#trialWork > MOST_TRIAL_WORK) return UNKNOWNS;
    const known = this.#known;
    const provisional = this.#provisional;
    this.#known = new Map();
    this.#provisional = new Map();
    this.#trials.push(values);
    try {
      return this.evaluate(node, scope);
    } finally {
      this.#trials.pop();
      this.#known = known;
      this.#provisional = provisional;
    }
  }

  /** What a function returns does not change: it is looked for once. */
  returnedBy(node: SyntaxNode, find: () => SyntaxNode[]): SyntaxNode[] {
    let found = this.#returned.get(node);
    if (!found) {
      found = find();
      this.#returned.set(node, found);
    }
    return found;
  }

  /** Where an expression belongs that will be read from elsewhere: what a function returns. */
  settle(node: SyntaxNode, scope: Scope): void {
    this.#homes.set(node, scope);
  }

  /** The scope that a function, class or comprehension makes. */
  scopeOf(node: SyntaxNode, outer: Scope): Scope {
    return this.#scopes.get(node) ?? outer;
  }

  remember(member: string, read: () => Values): void {
    const known = this.#members.get(member);
    if (!known) this.#members.set(member, [read]);
    else if (known.length < 16) known.push(read);
  }

  recall(member: string): Values[] {
    return (this.#members.get(member) ?? []).map((read) => read());
  }

  note(how: UseKind, values: Values, node: SyntaxNode, args: readonly Argument[] = [], open = false): void {
    for (const value of values) {
      if (value.kind === "name") {
        this.uses.push({ how, name: value.name, hidden: value.hidden, node, arguments: args, open });
      }
    }
  }

  noteText(how: "text" | "assembled" | "comment" | "define" | "import", content: string, node: SyntaxNode): void {
    this.uses.push({ how, name: content, hidden: false, node, arguments: [], open: false });
  }

  /** What a function of this file calls when it is given these texts: `run("os", "system")`. */
  noteWithin(callee: Value & { kind: "function" }, given: Map<string, Values>, at: SyntaxNode, call: SyntaxNode): void {
    if (![...given.values()].some((values) => values.some((value) => wholeText(value) !== null))) return;
    // Only what chooses by text can turn a text into a call.
    if (!REFLECTS.test(this.textOf(callee.node).slice(0, 8192))) return;
    const open = [...callee.node.children];
    for (let count = 0, next = open.pop(); next && count < MOST_WITHIN; next = open.pop()) {
      open.push(...next.children);
      const inner = next.field === "function" && next.named ? next : null;
      if (!inner || call === next) continue;
      count += 1;
      const values = this.withValues(given, inner, callee.scope);
      this.note("mention", values.filter(isHidden), at);
    }
  }

  /** A text put together from pieces tells by what it reads. */
  noteAssembled(values: Values, node: SyntaxNode): void {
    for (const value of values) {
      const whole = value.kind === "text" && value.assembled ? wholeText(value) : null;
      if (whole !== null && whole.length <= LONGEST_NAME) this.noteText("assembled", whole, node);
    }
  }

  noteInner(values: Values, node: SyntaxNode): void {
    for (const value of values) {
      const whole = wholeText(value);
      if (whole !== null) this.inner.push({ code: whole, node });
    }
  }

  /** A member of an object of which only the name is known. */
  path(object: Value, member: string, hidden: boolean): Values {
    const base = object.kind === "name" ? object.name : "?";
    const path = name(`${base}.${member === "" || member.includes(HOLE) ? "?" : member}`, hidden || isHidden(object));
    if (base === "?") return union([path], ...this.recall(member));
    const other = this.fromElsewhere(base, member);
    if (other.length === 0) return [path];
    return union([path], hidden || isHidden(object) ? other.map(hide) : other);
  }

  #walk(
    before: ((node: SyntaxNode, scope: Scope, sure: boolean, parent: SyntaxNode | null) => void) | null,
    after: ((node: SyntaxNode, scope: Scope, parent: SyntaxNode | null) => void) | null,
  ): void {
    interface Frame {
      node: SyntaxNode;
      scope: Scope;
      sure: boolean;
      parent: SyntaxNode | null;
      next: number;
    }
    const enter = (node: SyntaxNode, outer: Scope | null, sure: boolean, parent: SyntaxNode | null): Frame => {
      let inside = this.#scopes.get(node);
      if (!inside && before) {
        inside = this.openScope(node, outer, parent);
        if (inside !== outer) this.#scopes.set(node, inside);
      }
      const scope = inside ?? outer;
      if (!scope) throw new Error("the root of a tree opens a scope");
      before?.(node, outer ?? scope, sure, parent);
      const fresh = scope !== outer;
      return { node, scope, sure: fresh || (sure && !this.isConditional(node)), parent, next: 0 };
    };
    const stack = [enter(this.root, null, true, null)];
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const child = frame.node.children[frame.next];
      frame.next += 1;
      if (child) {
        if (!child.named) continue;
        if (child.children.length > 0) stack.push(enter(child, frame.scope, frame.sure, frame.node));
        else {
          // Most nodes: nothing is below them, and none of them opens a scope.
          before?.(child, frame.scope, frame.sure, frame.node);
          after?.(child, frame.scope, frame.node);
        }
        continue;
      }
      stack.pop();
      after?.(frame.node, frame.scope, frame.parent);
    }
  }
}

export const hide = (value: Value): Value => (value.kind === "name" ? name(value.name, true) : value);

export const isHidden = (value: Value): boolean => value.kind === "name" && value.hidden;

export function child(node: SyntaxNode, field: string): SyntaxNode | undefined {
  // Asked several times of every node: a plain loop is worth its lines.
  for (const one of node.children) if (one.field === field) return one;
  return undefined;
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const one of node.children) if (one.named && one.type !== "comment") found.push(one);
  return found;
}
