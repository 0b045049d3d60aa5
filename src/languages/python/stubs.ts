import { fieldOf, fieldsOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode, SyntaxParsers } from "../../syntax/parse.ts";
import type { SourceFile } from "../language.ts";
import {
  type BaseTree,
  describeName,
  type Missing,
  type MissingName,
  NOT_IMPLEMENTED_CODE,
  SENTINEL,
  type StubKind,
} from "../stub.ts";
import type { ImportUse, TestUses } from "../test-uses.ts";

/** What a pytest file needs and the base tree lacks. */
export async function missingPython(
  file: SourceFile,
  uses: TestUses,
  base: BaseTree,
  parsers: SyntaxParsers,
): Promise<Missing[]> {
  const found: Missing[] = [];
  for (const use of uses.imports) {
    const place = placeOf(use, file.path, base);
    if (place === null) continue;
    const existing = base.read(place);
    const defined = existing === null ? new Set<string>() : await definitions(parsers, existing);
    if (defined === "anything") continue;
    const directory = place.replace(/(\/__init__)?\.py$/, "");
    const isModule = (name: string) => base.has(`${directory}/${name}.py`) || base.hasDirectory(`${directory}/${name}`);
    const names = use.names.filter((name) => name !== "*" && !defined.has(name) && !isModule(name));
    if (existing !== null && names.length === 0) continue;
    if (existing === null && base.hasDirectory(directory) && names.length === 0) continue;
    found.push({
      path: place,
      existing,
      names: names.map((name) => describeName(name, uses, file.content)),
      program: false,
    });
  }
  for (const program of uses.programs) {
    const bare = program.replace(/^\.\//, "").replace(/^\/workspace\//, "");
    const path = base.hasDirectory(bare.replace(/\.py$/, "")) ? bare.replace(/\.py$/, "/__main__.py") : bare;
    if (!path.startsWith("/") && !base.has(path) && !base.has(`src/${path}`))
      found.push({ path, existing: null, names: [], program: true });
  }
  return found;
}

/** Where a module is, or would be. */
function placeOf({ module }: ImportUse, testPath: string, base: BaseTree): string | null {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module
    .slice(dots)
    .split(".")
    .filter((part) => part !== "");
  const folders = testPath.split("/").slice(0, -1);
  const own = dots > 0 ? folders.slice(0, folders.length - (dots - 1)) : [];
  if (parts.length === 0) return null;
  const beside = dots === 0 ? [folders.join("/")] : [];
  const roots = dots > 0 ? [own.join("/")] : ["", "src", ...beside];
  const join = (root: string) => [...(root === "" ? [] : [root]), ...parts].join("/");
  for (const root of roots) {
    const path = join(root);
    if (base.has(`${path}.py`)) return `${path}.py`;
    if (base.has(`${path}/__init__.py`)) return `${path}/__init__.py`;
  }
  const [top = ""] = parts;
  const root = roots.find((one) => base.hasDirectory(one === "" ? top : `${one}/${top}`)) ?? roots[0] ?? "";
  return base.hasDirectory(join(root)) ? `${join(root)}/__init__.py` : `${join(root)}.py`;
}

/** Names at the top of a module; "anything" if they are decided at run time. */
async function definitions(parsers: SyntaxParsers, text: string): Promise<Set<string> | "anything"> {
  const { root } = await parsers.parse("python", text);
  const names = new Set<string>();
  let open = false;
  const look = (node: SyntaxNode): void => {
    for (const child of node.children) {
      if (child.type === "function_definition" || child.type === "class_definition") {
        const name = fieldOf(child, "name");
        if (name) names.add(textOf(text, name));
        continue;
      }
      if (child.type === "wildcard_import") open = true;
      if (child.type === "assignment") {
        const left = fieldOf(child, "left");
        for (const one of left ? within(left) : []) if (one.type === "identifier") names.add(textOf(text, one));
        continue;
      }
      if (child.type === "import_statement" || child.type === "import_from_statement") {
        for (const one of fieldsOf(child, "name")) {
          const alias = one.type === "aliased_import" ? fieldOf(one, "alias") : one;
          if (alias) names.add(textOf(text, alias).split(".")[0] ?? "");
        }
      }
      look(child);
    }
  };
  look(root);
  return open || names.has("__getattr__") ? "anything" : names;
}

/** The module as a stub: its existing code stays, and the missing names are appended. */
export function pythonStub({ existing, names, program }: Missing, kind: StubKind): string {
  const parts = [existing ?? "", SUPPORT[kind], ...names.map((name) => definition(name, kind))];
  if (program || existing === null) parts.push(main(kind));
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const SUPPORT: Record<StubKind, string> = {
  raising: `
def _not_implemented(*args, **kwargs):
    raise NotImplementedError("not implemented")


class _NotImplementedValue:
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = _not_implemented
    __call__ = __add__ = __radd__ = __sub__ = __mul__ = __float__ = __int__ = __str__ = _not_implemented
    __hash__ = object.__hash__

    def __getattr__(self, name):
        raise NotImplementedError("not implemented")`.trim(),
  default: "",
  sentinel: "class _Opaque:\n    __slots__ = ()\n\n\n_opaque = _Opaque()",
};

const DEFAULTS: Record<MissingName["type"], string> = {
  text: '""',
  number: "0",
  list: "[]",
  map: "{}",
  truth: "False",
  unknown: "None",
};

function definition({ name, shape, type }: MissingName, kind: StubKind): string {
  if (shape === "error") return `class ${name}(Exception):\n    pass`;
  const value = kind === "sentinel" ? "_opaque" : DEFAULTS[type];
  const body = kind === "raising" ? 'raise NotImplementedError("not implemented")' : `return ${value}`;
  if (shape === "function") return `def ${name}(*args, **kwargs):\n    ${body}`;
  if (shape === "async-function") return `async def ${name}(*args, **kwargs):\n    ${body}`;
  if (shape === "value") return `${name} = ${kind === "raising" ? "_NotImplementedValue()" : value}`;
  // It can be constructed, so that a fixture can do so. Each member is then a stub.
  const member = kind === "raising" ? "_NotImplementedValue()" : kind === "sentinel" ? "_Answers()" : "_Answers()";
  return `
class _Meta${name}(type):
    def __getattr__(cls, name):
        return ${name}._member(name)


class _Answers:
    def __call__(self, *args, **kwargs):
        ${body}

    def __eq__(self, other):
        return ${kind === "raising" ? "_not_implemented()" : `${value} == other`}

    __hash__ = object.__hash__

    def __bool__(self):
        return ${kind === "raising" ? "_not_implemented()" : `bool(${value})`}


class ${name}(metaclass=_Meta${name}):
    def __init__(self, *args, **kwargs):
        pass

    @staticmethod
    def _member(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return ${member}

    def __getattr__(self, name):
        return ${name}._member(name)`.trim();
}

function main(kind: StubKind): string {
  const body = {
    raising: `import sys\n    sys.stderr.write("not implemented\\n")\n    sys.exit(${NOT_IMPLEMENTED_CODE})`,
    default: "pass",
    sentinel: `print("${SENTINEL}")`,
  }[kind];
  return `if __name__ == "__main__":\n    ${body}`;
}
