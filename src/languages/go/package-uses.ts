import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import type { MissingName } from "../stub.ts";
import { boundNames, UNIVERSE } from "./declared-names.ts";
import { ExpectedTypes } from "./expected-types.ts";

/** What a package of the base tree has. */
export interface KnownPackage {
  name: string;
  declared: Set<string>;
  /** What each function gives first: `Stack` of `func NewStack() *Stack`. */
  gives: Map<string, string>;
  functions: Map<string, KnownFunction>;
}

/** A function as it is declared, with the place of its name. */
export interface KnownFunction {
  path: string;
  at: number;
  /** Null where it takes any number. */
  parameters: number | null;
  results: number;
}

/** Of values that come from each other. */
const DEEPEST = 8;

/** One test file, as it uses one package. */
export class PackageUses {
  readonly #text: string;
  /** What the file calls the package; null in a test of its own package. */
  readonly #alias: string | null;
  readonly #known: KnownPackage;
  readonly #all: SyntaxNode[];
  readonly #types: ExpectedTypes;
  readonly #local: Set<string>;
  readonly #invented = new Map<string, string | null>();

  constructor(text: string, root: SyntaxNode, alias: string | null, known: KnownPackage) {
    this.#text = text;
    this.#alias = alias;
    this.#known = known;
    this.#all = [...within(root)];
    this.#types = new ExpectedTypes(text, root);
    this.#local = boundNames(text, root);
  }

  missing(names: string[]): MissingName[] {
    const lacking = names.filter((name) => !this.#known.declared.has(name) || this.#isCalledOtherwise(name));
    const found = lacking.map((name) => this.#describe(name));
    const classes = new Set(found.flatMap(({ name, shape }) => (shape === "class" ? [name] : [])));
    const existing = [...this.#known.declared].filter((name) => /^[A-Za-z]\w*$/.test(name));
    found.push(...existing.flatMap((type) => this.#members(type)));
    for (const type of classes) found.push(...this.#members(type));
    // What a function gives may be something with members, of a type that nobody named: more of them come to light.
    for (const { types = [] } of found) {
      for (const type of types.flatMap((one) => /^\*(\w+)$/.exec(one)?.[1] ?? [])) {
        if (classes.has(type) || this.#known.declared.has(type) || UNIVERSE.has(type)) continue;
        classes.add(type);
        found.push({ name: type, shape: "class", type: "unknown" }, ...this.#members(type));
      }
    }
    return found;
  }

  /** It exists, and is to take or give another number of values. */
  #isCalledOtherwise(name: string): boolean {
    const known = this.#known.functions.get(name);
    return this.#callsOf(name).some((call) => {
      const given = argumentsOf(call);
      // What one call gives may be all that another takes.
      const isSpread = given.length === 1 && given[0]?.type === "call_expression";
      const asked = this.#types.asked(call);
      const takes = known?.parameters ?? null;
      return (
        known !== undefined &&
        ((takes !== null && takes !== given.length && !isSpread) || (asked !== null && asked !== known.results))
      );
    });
  }

  #describe(name: string): MissingName {
    const calls = this.#callsOf(name);
    const about = { name, type: "unknown" as const };
    const open = this.#openTypes(name);
    if (calls.length > 0)
      return { ...about, shape: "function", types: this.#results(calls, this.#inventedType(name)), open };
    if (this.#all.some((node) => node.type === "type_identifier" && this.#textOf(node) === name))
      return { ...about, shape: "class", open };
    if (/^Err[A-Z]|Error$/.test(name)) return { ...about, shape: "error" };
    const places = this.#all.filter((node) => this.#isNamed(node, name));
    const type = places.map((place) => this.#types.expected(place)).find((one) => one !== null);
    return { ...about, shape: "value", types: [this.#visible(type ?? this.#inventedPointer(name))] };
  }

  #isNamed(node: SyntaxNode, name: string): boolean {
    if (this.#alias === null) return node.type === "identifier" && this.#textOf(node) === name;
    return node.type === "selector_expression" && this.#textOf(node) === `${this.#alias}.${name}`;
  }

  #callsOf(name: string): SyntaxNode[] {
    const written = this.#alias === null ? name : `${this.#alias}.${name}`;
    return this.#all.filter((node) => this.#called(node) === written);
  }

  /** What a call calls, without the types that are given with it; with one argument it looks like a conversion. */
  #called(node: SyntaxNode | null): string | null {
    if (node?.type === "call_expression") return this.#textOf(calleeOf(node));
    const type = node?.type === "type_conversion_expression" ? fieldOf(node, "type") : undefined;
    return type?.type === "generic_type" ? this.#textOf(fieldOf(type, "type")) : null;
  }

  /** How many types are given with the name: two of `NewCache[string, int](3)`. */
  #openTypes(name: string): number {
    const counts = this.#all.flatMap((node) => {
      const list = fieldOf(node, "type_arguments");
      const holder = node.type === "call_expression" ? calleeOf(node) : fieldOf(node, "type");
      if (!list || !holder || this.#visible(this.#textOf(holder)) !== name) return [];
      return [list.children.filter((child) => child.named).length];
    });
    return Math.max(0, ...counts);
  }

  #inventedPointer(name: string): string | null {
    const type = this.#inventedType(name);
    return type === null ? null : `*${type}`;
  }

  /** As many as any call asks for, each by the first call that tells. */
  #results(calls: SyntaxNode[], invented: string | null): string[] {
    const all = calls.map((call) => this.#types.resultsOf(call));
    const count = Math.max(...all.map((one) => one.length));
    return Array.from({ length: count }, (_, index) => {
      const type = all.map((one) => one[index]).find((one) => one != null);
      return this.#visible(type ?? (index === 0 && invented !== null ? `*${invented}` : null));
    });
  }

  /** A type for what a function gives, where members of it are used. */
  #inventedType(name: string): string | null {
    const known = this.#invented.get(name);
    if (known !== undefined) return known;
    this.#invented.set(name, null);
    const hasMembers = this.#all.some((node) => {
      const operand = node.type === "selector_expression" ? fieldOf(node, "operand") : undefined;
      return operand !== undefined && this.#maker(operand) === name && this.#textOf(fieldOf(node, "field")) !== "Error";
    });
    const type = hasMembers ? (/^New([A-Z]\w*)$/.exec(name)?.[1] ?? `${name.replace(".", "")}Result`) : null;
    this.#invented.set(name, type);
    return type;
  }

  /** The function or method of the package that made this, directly or by a variable: `NewCart`, `Cart.First`. */
  #maker(node: SyntaxNode, depth = 0): string | null {
    // `x := x.Next()` says nothing about where it began.
    if (depth > DEEPEST) return null;
    const value = node.type === "identifier" ? this.#types.giver(node) : node;
    if (!value && /^[A-Z]/.test(this.#textOf(node))) return this.#textOf(node);
    const called = this.#called(value);
    if (called === null || this.#local.has(called)) return null;
    if (/^\w+$/.test(called)) return this.#alias === null ? called : null;
    if (this.#alias !== null && called.startsWith(`${this.#alias}.`)) return called.slice(this.#alias.length + 1);
    const callee = value ? calleeOf(value) : undefined;
    const operand = callee?.type === "selector_expression" ? fieldOf(callee, "operand") : undefined;
    const owner = operand ? this.#typeNameOf(operand, depth + 1) : null;
    return owner === null || !callee ? null : `${owner}.${this.#textOf(fieldOf(callee, "field"))}`;
  }

  /** The type of the package that a value is of. */
  #typeNameOf(node: SyntaxNode, depth = 0): string | null {
    const maker = this.#maker(node, depth);
    if (maker !== null) return this.#known.gives.get(maker) ?? this.#givenBy(maker);
    const value = node.type === "identifier" ? this.#types.giver(node) : node;
    if (!value) return null;
    const [made] =
      value.type === "call_expression" && this.#textOf(calleeOf(value)) === "new" ? argumentsOf(value) : [];
    const helper = this.#all.find(
      (one) => one.type === "function_declaration" && this.#textOf(fieldOf(one, "name")) === this.#called(value),
    );
    const result = helper && fieldOf(helper, "result");
    const literal = value.type === "unary_expression" ? fieldOf(value, "operand") : value;
    const type = made ?? result ?? (literal?.type === "composite_literal" ? fieldOf(literal, "type") : literal);
    return type && /type|identifier/.test(type.type)
      ? this.#visible(this.#textOf(type)).replace(/^\*|(?<=\w)\[.*$/gs, "")
      : null;
  }

  /** What a function gives, where the tests name it; else a type of our own. */
  #givenBy(maker: string): string | null {
    const types = maker.includes(".")
      ? []
      : this.#callsOf(maker).flatMap((call) => this.#types.resultsOf(call)[0] ?? []);
    const named = types.map((type) => this.#visible(type).replace(/^\*/, "")).find((type) => /^[A-Z]\w*$/.test(type));
    return named ?? this.#inventedType(maker);
  }

  #members(type: string): MissingName[] {
    const found = new Map<string, MissingName>();
    const add = (member: string, shape: "method" | "field", types: string[]) => {
      const name = `${type}.${member}`;
      if (!this.#known.declared.has(name) && !found.has(name)) found.set(name, { name, shape, type: "unknown", types });
    };
    const uses = this.#all.filter((node) => {
      const operand = node.type === "selector_expression" ? fieldOf(node, "operand") : undefined;
      return operand !== undefined && this.#typeNameOf(operand) === type;
    });
    const calls = Map.groupBy(
      this.#all.filter((node) => node.type === "call_expression" && uses.some((use) => use === calleeOf(node))),
      (call) => this.#textOf(fieldOf(calleeOf(call) ?? call, "field")),
    );
    for (const [member, own] of calls)
      add(member, "method", this.#results(own, this.#inventedType(`${type}.${member}`)));
    for (const use of uses)
      add(this.#textOf(fieldOf(use, "field")), "field", [this.#visible(this.#types.expected(use))]);
    for (const body of this.#literalsOf(type)) {
      const parts = body.children.filter((child) => child.named && child.type !== "comment");
      for (const [index, part] of parts.entries()) {
        const [key, value] = [fieldOf(part, "key"), fieldOf(part, "value")];
        if (key && value) add(this.#textOf(key), "field", [this.#visible(this.#types.typeOf(value))]);
        // By their order alone: names for as many as the other uses do not name.
        else if (index >= [...found.values()].filter(({ shape }) => shape === "field").length)
          add(`Part${index}`, "field", [this.#visible(this.#types.typeOf(part))]);
      }
    }
    return [...found.values()];
  }

  /** What stands between the braces of `T{…}`, also where a list or a map of them leaves the name out. */
  #literalsOf(type: string): SyntaxNode[] {
    return this.#all.flatMap((node): SyntaxNode[] => {
      const written = node.type === "composite_literal" ? fieldOf(node, "type") : undefined;
      const body = fieldOf(node, "body");
      if (!written || !body) return [];
      const name = this.#visible(this.#textOf(written).replace(/^\[\.\.\.\]/, "[]"));
      if (name === type) return [body];
      if (!new RegExp(`^(\\[\\]|map\\[\\w+\\])\\*?${type}$`).test(name)) return [];
      return body.children.flatMap((part) => {
        const element = part.type === "keyed_element" ? fieldOf(part, "value") : part;
        return element?.children.filter((child) => child.type === "literal_value") ?? [];
      });
    });
  }

  /** As the package itself would write it: nothing of the test is seen from there. */
  #visible(type: string | null): string {
    if (type === null) return "any";
    const own = this.#alias === null ? type : type.replaceAll(`${this.#alias}.`, "");
    const words = own.match(/(?<![.\w])[A-Za-z_]\w*(?!\w*\.)/g) ?? [];
    const isSeen = words.every(
      (word) => this.#alias !== null || !this.#local.has(word) || this.#known.declared.has(word),
    );
    return isSeen && !/^struct\b/.test(own) ? own : "any";
  }

  #textOf(node: SyntaxNode | undefined): string {
    return node ? textOf(this.#text, node) : "";
  }
}
