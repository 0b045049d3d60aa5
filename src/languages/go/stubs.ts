import { posix } from "node:path";
import { fieldOf, fieldsOf, replaceAll, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode, SyntaxParsers } from "../../syntax/parse.ts";
import type { SourceFile } from "../language.ts";
import type { BaseTree, Missing } from "../stub.ts";
import type { TestUses } from "../test-uses.ts";
import { declaredNames, importsOf } from "./declared-names.ts";
import { type KnownFunction, type KnownPackage, PackageUses } from "./package-uses.ts";
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
    const reading = new PackageUses(file.content, root, alias, known);
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
    found.push(
      ...outOfTheWay(
        missing.flatMap(({ name }) => known.functions.get(name) ?? []),
        base,
      ),
    );
  }
  return found;
}

/** Functions that are to take or give something else keep their code under another name, as somebody may still need it. */
function outOfTheWay(functions: KnownFunction[], base: BaseTree): Missing[] {
  return [...Map.groupBy(functions, ({ path }) => path)].map(([path, own]) => {
    const edits = own.map(({ at }) => ({ from: at, to: at, text: "zz" }));
    return { path, existing: replaceAll(base.read(path) ?? "", edits), names: [], program: false };
  });
}

const ownDirectory = (path: string): string => (path.includes("/") ? posix.dirname(path) : "");

function directoryOf(path: string, module: string): string | null {
  if (module === "" || (path !== module && !path.startsWith(`${module}/`))) return null;
  return path.slice(module.length + 1);
}

async function packageIn(
  directory: string,
  base: BaseTree,
  parsers: SyntaxParsers,
  besides: string,
): Promise<KnownPackage> {
  const known: KnownPackage = { name: "", declared: new Set(), gives: new Map(), functions: new Map() };
  for (const path of base.list(directory).filter((one) => one.endsWith(".go") && one !== besides)) {
    const text = base.read(path) ?? "";
    const { root } = await parsers.parse("go", text);
    if (!path.endsWith("_test.go")) known.name = packageName(text, root);
    for (const name of declaredNames(text, root)) known.declared.add(name);
    for (const node of root.children) {
      const [name, result] = [fieldOf(node, "name"), fieldOf(node, "result")];
      const type = [...(result ? within(result) : [])].find((one) => one.type === "type_identifier");
      if (node.type !== "function_declaration" || !name) continue;
      if (type) known.gives.set(textOf(text, name), textOf(text, type));
      const counts = { parameters: countOf(fieldOf(node, "parameters")), results: result ? (countOf(result) ?? 1) : 0 };
      known.functions.set(textOf(text, name), { path, at: name.from, ...counts });
    }
  }
  return known;
}

/** How many values a list of parameters or results stands for; null where it is left open. */
function countOf(list: SyntaxNode | undefined): number | null {
  if (list?.type !== "parameter_list") return 1;
  if (list.children.some(({ type }) => type === "variadic_parameter_declaration")) return null;
  const parts = list.children.filter(({ type }) => type === "parameter_declaration");
  return parts.reduce((sum, one) => sum + Math.max(1, fieldsOf(one, "name").filter(({ named }) => named).length), 0);
}
