import type { SyntaxNode } from "../../../syntax/parse.ts";
import { Reading } from "../reading.ts";
import { Scope } from "../scope.ts";
import { union, type Values } from "../value.ts";
import { bindPython, canonical } from "./python-bindings.ts";
import { usePython } from "./python-uses.ts";
import { readPython } from "./python-values.ts";

/** Python, as far as it can be told without running it. */
export class PythonReading extends Reading {
  /** Modules of which everything was imported: `from os import *`. */
  readonly starred: string[] = [];
  readonly moduleScope = new Scope("module", null);
  /** Examples in the documentation of this file may be executed. */
  readonly runsDocumentation = /\bdoctest\b|__doc__/.test(this.source);

  protected override openScope(node: SyntaxNode, outer: Scope | null): Scope {
    if (!outer) return this.moduleScope;
    switch (node.type) {
      case "function_definition":
      case "lambda":
        return new Scope("function", outer);
      case "class_definition":
        return new Scope("class", outer);
      case "list_comprehension":
      case "set_comprehension":
      case "dictionary_comprehension":
      case "generator_expression":
        return new Scope("block", outer);
      default:
        return outer;
    }
  }

  protected override bind(node: SyntaxNode, scope: Scope, sure: boolean): void {
    bindPython(this, node, scope, sure);
  }

  protected override isConditional(node: SyntaxNode): boolean {
    return CONDITIONAL.has(node.type);
  }

  protected override read(node: SyntaxNode, scope: Scope): Values {
    return readPython(this, node, scope);
  }

  protected override use(node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
    usePython(this, node, scope, parent);
  }

  override exported(member: string): Values {
    const bindings = this.moduleScope.bindingsOf(member).slice(0, 8);
    if (bindings.length > 0) return union(...bindings.map(({ read }) => read()));
    return this.starred.flatMap((module) => this.path(canonical(module), member, false));
  }

  /** Python reads `ｅval` as `eval`. */
  identifier(node: SyntaxNode): string {
    const written = this.textOf(node);
    return /^[\w$]*$/.test(written) ? written : written.normalize("NFKC");
  }
}

const CONDITIONAL = new Set([
  "if_statement",
  "for_statement",
  "while_statement",
  "try_statement",
  "match_statement",
  "conditional_expression",
  "boolean_operator",
  "comparison_operator",
]);
