import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";

const COMPARISON = /^(==|!=|<|<=|>|>=)$/;
const EQUALS = /^(reflect\.DeepEqual|(slices|maps|bytes|cmp)\.Equal|(assert|require)\.\w*Equal\w*)$/;
const DEEPEST = 12;

/** A name that something is given, where it is given, and its place among the names given at once. */
interface Given {
  node: SyntaxNode;
  index: number;
}

/**
 * What a test takes the types of things to be that do not exist yet: Go compiles nothing without them. By what they are
 * compared with and given to, as a reader would see it; null where nothing tells.
 */
export class ExpectedTypes {
  readonly #text: string;
  readonly #parents = new Map<SyntaxNode, SyntaxNode>();

  constructor(text: string, root: SyntaxNode) {
    this.#text = text;
    for (const node of within(root)) for (const child of node.children) this.#parents.set(child, node);
  }

  /** The types of what a call gives, as many as it is asked for. */
  resultsOf(call: SyntaxNode): (string | null)[] {
    const list = this.#parents.get(call);
    const giving = list?.type === "expression_list" ? this.#parents.get(list) : undefined;
    const isOnly = list?.children.filter((child) => child.named).length === 1;
    if (!giving || !isOnly || !/^(short_var_declaration|assignment_statement)$/.test(giving.type))
      return [this.expected(call)];
    return named(fieldOf(giving, "left")).map((name, index) => this.#byUses(name, { node: giving, index }, 0));
  }

  /** What the surroundings of an expression want it to be. */
  expected(node: SyntaxNode, depth = 0): string | null {
    const parent = this.#parents.get(node);
    if (!parent || depth > DEEPEST) return null;
    switch (parent.type) {
      case "parenthesized_expression":
      case "literal_element":
        return this.expected(parent, depth + 1);
      case "binary_expression":
        return this.#besideOperator(node, parent, depth);
      case "unary_expression":
        return fieldOf(parent, "operator")?.type === "!" ? "bool" : this.expected(parent, depth + 1);
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
      case "var_spec":
      case "expression_list":
        return this.#asValue(node, parent, depth);
      default:
        return null;
    }
  }

  /** What an expression is, as far as the file itself tells. */
  typeOf(node: SyntaxNode, depth = 0): string | null {
    if (depth > DEEPEST) return null;
    const literal = LITERALS[node.type];
    if (literal) return literal;
    switch (node.type) {
      case "composite_literal":
      case "type_conversion_expression":
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
        const given = this.#giving(node);
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

  /** What gives a name its value, the nearest around it. */
  giver(name: SyntaxNode): SyntaxNode | null {
    const given = this.#giving(name);
    if (!given) return null;
    if (given.node.type === "var_spec")
      return fieldOf(given.node, "type") ?? named(fieldOf(given.node, "value"))[0] ?? null;
    const values = named(fieldOf(given.node, "right"));
    return given.node.type === "short_var_declaration"
      ? ((values.length > 1 ? values[given.index] : values[0]) ?? null)
      : null;
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
    const call = this.#parents.get(list);
    const callee = call && calleeOf(call);
    if (!call || !callee) return null;
    const called = this.#textOf(callee);
    const given = argumentsOf(call).filter((one) => !/^[tfb]$/.test(this.#textOf(one)));
    const index = given.indexOf(node);
    if (EQUALS.test(called)) {
      const other = given[index === 0 ? 1 : 0];
      return other ? this.typeOf(other, depth + 1) : null;
    }
    if (/^errors\.(Is|As|Unwrap)$/.test(called)) return index === 0 ? "error" : null;
    if (/^(assert|require)\.(True|False)/.test(called)) return "bool";
    if (/^(assert|require)\.(No)?Error/.test(called)) return "error";
    if (/^math\./.test(called)) return "float64";
    if (/^(strings\.Join|sort\.Strings)$/.test(called)) return index === 0 ? "[]string" : "string";
    if (called === "sort.Ints") return "[]int";
    if (/^strings\.(Repeat|SplitN)$/.test(called)) return index === 0 ? "string" : null;
    return /^(strings|strconv)\.(?!Format|Itoa)/.test(called) ? "string" : called === "strconv.Itoa" ? "int" : null;
  }

  #container(index: SyntaxNode, depth: number): string {
    const at = fieldOf(index, "index");
    const element = this.expected(index, depth + 1) ?? "any";
    const key = at ? this.typeOf(at, depth + 1) : null;
    return key === "string" ? `map[string]${element}` : `[]${element}`;
  }

  /** `var got int = f()`, `got := f()`: the type that is written, or what the name is used for. */
  #asValue(node: SyntaxNode, parent: SyntaxNode, depth: number): string | null {
    const holder = parent.type === "var_spec" ? parent : this.#parents.get(parent);
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
    for (const use of within(this.#scopeOf(given.node))) {
      if (use.type !== "identifier" || this.#textOf(use) !== own || use === name) continue;
      if (this.#giving(use)?.node !== given.node) continue;
      const type = this.expected(use, depth + 1);
      if (type !== null) return type;
    }
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
    if (BASIC.test(called)) return called;
    if (/^(len|cap|strconv\.Itoa|strings\.(Count|Index)|math\.MaxInt)$/.test(called))
      return called === "strconv.Itoa" ? "string" : "int";
    if (called === "make" || called === "new")
      return first ? `${called === "new" ? "*" : ""}${this.#textOf(first)}` : null;
    if (called === "append") return first ? this.typeOf(first, depth + 1) : null;
    if (/^(errors\.New|fmt\.Errorf)$/.test(called)) return "error";
    if (/^(fmt\.Sprintf?|fmt\.Sprintln|strings\.(Repeat|ToUpper|ToLower|Join|TrimSpace|Replace\w*))$/.test(called))
      return "string";
    return /^math\.[A-Z]\w*$/.test(called) ? "float64" : called === "time.Date" ? "time.Time" : null;
  }

  #giving(name: SyntaxNode): Given | null {
    const own = this.#textOf(name);
    let below = name;
    for (let at = this.#parents.get(name); at; below = at, at = this.#parents.get(at)) {
      for (const node of declarations(at, below)) {
        const names = /^(short_var_declaration|range_clause)$/.test(node.type)
          ? named(fieldOf(node, "left"))
          : node.children.filter((child) => child.field === "name");
        const index = names.findIndex((one) => this.#textOf(one) === own);
        if (index >= 0) return { node, index };
      }
    }
    return null;
  }

  #scopeOf(node: SyntaxNode): SyntaxNode {
    let at = this.#parents.get(node) ?? node;
    while (!/^(if_statement|for_statement|statement_list|source_file|func_literal)$/.test(at.type)) {
      const above = this.#parents.get(at);
      if (!above) return at;
      at = above;
    }
    return at;
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

const BASIC = /^(bool|byte|rune|string|error|any|u?int(8|16|32|64)?|float(32|64))$/;

const named = (node: SyntaxNode | undefined): SyntaxNode[] =>
  node === undefined ? [] : node.type === "expression_list" ? node.children.filter((child) => child.named) : [node];

/** What gives names a meaning directly in this part, before `below`. */
function declarations(node: SyntaxNode, below: SyntaxNode): SyntaxNode[] {
  if (/^(func_literal|function_declaration)$/.test(node.type))
    return fieldOf(node, "parameters")?.children.filter((child) => child.type.endsWith("parameter_declaration")) ?? [];
  const isInitial = (child: SyntaxNode) => child.field === "initializer" || child.type === "range_clause";
  const own = /^(if_statement|for_statement|for_clause)$/.test(node.type)
    ? node.children.filter(isInitial)
    : /^(statement_list|source_file)$/.test(node.type)
      ? node.children.filter((child) => child.from <= below.from)
      : [];
  return own
    .flatMap((child) => (/^(var|const)_declaration$/.test(child.type) ? [...within(child)] : [child]))
    .filter(({ type }) => /^(short_var_declaration|range_clause|var_spec|const_spec)$/.test(type))
    .toReversed();
}

/** Of what can be gone through: what comes first and second at each step. */
function elementOf(type: string | null, index: number): string | null {
  const map = /^map\[(\w+)\](.+)$/s.exec(type ?? "");
  if (map) return map[index + 1] ?? null;
  if (index === 0) return "int";
  return type === "string" ? "rune" : (/^\[\w*\](.+)$/s.exec(type ?? "")?.[1] ?? null);
}
