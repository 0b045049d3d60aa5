import { posix } from "node:path";
import { readJson } from "../../domain/json.ts";

/** Files that a manifest gives to whoever uses the package: entry points, exports, aliases, scripts that start it. */
export function manifestImports(path: string, text: string): Set<string> {
  const name = posix.basename(path);
  if (name === "package.json") return packageTargets(posix.dirname(path), text);
  if (!/^(pyproject\.toml|setup\.cfg|setup\.py)$/.test(name)) return new Set();
  return new Set([...text.matchAll(ENTRY)].map(([, module = ""]) => module.replaceAll(".", "/")));
}

/** `vat = "spec.price:main"`. */
const ENTRY = /=\s*["']?([A-Za-z_][\w.]*)\s*:\s*[A-Za-z_][\w.]*/g;

const FIELDS = ["main", "module", "browser", "bin", "exports", "imports"];
const STARTING = /^(start|serve|dev|build|prepare|prepack|prepublish\w*|(pre|post)?install)$/;

/** A pattern (`./spec/*`) stands for all that is in a folder: `spec/*`. */
function packageTargets(folder: string, text: string): Set<string> {
  const manifest = readJson(text);
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) return new Set();
  const fields = new Map<string, unknown>(Object.entries(manifest));
  const scripts = Object.entries(fields.get("scripts") ?? {}).filter(([name]) => STARTING.test(name));
  const words = [
    ...FIELDS.flatMap((field) => stringsIn(fields.get(field))),
    ...scripts.flatMap(([, command]) => (typeof command === "string" ? command.split(/\s+/) : [])),
  ];
  const files = words.filter((word) => /\.[cm]?[jt]sx?$|\/\*/.test(word));
  return new Set(
    files.map((word) =>
      posix
        .join(folder, word)
        .replace(/\.[cm]?[jt]sx?$/, "")
        .replace(/\/\*.*$/, "/*"),
    ),
  );
}

const stringsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];
