import type { TestUses } from "./test-uses.ts";

/**
 * What stands in the place of code that does not exist yet. `raising`: it says that it is not implemented. `default`: it
 * gives the least value there is. `sentinel`: it gives something that is equal to nothing else.
 */
const STUB_KINDS = ["raising", "default", "sentinel"] as const;
export type StubKind = (typeof STUB_KINDS)[number];

/** A module that tests need and the base tree does not have, wholly or in part. */
export interface Missing {
  path: string;
  /** The module as it is in the base tree; null when there is none. */
  existing: string | null;
  names: MissingName[];
  /** Started as a program. */
  program: boolean;
  /** Where a language says it in each file: the package it belongs to, and what it imports by which name. */
  package?: { name: string; imports: Record<string, string> };
}

export interface MissingName {
  name: string;
  shape: "function" | "async-function" | "class" | "error" | "value" | "method" | "field";
  /** What it is compared with, as far as the tests show: the least value of that type is its default. */
  type: "text" | "number" | "list" | "map" | "truth" | "unknown";
  /** In a language of written types: of its results, or of itself. */
  types?: string[];
  /** How many types it is left open to choose, in such a language. */
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

/** `add(2, 3) == 5`, `assert.equal(add(2, 3), 5)`: by the look of the line. */
function comparedWith(name: string, text: string): MissingName["type"] {
  const plain = name.replace(/[^\w$]/g, "");
  const beside =
    new RegExp(`\\b${plain.replaceAll("$", "\\$")}\\([^\\n]*?\\)\\s*(?:==|,)\\s*([^\\s=][^\\n]*)`).exec(text)?.[1] ??
    "";
  return TYPES.find(([pattern]) => pattern.test(beside))?.[1] ?? "unknown";
}

/** One entry for each module, with everything that any test file wants of it. */
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

/** A program that is not implemented ends with a code that no program chooses. */
export const NOT_IMPLEMENTED_CODE = 86;
export const SENTINEL = "opaque-sentinel";
