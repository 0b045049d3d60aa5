import { posix } from "node:path";

/** Files that a text of code may import, as far as its words tell: paths without their ending, from the root. */
export function importedFiles(path: string, text: string): Set<string> {
  if (path.endsWith(".py")) return pythonImports(path, text);
  return /\.[cm]?[jt]sx?$/.test(path) ? scriptImports(path, text) : new Set();
}

/** The same form for a file itself: `src/shop/__init__.py` is `shop`, `lib/index.js` is `lib`. */
export function importedAs(path: string): string[] {
  const bare = path.replace(/\.[cm]?[jt]sx?$|\.py$/, "").replace(/\/(__init__|index)$/, "");
  return [...new Set([bare, bare.replace(/^src\//, "")])];
}

const FROM = /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)/gm;
const IMPORT = /^[ \t]*import[ \t]+([^\n#]*)/gm;

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
  return found;
}

const SPECIFIER = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](\.[^"'`\n]*)["'`]/g;

function scriptImports(path: string, text: string): Set<string> {
  return new Set(
    [...text.matchAll(SPECIFIER)].flatMap(([, specifier = ""]) =>
      importedAs(posix.join(posix.dirname(path), specifier)),
    ),
  );
}
