import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren, Reading } from "../reading.ts";
import { Scope } from "../scope.ts";
import { name, UNKNOWNS, type Values, wholeText } from "../value.ts";
import { useGo } from "./go-uses.ts";
import { readGo } from "./go-values.ts";

const FUNCTIONS = new Set(["function_declaration", "method_declaration", "func_literal"]);
const BLOCKS = new Set([
  "block",
  "for_statement",
  "if_statement",
  "expression_switch_statement",
  "type_switch_statement",
]);

/** Go: packages by their import path, so that `exec.Command` is `os/exec.Command` whatever the import calls it. */
export class GoReading extends Reading {
  readonly moduleScope = new Scope("module", null);
  /** Packages imported with a dot. */
  readonly dotted: string[] = [];

  protected override openScope(node: SyntaxNode, outer: Scope | null): Scope {
    if (!outer) return this.moduleScope;
    if (FUNCTIONS.has(node.type)) return new Scope("function", outer);
    return BLOCKS.has(node.type) ? new Scope("block", outer) : outer;
  }

  protected override bind(node: SyntaxNode, scope: Scope): void {
    const put = (identifier: SyntaxNode, read: () => Values, into = scope) =>
      into.bind(this.textOf(identifier), { read, at: -1, sure: true });
    switch (node.type) {
      case "import_spec":
        this.#bindImport(node);
        break;
      case "short_var_declaration":
      case "assignment_statement":
      case "var_spec":
      case "const_spec": {
        const left = child(node, "left");
        const names = left ? namedChildren(left) : node.children.filter(({ field }) => field === "name");
        const right = child(node, "right") ?? child(node, "value");
        const values = right ? namedChildren(right) : [];
        names.forEach((target, index) => {
          const value = values.length === names.length ? values[index] : undefined;
          const read = () => (value ? this.evaluate(value, scope) : UNKNOWNS);
          if (target.type === "identifier")
            put(target, read, node.type === "assignment_statement" ? holderOf(scope, this.textOf(target)) : scope);
          const field = child(target, "field");
          if (field) this.remember(this.textOf(field), read);
        });
        break;
      }
      case "range_clause":
      case "parameter_declaration":
      case "variadic_parameter_declaration": {
        const left = child(node, "left");
        const names = left ? namedChildren(left) : node.children.filter(({ field }) => field === "name");
        for (const one of names) if (one.type === "identifier") put(one, () => UNKNOWNS);
        break;
      }
      case "function_declaration": {
        const named = child(node, "name");
        if (named) put(named, () => [{ kind: "function", node, scope }]);
        break;
      }
      case "keyed_element": {
        const [key, value] = namedChildren(node);
        const inner = value && namedChildren(value)[0];
        if (key && inner) this.remember(this.textOf(key), () => this.evaluate(inner, scope));
        break;
      }
    }
  }

  protected override isConditional(): boolean {
    return false;
  }

  protected override read(node: SyntaxNode, scope: Scope): Values {
    return readGo(this, node, scope);
  }

  protected override use(node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
    useGo(this, node, scope, parent);
  }

  /** Files of a package are not followed: a name without its package is one of its own. */
  override exported(): Values {
    return [];
  }

  #bindImport(node: SyntaxNode): void {
    const path = child(node, "path");
    const alias = child(node, "name");
    const whole = path ? wholeText(this.evaluate(path, this.moduleScope)[0]) : null;
    if (whole === null) return;
    if (alias?.type === "dot") this.dotted.push(whole);
    // The last part of the path is the name, without a version: `math/rand/v2` is rand.
    const standard =
      whole
        .replace(/\/v\d+$/, "")
        .split("/")
        .at(-1) ?? whole;
    const bound = alias ? this.textOf(alias) : standard;
    this.moduleScope.bind(bound, { read: () => [name(whole)], at: -1, sure: true });
  }
}

function holderOf(scope: Scope, identifier: string): Scope {
  let holder: Scope = scope;
  while (holder.bindingsOf(identifier).length === 0 && holder.parent) holder = holder.parent;
  return holder;
}
