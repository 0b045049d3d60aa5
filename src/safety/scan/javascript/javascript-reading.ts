import type { SyntaxNode } from "../../../syntax/parse.ts";
import { unescaped } from "../fold-text.ts";
import { child, Reading } from "../reading.ts";
import { Scope } from "../scope.ts";
import { UNKNOWNS, union, type Values } from "../value.ts";
import { bindJavaScript } from "./javascript-bindings.ts";
import { useJavaScript } from "./javascript-uses.ts";
import { moduleNamed, readJavaScript } from "./javascript-values.ts";

export const FUNCTIONS = new Set([
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
]);

const BLOCKS = new Set([
  "statement_block",
  "for_statement",
  "for_in_statement",
  "switch_body",
  "catch_clause",
  "class_static_block",
]);

const CONDITIONAL = new Set([
  "if_statement",
  "while_statement",
  "do_statement",
  "switch_statement",
  "try_statement",
  "ternary_expression",
  "for_statement",
  "for_in_statement",
]);

/** JavaScript and TypeScript, as far as they can be told without running them. */
export class JavaScriptReading extends Reading {
  readonly moduleScope = new Scope("module", null);

  protected override openScope(node: SyntaxNode, outer: Scope | null): Scope {
    if (!outer) return this.moduleScope;
    if (FUNCTIONS.has(node.type)) return new Scope("function", outer);
    return BLOCKS.has(node.type) ? new Scope("block", outer) : outer;
  }

  protected override bind(node: SyntaxNode, scope: Scope, sure: boolean): void {
    bindJavaScript(this, node, scope, sure);
  }

  protected override isConditional(node: SyntaxNode): boolean {
    return CONDITIONAL.has(node.type);
  }

  protected override read(node: SyntaxNode, scope: Scope): Values {
    return readJavaScript(this, node, scope);
  }

  protected override use(node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
    useJavaScript(this, node, scope, parent);
  }

  /** What `export` gives a name of its own. */
  readonly exports = new Map<string, () => Values>();
  /** `export * from "…"` */
  readonly passedOn: string[] = [];

  override exported(member: string): Values {
    const named = this.exports.get(member);
    if (named) return named();
    const bindings = this.moduleScope.bindingsOf(member).slice(0, 8);
    if (bindings.length > 0) return union(...bindings.map(({ read }) => read()));
    // `module.exports.run = …`, `module.exports = { run: … }`
    const assigned = this.recall(member);
    if (assigned.length > 0) return union(...assigned);
    return this.passedOn.flatMap((module) => this.path(moduleNamed(module), member, false));
  }

  /** `\u0065val` is `eval`. */
  identifier(node: SyntaxNode): string {
    const written = this.textOf(node);
    return written.includes("\\") ? written.replace(/\\u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\})/g, unescaped) : written;
  }

  /** The name of a member as it is written: `a`, `"a"`, `["a"]` after evaluation, `#a`. */
  keyOf(node: SyntaxNode, scope: Scope): Values {
    if (node.type === "computed_property_name") {
      const [inner] = node.children.filter(({ named }) => named);
      return inner ? this.evaluate(inner, scope) : [];
    }
    if (node.type === "string" || node.type === "number") return this.evaluate(node, scope);
    return [{ kind: "text", text: this.identifier(node), assembled: false }];
  }

  /** What a function gives, with what it is given. */
  returnsOf(node: SyntaxNode, scope: Scope, given = new Map<string, Values>()): Values {
    const body = child(node, "body");
    if (!body) return UNKNOWNS;
    const results = body.type === "statement_block" ? this.returnedBy(body, () => returnedIn(body)) : [body];
    return results.length === 0 ? UNKNOWNS : union(...results.map((result) => this.withValues(given, result, scope)));
  }

  parametersOf(node: SyntaxNode): SyntaxNode[] {
    const single = child(node, "parameter");
    if (single) return [single];
    return (child(node, "parameters")?.children ?? []).filter(({ named, type }) => named && type !== "comment");
  }
}

function returnedIn(body: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = [...body.children];
  for (let next = open.pop(); next && found.length < 8; next = open.pop()) {
    if (next.type === "return_statement") {
      const value = next.children.find(({ named }) => named);
      if (value) found.push(value);
    } else if (!FUNCTIONS.has(next.type)) {
      open.push(...next.children);
    }
  }
  return found;
}
