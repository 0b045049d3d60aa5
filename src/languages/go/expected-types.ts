import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import { type Given, GivenNames, named } from "./given-names.ts";
import { ANY_LIST, argumentType, callType } from "./known-calls.ts";

const COMPARISON = /^(==|!=|<|<=|>|>=)$/;
const EQUALS = /^(reflect\.DeepEqual|(slices|maps|bytes|cmp)\.Equal|(assert|require)\.\w*Equal\w*)$/;
const DEEPEST = 12;

/**
 * The types that a test expects of things that do not exist yet: without them Go compiles nothing. They are inferred
 * from what the things are compared with and passed to, as a reader would do; null if there is no sign.
 */
export class ExpectedTypes {
  readonly #text: string;
  readonly #root: SyntaxNode;
  readonly #names: GivenNames;

  constructor(text: string, root: SyntaxNode) {
    this.#text = text;
    this.#root = root;
    this.#names = new GivenNames(text, root);
  }

  /** How many values a call must return; null if nothing uses them. */
  asked(call: SyntaxNode): number | null {
    const parent = this.#names.parent(call);
    if (!parent || /^(expression_statement|go_statement|defer_statement|argument_list)$/.test(parent.type)) return null;
    const giving = parent.type === "expression_list" ? this.#names.parent(parent) : undefined;
    if (giving?.type === "return_statement") return null;
    return giving && named(parent).length === 1 ? named(fieldOf(giving, "left")).length || null : 1;
  }

  /** The types of a call's results, as many as are used. */
  resultsOf(call: SyntaxNode): (string | null)[] {
    const list = this.#names.parent(call);
    const giving = list?.type === "expression_list" ? this.#names.parent(list) : undefined;
    const isOnly = list?.children.filter((child) => child.named).length === 1;
    if (!giving || !isOnly || !/^(short_var_declaration|assignment_statement)$/.test(giving.type))
      return [this.expected(call)];
    return named(fieldOf(giving, "left")).map((name, index) => this.#byUses(name, { node: giving, index }, 0));
  }

  /** The type that the surroundings of an expression require. */
  expected(node: SyntaxNode, depth = 0): string | null {
    const parent = this.#names.parent(node);
    if (!parent || depth > DEEPEST) return null;
    switch (parent.type) {
      case "parenthesized_expression":
      case "literal_element":
        return this.expected(parent, depth + 1);
      case "binary_expression":
        return this.#besideOperator(node, parent, depth);
      case "unary_expression":
        return this.#underOperator(fieldOf(parent, "operator")?.type ?? "", parent, depth);
      case "if_statement":
      case "for_clause":
        return node.field === "condition" ? "bool" : null;
      case "argument_list":
        return this.#asArgument(node, parent, depth);
      case "selector_expression":
        return this.#textOf(fieldOf(parent, "field")) === "Error" ? "error" : null;
      case "index_expression":
        return node.field === "operand" ? this.#container(parent, depth) : "int";
      case "range_clause": {
        const [, element] = named(fieldOf(parent, "left"));
        return node.field === "right" && element
          ? `[]${this.#byUses(element, { node: parent, index: 1 }, depth) ?? "any"}`
          : null;
      }
      case "return_statement":
        return this.#asResult(parent, 0);
      case "var_spec":
      case "expression_list":
        return this.#names.parent(parent)?.type === "return_statement"
          ? this.#asResult(parent, named(parent).indexOf(node))
          : this.#asValue(node, parent, depth);
      default:
        return null;
    }
  }

  /** The type of an expression, as far as the file itself tells. */
  typeOf(node: SyntaxNode, depth = 0): string | null {
    if (depth > DEEPEST) return null;
    const literal = LITERALS[node.type];
    if (literal) return literal;
    switch (node.type) {
      case "type_conversion_expression":
        // `Sum[int](x)` is mostly a call.
        if (fieldOf(node, "type")?.type === "generic_type") return null;
        return this.#textOf(fieldOf(node, "type"));
      case "composite_literal":
        return this.#textOf(fieldOf(node, "type")).replace(/^\[\.\.\.\]/, "[]");
      case "parenthesized_expression":
      case "literal_element": {
        const inner = node.children.find((child) => child.named);
        return inner ? this.typeOf(inner, depth + 1) : null;
      }
      case "unary_expression": {
        const operand = fieldOf(node, "operand");
        const own = operand ? this.typeOf(operand, depth + 1) : null;
        const operator = fieldOf(node, "operator")?.type;
        return operator === "!" ? "bool" : operator === "&" && own !== null ? `*${own}` : own;
      }
      case "binary_expression": {
        if (
          /^(&&|\|\|)$/.test(fieldOf(node, "operator")?.type ?? "") ||
          COMPARISON.test(fieldOf(node, "operator")?.type ?? "")
        )
          return "bool";
        const [left, right] = [fieldOf(node, "left"), fieldOf(node, "right")];
        return (left && this.typeOf(left, depth + 1)) ?? (right ? this.typeOf(right, depth + 1) : null);
      }
      case "identifier": {
        const given = this.#names.giving(node);
        return given ? this.#givenType(given, depth + 1) : null;
      }
      case "selector_expression":
        return this.#fieldType(node, depth);
      case "index_expression": {
        const operand = fieldOf(node, "operand");
        return elementOf(operand ? this.typeOf(operand, depth + 1) : null, 1);
      }
      case "call_expression":
        return this.#callType(node, depth);
      default:
        return null;
    }
  }

  /** The nearest declaration around a name that gives it its value. */
  giver(name: SyntaxNode): SyntaxNode | null {
    return this.#names.giver(name);
  }

  #underOperator(operator: string, parent: SyntaxNode, depth: number): string | null {
    if (operator === "!") return "bool";
    const type = this.expected(parent, depth + 1);
    if (operator === "<-") return `chan ${type ?? "any"}`;
    return operator === "*" && type !== null ? `*${type}` : type;
  }

  #besideOperator(node: SyntaxNode, parent: SyntaxNode, depth: number): string | null {
    const operator = fieldOf(parent, "operator")?.type ?? "";
    if (operator === "&&" || operator === "||") return "bool";
    const other = node.field === "left" ? fieldOf(parent, "right") : fieldOf(parent, "left");
    if (other?.type === "nil") return /^(\w*[eE]rr)$/.test(this.#textOf(node)) ? "error" : null;
    const type = other ? this.typeOf(other, depth + 1) : null;
    return type ?? (COMPARISON.test(operator) ? null : this.expected(parent, depth + 1));
  }

  #asArgument(node: SyntaxNode, list: SyntaxNode, depth: number): string | null {
    const call = this.#names.parent(list);
    const callee = call && calleeOf(call);
    if (!call || !callee) return null;
    const called = this.#textOf(callee);
    const given = argumentsOf(call).filter((one) => !/^[tfb]$/.test(this.#textOf(one)));
    const index = given.indexOf(node);
    if (EQUALS.test(called)) {
      const other = given[index === 0 ? 1 : 0];
      return other ? this.typeOf(other, depth + 1) : null;
    }
    if (callee.type === "identifier") {
      const wanted = this.#parameter(called, argumentsOf(call).indexOf(node));
      if (wanted !== null) return wanted;
    }
    return argumentType(called, index);
  }

  /** The type of this parameter of a function in this file; null for a type parameter. */
  #parameter(name: string, index: number): string | null {
    const helper = this.#root.children.find(
      (node) => node.type === "function_declaration" && this.#textOf(fieldOf(node, "name")) === name,
    );
    const given = (helper && fieldOf(helper, "parameters"))?.children.filter(
      ({ type }) => type === "parameter_declaration",
    );
    const types = given?.flatMap((one) => {
      const names = one.children.filter((child) => child.field === "name").length;
      return Array.from({ length: Math.max(1, names) }, () => this.#textOf(fieldOf(one, "type")));
    });
    const open = helper ? this.#textOf(fieldOf(helper, "type_parameters")) : "";
    const type = types?.[index];
    return type === undefined || type === "any" || (open !== "" && open.includes(type)) ? null : type;
  }

  /** The result type of the function around it. */
  #asResult(node: SyntaxNode, index: number): string | null {
    let at: SyntaxNode | undefined = node;
    while (at && !/^(function_declaration|func_literal)$/.test(at.type)) at = this.#names.parent(at);
    const result = at && fieldOf(at, "result");
    if (result?.type !== "parameter_list") return result && index === 0 ? this.#textOf(result) : null;
    const one = result.children.filter(({ type }) => type === "parameter_declaration")[index];
    return one ? this.#textOf(fieldOf(one, "type")) : null;
  }

  #container(index: SyntaxNode, depth: number): string {
    const at = fieldOf(index, "index");
    const element = this.expected(index, depth + 1) ?? "any";
    const key = at ? this.typeOf(at, depth + 1) : null;
    return key === "string" ? `map[string]${element}` : `[]${element}`;
  }

  /** `var got int = f()`, `got := f()`: the type that is written, or what the name is used for. */
  #asValue(node: SyntaxNode, parent: SyntaxNode, depth: number): string | null {
    const holder = parent.type === "var_spec" ? parent : this.#names.parent(parent);
    if (holder?.type === "var_spec") {
      const type = fieldOf(holder, "type");
      if (type) return this.#textOf(type);
    }
    const index = parent.type === "var_spec" ? 0 : named(parent).indexOf(node);
    const name =
      holder && (holder.type === "var_spec" ? fieldOf(holder, "name") : named(fieldOf(holder, "left"))[index]);
    return holder && name ? this.#byUses(name, { node: holder, index }, depth) : null;
  }

  #byUses(name: SyntaxNode, given: Given, depth: number): string | null {
    const own = this.#textOf(name);
    if (own === "_" || depth > DEEPEST) return null;
    if (/^err$|Err$/.test(own)) return "error";
    let list: string | null = null;
    for (const use of within(this.#names.scopeOf(given.node))) {
      if (use.type !== "identifier" || this.#textOf(use) !== own || use === name) continue;
      if (this.#names.giving(use)?.node !== given.node) continue;
      const type = this.expected(use, depth + 1);
      if (type !== null && type !== ANY_LIST) return type;
      // At least it has a length.
      list ??= type;
    }
    if (list !== null) return list;
    return /^(ok|found|has\w*|is[A-Z]\w*)$/.test(own) ? "bool" : null;
  }

  #givenType({ node, index }: Given, depth: number): string | null {
    const type = fieldOf(node, "type");
    if (type) return this.#textOf(type);
    if (node.type === "range_clause") {
      const right = fieldOf(node, "right");
      return elementOf(right ? this.typeOf(right, depth + 1) : null, index);
    }
    const values = named(fieldOf(node, "right") ?? fieldOf(node, "value"));
    const value = values.length > 1 || index === 0 ? values[index] : undefined;
    return value ? this.typeOf(value, depth + 1) : null;
  }

  /** `c.want`, where the fields of `c` are written in this file. */
  #fieldType(node: SyntaxNode, depth: number): string | null {
    const operand = fieldOf(node, "operand");
    const field = this.#textOf(fieldOf(node, "field"));
    const type = operand ? this.typeOf(operand, depth + 1) : null;
    if (type === null) return null;
    const written = type.startsWith("struct") ? type : this.#typeWritten(type.replace(/^\*/, ""));
    for (const line of written.split(/[\n;{}]/)) {
      const [, names = "", own] = /^\s*([\w\s,]+?)\s+([^\s,].*)$/.exec(line.replace(/\/\/.*|`.*`/g, "")) ?? [];
      if (own !== undefined && names.split(",").some((one) => one.trim() === field)) return own.trim();
    }
    return null;
  }

  #typeWritten(name: string): string {
    if (!/^\w+$/.test(name)) return "";
    return new RegExp(`\\btype\\s+${name}\\s+(struct\\s*\\{[^}]*\\})`).exec(this.#text)?.[1] ?? "";
  }

  #callType(node: SyntaxNode, depth: number): string | null {
    const called = this.#textOf(calleeOf(node));
    const [first] = argumentsOf(node);
    if (called === "make" || called === "new")
      return first ? `${called === "new" ? "*" : ""}${this.#textOf(first)}` : null;
    if (called === "append") return first ? this.typeOf(first, depth + 1) : null;
    return callType(called);
  }

  #textOf(node: SyntaxNode | undefined): string {
    return node ? textOf(this.#text, node) : "";
  }
}

const LITERALS: Record<string, string> = {
  int_literal: "int",
  float_literal: "float64",
  rune_literal: "rune",
  interpreted_string_literal: "string",
  raw_string_literal: "string",
  true: "bool",
  false: "bool",
};

/** For a type that can be iterated over: the first and second value of each step. */
function elementOf(type: string | null, index: number): string | null {
  const map = /^map\[(\w+)\](.+)$/s.exec(type ?? "");
  if (map) return map[index + 1] ?? null;
  if (index === 0) return "int";
  return type === "string" ? "rune" : (/^\[\w*\](.+)$/s.exec(type ?? "")?.[1] ?? null);
}
