import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Put, Scope } from "../reading/scope.ts";
import { each, eachPair, itemAt, UNKNOWNS, type Values } from "../reading/value.ts";
import { itemOf, memberOf } from "./python-members.ts";

/** What the names in `case object(system=go):` are, of what is matched. */
export function bindCase(
  reading: FileReading,
  pattern: SyntaxNode,
  read: () => Values,
  scope: Scope,
  put: Put,
  depth = 0,
): void {
  const parts = namedChildren(pattern);
  const [first, second] = parts;
  const inner = (one: SyntaxNode | undefined, values: () => Values) => {
    if (one && depth < DEEPEST_PATTERN) bindCase(reading, one, values, scope, put, depth + 1);
  };
  switch (pattern.type) {
    case "identifier":
      put(pattern, read);
      return;
    case "dotted_name":
      // A name with a dot is compared and not bound.
      if (first && !second) put(first, read);
      return;
    case "case_pattern":
    case "union_pattern":
    case "splat_pattern":
      for (const one of parts) inner(one, pattern.type === "splat_pattern" ? () => UNKNOWNS : read);
      return;
    case "as_pattern":
      for (const one of parts) inner(one, read);
      return;
    case "list_pattern":
    case "tuple_pattern":
      parts.forEach((one, index) => {
        inner(one, pattern.type === "tuple_pattern" && parts.length === 1 ? read : () => itemAt(read(), index));
      });
      return;
    case "class_pattern":
      // Positions are named by the class; of the builtin ones the first is the object itself.
      for (const one of parts.slice(1)) inner(one, read);
      return;
    case "keyword_pattern":
      if (first)
        inner(second, () => each(read(), (value) => memberOf(reading, value, reading.identifier(first), true)));
      return;
    case "dict_pattern": {
      const keys = pattern.children.filter(({ field }) => field === "key");
      const values = pattern.children.filter(({ field }) => field === "value");
      keys.forEach((key, index) => {
        const of = () => eachPair(reading.evaluate(key, scope), read(), (one, value) => itemOf(reading, value, one));
        inner(values[index], of);
      });
      const rest = child(pattern, "splat") ?? parts.find(({ type }) => type === "splat_pattern");
      if (rest) inner(rest, read);
    }
  }
}

const DEEPEST_PATTERN = 32;
