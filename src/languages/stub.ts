import type { TestUses } from "./test-uses.ts";

/**
 * Kinds of replacements for code that does not exist yet. `raising`: says that it is not implemented. `default`: gives
 * the smallest value of its type. `sentinel`: gives something that equals nothing else.
 */
const STUB_KINDS = ["raising", "default", "sentinel"] as const;
export type StubKind = (typeof STUB_KINDS)[number];

/** A module that tests need and that the base tree lacks, wholly or in part. */
export interface Missing {
  path: string;
  /** The module in the base tree; null if there is none. */
  existing: string | null;
  names: MissingName[];
  /** True if it is started as a program. */
  program: boolean;
  /** For a language that says it in each file: the package of the file, and its imports by name. */
  package?: { name: string; imports: Record<string, string> };
}

export interface MissingName {
  name: string;
  shape: "function" | "async-function" | "class" | "error" | "value" | "method" | "field";
  /** The type that the tests compare it with. Its default is the smallest value of that type. */
  type: "text" | "number" | "list" | "map" | "truth" | "unknown";
  /** In a typed language: the types of its results, or its own type. */
  types?: string[];
  /** In such a language: how many type parameters it has. */
  open?: number;
}

/** The base tree, as far as it must be looked at. */
export interface BaseTree {
  has(path: string): boolean;
  hasDirectory(path: string): boolean;
  read(path: string): string | null;
  /** The files of a directory itself; the root is "". */
  list(directory: string): string[];
}

export function describeName(name: string, uses: TestUses, testText: string): MissingName {
  const type = comparedWith(name, testText);
  if (uses.errors.has(name) || /(Error|Exception)$/.test(name)) return { name, shape: "error", type };
  if (/^[A-Z][a-z]/.test(name)) return { name, shape: "class", type };
  if (uses.awaited.has(name)) return { name, shape: "async-function", type };
  return { name, shape: uses.called.has(name) || name === "default" ? "function" : "value", type };
}

const TYPES: [RegExp, MissingName["type"]][] = [
  [/^[frb]?["'`]/, "text"],
  [/^-?\d/, "number"],
  [/^[[(]/, "list"],
  [/^\{/, "map"],
  [/^(True|False|true|false)/, "truth"],
];

/** `add(2, 3) == 5`, `assert.equal(add(2, 3), 5)`: recognised by the form of the line. */
function comparedWith(name: string, text: string): MissingName["type"] {
  const plain = name.replace(/[^\w$]/g, "");
  const beside =
    new RegExp(`\\b${plain.replaceAll("$", "\\$")}\\([^\\n]*?\\)\\s*(?:==|,)\\s*([^\\s=][^\\n]*)`).exec(text)?.[1] ??
    "";
  return TYPES.find(([pattern]) => pattern.test(beside))?.[1] ?? "unknown";
}

/** One entry for each module, with everything that any test file needs of it. */
export function mergeMissing(all: Missing[]): Missing[] {
  const byPath = new Map<string, Missing>();
  for (const one of all) {
    const known = byPath.get(one.path);
    const names = [...(known?.names ?? []), ...one.names];
    const unique = [...new Map(names.map((name) => [name.name, name])).values()];
    const imports = { ...known?.package?.imports, ...one.package?.imports };
    byPath.set(one.path, {
      ...one,
      names: unique,
      program: one.program || (known?.program ?? false),
      ...(one.package && { package: { ...one.package, imports } }),
    });
  }
  return [...byPath.values()];
}

/** A program that is not implemented ends with an exit code that no program would choose. */
export const NOT_IMPLEMENTED_CODE = 86;
export const SENTINEL = "opaque-sentinel";
