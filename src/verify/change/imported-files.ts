import { posix } from "node:path";
import { manifestImports } from "./manifest-imports.ts";

/** Files that a text may import, as far as its words tell: paths without their ending, from the root; of Go folders. */
export function importedFiles(path: string, text: string): Set<string> {
  if (path.endsWith(".py")) return pythonImports(path, text);
  if (path.endsWith(".go")) return goImports(path, text);
  return /\.[cm]?[jt]sx?$/.test(path) ? scriptImports(path, text) : manifestImports(path, text);
}

/** The same form for a file itself: `src/shop/__init__.py` is `shop`, `lib/index.js` is `lib`. */
export function importedAs(path: string): string[] {
  if (path.endsWith(".go")) return path.endsWith("_test.go") ? [] : [posix.dirname(path)];
  const bare = path.replace(/\.[cm]?[jt]sx?$|\.py$/, "").replace(/\/(__init__|index)$/, "");
  return [...new Set([bare, bare.replace(/^src\//, "")])];
}

const FROM = /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)/gm;
const IMPORT = /^[ \t]*import[ \t]+([^\n#]*)/gm;
/** The name of a module as a text: `import_module("shop.price")`, `"shop.price:main"`. */
const WRITTEN = /import_module\(\s*["']([\w.]+)["']|["']([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?::\w+)?["']/g;

function pythonImports(path: string, text: string): Set<string> {
  const found = new Set<string>();
  const add = (module: string, names: string[]) => {
    const place = module.replaceAll(".", "/").replace(/^src\//, "");
    // A package runs before what is in it.
    for (let at = place; at !== "." && at !== ""; at = posix.dirname(at)) found.add(at);
    for (const name of names) found.add(place === "" ? name : `${place}/${name}`);
  };
  for (const [, dots = "", module = "", list = ""] of text.matchAll(FROM)) {
    const names = [...list.matchAll(/(\w+)(?:\s+as\s+\w+)?/g)].flatMap((match) => match[1] ?? []);
    const up = posix.join(
      posix.dirname(path),
      ...dots
        .slice(1)
        .split("")
        .map(() => ".."),
    );
    const around = dots === "" ? "" : up === "." ? "" : up;
    add([around, module.replaceAll(".", "/")].filter((part) => part !== "").join("/"), names);
  }
  for (const [, list = ""] of text.matchAll(IMPORT))
    for (const one of list.split(",")) add(/[\w.]+/.exec(one)?.[0] ?? "", []);
  for (const [, loaded, said] of text.matchAll(WRITTEN)) {
    const place = (loaded ?? said ?? "").replaceAll(".", "/");
    found.add(place);
    // The last name may be one of the module's.
    if (loaded === undefined && place.split("/").length > 2) found.add(posix.dirname(place));
  }
  return found;
}

const SPECIFIER = /(?:\bfrom|\bimport|\brequire|\bURL|\bWorker|\bfork)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g;

function scriptImports(path: string, text: string): Set<string> {
  return new Set(
    [...text.matchAll(SPECIFIER)].flatMap(([, specifier = ""]) =>
      specifier.startsWith(".") ? importedAs(posix.join(posix.dirname(path), specifier)) : aliased(specifier),
    ),
  );
}

/** `#spec/price.js`, `@/spec/price`, `@app/spec/price`, `shop/spec/price`: what stands for its beginning is not known. */
function aliased(specifier: string): string[] {
  const isAlias = /^([#~]|@\/)/.test(specifier);
  const parts = specifier.replace(/^(#|~|@)\/?/, "").split("/");
  const ends = parts.map((_, index) => parts.slice(index));
  return ends.filter((end) => end.length > 1 || isAlias).flatMap((end) => importedAs(end.join("/")));
}

const GO_IMPORT = /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w.-]+(?:\/[\w.-]+)+)"/gm;

/** A package is named by the module and its folder. Tests beside the code of a package say nothing of whose it is. */
function goImports(path: string, text: string): Set<string> {
  const folders = [...text.matchAll(GO_IMPORT)].flatMap(([, name = ""]) => {
    const parts = name.split("/");
    return parts.map((_, index) => parts.slice(index).join("/")).slice(1);
  });
  return new Set(folders.filter((folder) => folder !== posix.dirname(path)));
}
