import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import { name, UNKNOWNS, type Values, wholeText } from "../reading/value.ts";

/** What a node binds, if it binds anything. */
export function bindGo(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const put = (identifier: SyntaxNode, read: () => Values, into = scope) =>
    into.bind(reading.textOf(identifier), { read, at: -1, sure: true });
  switch (node.type) {
    case "import_spec":
      bindImport(reading, node);
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
        const read = () => (value ? reading.evaluate(value, scope) : UNKNOWNS);
        if (target.type === "identifier")
          put(target, read, node.type === "assignment_statement" ? scope.holding(reading.textOf(target)) : scope);
        const field = child(target, "field");
        if (field) reading.remember(reading.textOf(field), read);
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
      if (named) put(named, () => [{ kind: "function", node }]);
      break;
    }
    case "keyed_element": {
      const [key, value] = namedChildren(node);
      const inner = value && namedChildren(value)[0];
      if (key && inner) reading.remember(reading.textOf(key), () => reading.evaluate(inner, scope));
      break;
    }
  }
}

function bindImport(reading: FileReading, node: SyntaxNode): void {
  const path = child(node, "path");
  const alias = child(node, "name");
  const whole = path ? wholeText(reading.evaluate(path, reading.moduleScope)[0]) : null;
  if (whole === null) return;
  if (alias?.type === "dot") reading.starred.push(whole);
  // The last part of the path is the name, without a version: `math/rand/v2` is rand.
  const standard =
    whole
      .replace(/\/v\d+$/, "")
      .split("/")
      .at(-1) ?? whole;
  const bound = alias ? reading.textOf(alias) : standard;
  reading.moduleScope.bind(bound, { read: () => [name(whole)], at: -1, sure: true });
}
