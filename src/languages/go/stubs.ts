import { posix } from "node:path";
import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode, SyntaxParsers } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import type { SourceFile } from "../language.ts";
import type { BaseTree, Missing, MissingName } from "../stub.ts";
import type { TestUses } from "../test-uses.ts";
import { boundNames, declaredNames, importsOf } from "./declared-names.ts";
import { ExpectedTypes } from "./expected-types.ts";
import { OWN_PACKAGE, packageName } from "./uses.ts";

/** What a file of `go test` needs and the base tree lacks: a file for each package, with every name it should have. */
export async function missingGo(
  file: SourceFile,
  uses: TestUses,
  base: BaseTree,
  parsers: SyntaxParsers,
): Promise<Missing[]> {
  const { root } = await parsers.parse("go", file.content);
  const module = /^module\s+(\S+)/m.exec(base.read("go.mod") ?? "")?.[1] ?? "";
  const imported = importsOf(file.content, root);
  const found: Missing[] = [];
  for (const { module: path, names } of uses.imports) {
    const directory = path === OWN_PACKAGE ? ownDirectory(file.path) : directoryOf(path, module);
    if (directory === null) continue;
    const alias = path === OWN_PACKAGE ? null : (imported.find((one) => one.path === path)?.alias ?? "");
    const known = await packageIn(directory, base, parsers, file.path);
    const reading = new Reading(file.content, root, alias, known);
    const missing = reading.missing(names);
    if (missing.length === 0 && (known.name !== "" || path === OWN_PACKAGE)) continue;
    const ownName = path === OWN_PACKAGE ? packageName(file.content, root) : (path.split("/").at(-1) ?? "");
    const imports = Object.fromEntries(imported.filter((one) => one.path !== path).map((one) => [one.alias, one.path]));
    found.push({
      path: posix.join(directory, "zz_stub.go"),
      existing: null,
      names: missing,
      program: false,
      package: { name: known.name || ownName.replace(/[^\w]/g, ""), imports },
    });
  }
  return found;
}

/** Of values that come from each other. */
const DEEPEST = 8;

const ownDirectory = (path: string): string => (path.includes("/") ? posix.dirname(path) : "");

function directoryOf(path: string, module: string): string | null {
  if (module === "" || (path !== module && !path.startsWith(`${module}/`))) return null;
  return path.slice(module.length + 1);
}

interface KnownPackage {
  name: string;
  declared: Set<string>;
  /** What each function gives first: `Stack` of `func NewStack() *Stack`. */
  gives: Map<string, string>;
}

async function packageIn(
  directory: string,
  base: BaseTree,
  parsers: SyntaxParsers,
  besides: string,
): Promise<KnownPackage> {
  const known: KnownPackage = { name: "", declared: new Set(), gives: new Map() };
  for (const path of base.list(directory).filter((one) => one.endsWith(".go") && one !== besides)) {
    const text = base.read(path) ?? "";
    const { root } = await parsers.parse("go", text);
    if (!path.endsWith("_test.go")) known.name = packageName(text, root);
    for (const name of declaredNames(text, root)) known.declared.add(name);
    for (const node of root.children) {
      const [name, result] = [fieldOf(node, "name"), fieldOf(node, "result")];
      const type = [...(result ? within(result) : [])].find((one) => one.type === "type_identifier");
      if (node.type === "function_declaration" && name && type) known.gives.set(textOf(text, name), textOf(text, type));
    }
  }
  return known;
}

/** One test file, as it uses one package. */
class Reading {
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
    const found = names.filter((name) => !this.#known.declared.has(name)).map((name) => this.#describe(name));
    const classes = new Set(found.flatMap(({ name, shape }) => (shape === "class" ? [name] : [])));
    const existing = [...this.#known.declared].filter((name) => /^[A-Za-z]\w*$/.test(name));
    found.push(...existing.flatMap((type) => this.#members(type)));
    for (const type of classes) found.push(...this.#members(type));
    // What a function gives may be something with members, of a type that nobody named: more of them come to light.
    for (const { types = [] } of found) {
      for (const type of types.flatMap((one) => /^\*(\w+)$/.exec(one)?.[1] ?? [])) {
        if (classes.has(type) || this.#known.declared.has(type)) continue;
        classes.add(type);
        found.push({ name: type, shape: "class", type: "unknown" }, ...this.#members(type));
      }
    }
    return found;
  }

  #describe(name: string): MissingName {
    const calls = this.#callsOf(name);
    const about = { name, type: "unknown" as const };
    if (calls.length > 0) return { ...about, shape: "function", types: this.#results(calls, this.#inventedType(name)) };
    if (this.#all.some((node) => node.type === "type_identifier" && this.#textOf(node) === name))
      return { ...about, shape: "class" };
    if (/^Err[A-Z]|Error$/.test(name)) return { ...about, shape: "error" };
    const place = this.#all.find((node) => this.#isNamed(node, name));
    return { ...about, shape: "value", types: [this.#visible(place ? this.#types.expected(place) : null)] };
  }

  #isNamed(node: SyntaxNode, name: string): boolean {
    if (this.#alias === null) return node.type === "identifier" && this.#textOf(node) === name;
    return node.type === "selector_expression" && this.#textOf(node) === `${this.#alias}.${name}`;
  }

  #callsOf(name: string): SyntaxNode[] {
    return this.#all.filter((node) => {
      const callee = node.type === "call_expression" ? calleeOf(node) : undefined;
      return callee !== undefined && this.#isNamed(callee, name);
    });
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
    const callee = value?.type === "call_expression" ? calleeOf(value) : undefined;
    if (!callee) return null;
    const called = this.#textOf(callee);
    if (callee.type === "identifier") return this.#alias === null ? called : null;
    const operand = callee.type === "selector_expression" ? fieldOf(callee, "operand") : undefined;
    const member = this.#textOf(fieldOf(callee, "field"));
    if (!operand) return null;
    if (this.#alias !== null && this.#textOf(operand) === this.#alias) return member;
    const owner = this.#typeNameOf(operand, depth + 1);
    return owner === null ? null : `${owner}.${member}`;
  }

  /** The type of the package that a value is of. */
  #typeNameOf(node: SyntaxNode, depth = 0): string | null {
    const maker = this.#maker(node, depth);
    if (maker !== null) return this.#known.gives.get(maker) ?? this.#inventedType(maker);
    const value = node.type === "identifier" ? this.#types.giver(node) : node;
    if (!value) return null;
    const [made] =
      value.type === "call_expression" && this.#textOf(calleeOf(value)) === "new" ? argumentsOf(value) : [];
    const literal = value.type === "unary_expression" ? fieldOf(value, "operand") : value;
    const type = made ?? (literal?.type === "composite_literal" ? fieldOf(literal, "type") : literal);
    return type && /type|identifier/.test(type.type) ? this.#visible(this.#textOf(type)).replace(/^\*/, "") : null;
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
    for (const node of this.#all) {
      const written = node.type === "composite_literal" ? fieldOf(node, "type") : undefined;
      if (!written || this.#visible(this.#textOf(written)) !== type) continue;
      for (const pair of fieldOf(node, "body")?.children.filter((child) => child.type === "keyed_element") ?? []) {
        const [key, value] = [fieldOf(pair, "key"), fieldOf(pair, "value")];
        if (key && value) add(this.#textOf(key), "field", [this.#visible(this.#types.typeOf(value))]);
      }
    }
    return [...found.values()];
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
