import type { SyntaxNode } from "../../../syntax/parse.ts";
import { UNKNOWNS, union, type Values } from "./value.ts";

/** One place that gives a name its value. */
export interface Binding {
  read(): Values;
  /** Where in the text it stands. */
  at: number;
  /** It happens whenever the code around it runs; one in a branch may not. */
  sure: boolean;
}

/** Gives the name that is written here a value. */
export type Put = (identifier: SyntaxNode, read: () => Values) => void;

const MOST_BINDINGS = 24;

type ScopeKind = "module" | "function" | "class" | "block";

/** Names and what they may be. Order within a function does not count: each assignment may be the one in force. */
export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  readonly #bindings = new Map<string, Binding[]>();
  /** Names that belong to the module although they are assigned here: `global x`. */
  readonly #elsewhere = new Map<string, Scope>();

  constructor(kind: ScopeKind, parent: Scope | null) {
    this.kind = kind;
    this.parent = parent;
  }

  bind(name: string, binding: Binding): void {
    const scope = this.#elsewhere.get(name) ?? this;
    const bindings = scope.#bindings.get(name);
    if (bindings) bindings.push(binding);
    else scope.#bindings.set(name, [binding]);
  }

  redirect(name: string, scope: Scope): void {
    this.#elsewhere.set(name, scope);
    for (const binding of this.#bindings.get(name) ?? []) scope.bind(name, binding);
    this.#bindings.delete(name);
  }

  bindingsOf(name: string): readonly Binding[] {
    return this.#bindings.get(name) ?? [];
  }

  /**
   * What a name may be at a place in the text. `otherwise` is what it is when nothing here binds it: also when
   * a module binds it only in a branch or further down, because then it may not be bound yet.
   */
  lookUp(name: string, at: number, otherwise: () => Values): Values {
    let visible = true;
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const target: Scope = scope.#elsewhere.get(name) ?? scope;
      const bindings = visible || scope.kind !== "class" ? target.bindingsOf(name) : [];
      if (bindings.length > 0) {
        const [only] = bindings;
        const values =
          only && bindings.length === 1
            ? only.read()
            : union(
                ...bindings.slice(0, MOST_BINDINGS).map((binding) => binding.read()),
                // What is not looked at may be anything.
                ...(bindings.length > MOST_BINDINGS ? [UNKNOWNS] : []),
              );
        const certain =
          target.kind === "function" ||
          target.kind === "block" ||
          bindings.some((binding) => binding.sure && binding.at < at);
        return certain ? values : union(values, otherwise());
      }
      // The body of a class is not seen from the functions in it.
      if (scope.kind === "function") visible = false;
    }
    return otherwise();
  }

  /** The scope whose variable an assignment to this name changes. */
  holding(name: string): Scope {
    let scope: Scope = this;
    while (scope.bindingsOf(name).length === 0 && scope.parent) scope = scope.parent;
    return scope;
  }

  get module(): Scope {
    let scope: Scope = this;
    while (scope.parent) scope = scope.parent;
    return scope;
  }

  /** Where `var` and Python's assignments go. */
  get ofFunction(): Scope {
    let scope: Scope = this;
    while (scope.kind === "block" && scope.parent) scope = scope.parent;
    return scope;
  }
}
