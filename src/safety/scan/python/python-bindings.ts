import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Put, Scope } from "../reading/scope.ts";
import { itemAt, itemsOf, UNKNOWNS, union, type Values } from "../reading/value.ts";
import { canonical } from "./python-members.ts";
import { bindCase } from "./python-patterns.ts";

/** What a node binds, if it binds anything. */
export function bindPython(reading: FileReading, node: SyntaxNode, scope: Scope, sure: boolean): void {
  const put = (identifier: SyntaxNode, read: () => Values, where = scope.ofFunction) =>
    where.bind(reading.identifier(identifier), { read, at: node.from, sure });
  switch (node.type) {
    case "assignment":
    case "named_expression": {
      const left = child(node, "left") ?? child(node, "name");
      const right = child(node, "right") ?? child(node, "value");
      if (left && right) bindTarget(reading, left, () => reading.evaluate(right, scope), scope, put);
      break;
    }
    case "augmented_assignment": {
      const left = child(node, "left");
      const right = child(node, "right");
      if (left && right) bindTarget(reading, left, () => reading.evaluate(node, scope), scope, put);
      break;
    }
    case "for_statement":
    case "for_in_clause": {
      const left = child(node, "left");
      const right = child(node, "right");
      // The variable of a comprehension is its own; that of a loop stays.
      const into = node.type === "for_in_clause" ? scope : scope.ofFunction;
      const putHere = (identifier: SyntaxNode, read: () => Values) => put(identifier, read, into);
      if (left && right) {
        bindTarget(reading, left, () => itemsOf(reading.evaluate(right, scope)), scope, putHere);
      }
      break;
    }
    case "as_pattern": {
      const target = child(node, "alias")?.children[0];
      const [source] = node.children;
      if (target && source) bindTarget(reading, target, () => reading.evaluate(source, scope), scope, put);
      break;
    }
    case "match_statement": {
      const subject = child(node, "subject");
      const clauses = child(node, "body")?.children ?? [];
      for (const pattern of clauses.flatMap(({ children }) => children)) {
        if (pattern.type !== "case_pattern") continue;
        bindCase(reading, pattern, () => (subject ? reading.evaluate(subject, scope) : UNKNOWNS), scope, put);
      }
      break;
    }
    case "function_definition":
    case "class_definition": {
      const named = child(node, "name");
      const inside = reading.scopeOf(node, scope);
      if (named) {
        put(named, () => [{ kind: "function", node }]);
        if (scope.kind === "class") {
          reading.remember(reading.identifier(named), () => [{ kind: "function", node }]);
        }
      }
      bindParameters(reading, node, inside);
      break;
    }
    case "lambda":
      bindParameters(reading, node, reading.scopeOf(node, scope));
      break;
    case "global_statement":
      for (const one of namedChildren(node)) scope.ofFunction.redirect(reading.identifier(one), scope.module);
      break;
    case "nonlocal_statement":
      if (scope.parent) {
        for (const one of namedChildren(node))
          scope.ofFunction.redirect(reading.identifier(one), scope.parent.ofFunction);
      }
      break;
    case "import_statement":
    case "import_from_statement":
      bindImports(reading, node, put);
      break;
  }
}

/** Unpacks `a, (b, *c), d.e, f[g] = …` name by name. */
function bindTarget(reading: FileReading, target: SyntaxNode, read: () => Values, scope: Scope, put: Put): void {
  switch (target.type) {
    case "identifier":
      put(target, read);
      // Also an attribute of the class, found as `self.x`.
      if (scope.kind === "class") reading.remember(reading.identifier(target), read);
      return;
    case "attribute": {
      const attribute = child(target, "attribute");
      if (attribute) reading.remember(reading.identifier(attribute), read);
      return;
    }
    case "subscript": {
      const key = child(target, "subscript");
      if (key) {
        for (const value of reading.evaluate(key, scope)) if (value.kind === "text") reading.remember(value.text, read);
      }
      return;
    }
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "tuple":
    case "list":
    case "expression_list":
    case "parenthesized_expression":
      namedChildren(target).forEach((one, index) => {
        if (target.type === "parenthesized_expression") bindTarget(reading, one, read, scope, put);
        else if (one.type.startsWith("list_splat")) bindTarget(reading, one, read, scope, put);
        else bindTarget(reading, one, () => itemAt(read(), index), scope, put);
      });
      return;
    case "list_splat_pattern":
    case "list_splat":
    case "as_pattern_target": {
      const [inner] = namedChildren(target);
      if (inner) bindTarget(reading, inner, read, scope, put);
    }
  }
}

function bindParameters(reading: FileReading, node: SyntaxNode, inside: Scope): void {
  const parameters = child(node, "parameters");
  for (const one of parameters ? namedChildren(parameters) : []) {
    const plain = one.type === "identifier" ? one : (child(one, "name") ?? firstIdentifier(one));
    const standard = child(one, "value");
    if (!plain) continue;
    inside.bind(reading.identifier(plain), {
      read: () => (standard ? union(reading.evaluate(standard, inside.parent ?? inside), UNKNOWNS) : UNKNOWNS),
      at: one.from,
      sure: true,
    });
  }
}

function firstIdentifier(node: SyntaxNode): SyntaxNode | undefined {
  const [first] = namedChildren(node);
  return first?.type === "identifier" ? first : first && namedChildren(first).find(({ type }) => type === "identifier");
}

function bindImports(reading: FileReading, node: SyntaxNode, put: Put): void {
  const from = child(node, "module_name");
  const module = from ? reading.identifier(from).replace(/\s/g, "") : null;
  if (module !== null && node.children.some(({ type }) => type === "wildcard_import")) reading.starred.push(module);
  for (const one of node.children.filter(({ field }) => field === "name")) {
    const path = one.type === "aliased_import" ? child(one, "name") : one;
    const alias = one.type === "aliased_import" ? child(one, "alias") : undefined;
    const [first] = path ? namedChildren(path) : [];
    if (!path || !first) continue;
    const dotted = reading.identifier(path).replace(/\s/g, "");
    const whole = module === null ? dotted : `${module}${module.endsWith(".") ? "" : "."}${dotted}`;
    const read = (path: string) => (): Values =>
      union([canonical(path)], module === null ? [] : reading.fromElsewhere(module, dotted));
    // `import a.b` binds a; `import a.b as c` binds c to a.b.
    if (alias) put(alias, read(whole));
    else put(first, read(module === null ? reading.identifier(first) : whole));
  }
}
