import type { SyntaxNode } from "../../../syntax/parse.ts";
import { Scope } from "./scope.ts";
import type { Argument, Use, UseKind } from "./use.ts";
import { HOLE, hide, isHidden, name, UNKNOWNS, union, type Value, type Values, wholeText } from "./value.ts";
import { walkTree } from "./walk-tree.ts";

const DEEPEST = 120;
const LONGEST_NAME = 120;
/** A list of letters is short; what is not is data. */
const MOST_TRIAL_WORK = 4_000;
const MOST_WORK = 50_000;
const MOST_WITHIN = 40;
const REFLECTS = /getattr|import|globals|vars\(|locals|__dict__|require|Reflect|attrgetter|methodcaller|[\w)]\[/;

/** What one language means by its nodes. All else is the same in each of them. */
export interface LanguageReader {
  /** Nodes that open a scope, and of which kind. */
  scopes: ReadonlyMap<string, "function" | "class" | "block">;
  /** Nodes whose parts may not run. */
  conditional: ReadonlySet<string>;
  /** A name as the language reads it: `\u0065val` is `eval`. */
  identifier(written: string): string;
  /** Binds what a node gives a name to. `sure`: it happens whenever the code around it runs. */
  bind(reading: FileReading, node: SyntaxNode, scope: Scope, sure: boolean): void;
  /** What an expression may be. */
  read(reading: FileReading, node: SyntaxNode, scope: Scope): Values;
  /** Notes what a node does that a rule may speak of. */
  use(reading: FileReading, node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void;
  /** What a name of the file is to others; nothing where it has none. */
  exported(reading: FileReading, member: string): Values;
}

/**
 * One file being read. Two walks over its tree: the first binds names, the second finds uses, inner ones first, so
 * that what an expression is made of has been read before it. Both walk without recursion; only the way from a name
 * to what it was assigned recurses, and ends at a depth, as unknown.
 */
export class FileReading {
  readonly source: string;
  readonly root: SyntaxNode;
  readonly #language: LanguageReader;
  readonly moduleScope = new Scope("module", null);
  /** Modules of which every name counts: `from os import *`, `import . "os"`, `export * from "os"`. */
  readonly starred: string[] = [];
  /** What `export` gives a name of its own. */
  readonly exports = new Map<string, () => Values>();
  /** Examples in the documentation of this file may be executed. */
  readonly runsDocumentation: boolean;
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

  constructor(source: string, root: SyntaxNode, language: LanguageReader) {
    this.source = source;
    this.root = root;
    this.#language = language;
    this.runsDocumentation = /\bdoctest\b|__doc__/.test(source);
  }

  /** Follows a name into another file of the same scan. */
  elsewhere: ((module: string, member: string) => Values) | null = null;

  /** What it is there, beside what it is called here: a file named `os.py` is no excuse. */
  fromElsewhere(module: string, member: string): Values {
    return this.elsewhere?.(module, member) ?? [];
  }

  bindAll(): void {
    walkTree(this.root, {
      open: (node, outer) => this.#openScope(node, outer),
      conditional: this.#language.conditional,
      before: (node, scope, sure) => this.#language.bind(this, node, scope, sure),
    });
  }

  findUses(): void {
    walkTree(this.root, {
      open: (node, outer) => this.scopeOf(node, outer ?? undefined),
      conditional: this.#language.conditional,
      after: (node, scope, parent) => this.#language.use(this, node, scope, parent),
    });
  }

  /** What a name of this file is to others. */
  exported(member: string): Values {
    return this.#language.exported(this, member);
  }

  /** What the module itself gives a name, or nothing. */
  boundInModule(member: string): Values {
    const bindings = this.moduleScope.bindingsOf(member).slice(0, 8);
    return bindings.length === 0 ? [] : union(...bindings.map(({ read }) => read()));
  }

  textOf(node: SyntaxNode): string {
    return this.source.slice(node.from, node.to);
  }

  identifier(node: SyntaxNode): string {
    return this.#language.identifier(this.textOf(node));
  }

  /** What a name is at a place; `otherwise` when nothing of this file binds it. */
  lookUp(identifier: string, at: number, scope: Scope, otherwise: () => Values): Values {
    return this.#tried(identifier) ?? scope.lookUp(identifier, at, otherwise);
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
      const values = this.#language.read(this, node, this.#scopes.get(node) ?? this.#homes.get(node) ?? scope);
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

  /** FileReading it took more work than any honest file does: what was not read then must not pass. */
  get isTangled(): boolean {
    return this.#work > MOST_WORK + this.source.length * 4;
  }

  /** An expression for one value of a name in it; nothing of it is kept. */
  withValue(target: SyntaxNode, values: Values, node: SyntaxNode, scope: Scope): Values {
    return this.withValues(new Map([[this.textOf(target), values]]), node, scope);
  }

  /** What a name is while an expression is tried for one value. */
  #tried(identifier: string): Values | undefined {
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
  scopeOf(node: SyntaxNode, outer: Scope = this.moduleScope): Scope {
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
      const values = this.withValues(given, inner, this.scopeOf(callee.node));
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

  #openScope(node: SyntaxNode, outer: Scope | null): Scope {
    const known = this.#scopes.get(node);
    if (known) return known;
    const kind = this.#language.scopes.get(node.type);
    const scope = outer ? (kind ? new Scope(kind, outer) : outer) : this.moduleScope;
    if (scope !== outer) this.#scopes.set(node, scope);
    return scope;
  }
}
