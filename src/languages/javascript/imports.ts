import { fieldOf, stringText, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import type { ImportUse } from "../test-uses.ts";

/** One import with the names it gets here. */
export interface ModuleImport extends ImportUse {
  local: { alias: string; name: string | null }[];
}

export function readImport(text: string, node: SyntaxNode): ModuleImport[] {
  if (node.type === "import_statement") {
    const source = fieldOf(node, "source");
    const module = source ? stringText(text, source) : null;
    const clause = node.children.find((child) => child.type === "import_clause");
    if (module === null) return [];
    const local = [...(clause ? within(clause) : [])].flatMap((part): ModuleImport["local"] => {
      if (part.type === "import_specifier") {
        const name = fieldOf(part, "name");
        const alias = fieldOf(part, "alias") ?? name;
        return name && alias ? [{ alias: textOf(text, alias), name: textOf(text, name) }] : [];
      }
      if (part.type === "namespace_import") {
        const alias = part.children.find((child) => child.type === "identifier");
        return alias ? [{ alias: textOf(text, alias), name: null }] : [];
      }
      return [];
    });
    const byDefault = clause?.children.find((child) => child.type === "identifier");
    if (byDefault) local.push({ alias: textOf(text, byDefault), name: "default" });
    return [{ module, names: namesOf(local), whole: local.some(({ name }) => name === null), local }];
  }
  const called = node.type === "call_expression" ? calleeOf(node) : undefined;
  if (!called || (textOf(text, called) !== "require" && called.type !== "import")) return [];
  const [first] = argumentsOf(node);
  const module = first ? stringText(text, first) : null;
  return module === null ? [] : [{ module, ...boundTo(text, node) }];
}

/** `const { a, b: c } = require("./x")` and the like: found by looking at what stands before it. */
function boundTo(text: string, node: SyntaxNode): Pick<ModuleImport, "names" | "whole" | "local"> {
  const before = /(?:const|let|var)\s+(\{[^}]*\}|[\w$]+)\s*=\s*(?:await\s+)?$/.exec(
    text.slice(Math.max(0, node.from - 400), node.from),
  );
  const target = before?.[1] ?? "";
  if (!target.startsWith("{"))
    return { names: [], whole: true, local: target === "" ? [] : [{ alias: target, name: null }] };
  const local = target
    .slice(1, -1)
    .split(",")
    .map((part) => part.split(":").map((word) => word.trim()))
    .filter(([name]) => name !== undefined && name !== "")
    .map(([name = "", alias]) => ({ name, alias: alias ?? name }));
  return { names: namesOf(local), whole: false, local };
}

const namesOf = (local: ModuleImport["local"]): string[] => local.flatMap(({ name }) => name ?? []);
