import type { UnitChange } from "../change/compare-units.ts";

/** What Python gives to every module, but for exceptions and constants. */
const OF_PYTHON = new Set(
  `abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict
  dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
  isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range
  repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip`.split(/\s+/),
);
const OF_SCRIPTS = new Set(Object.getOwnPropertyNames(globalThis));

/**
 * The line of the old text that used a new name for something else: what the language brings, or what the file imports.
 * With the new name there it means another thing, though its own text is the same. Null: there is none.
 */
export function takenOver(
  { kind, relation, name, path }: Pick<UnitChange, "kind" | "relation" | "name" | "path">,
  before: string | null,
): number | null {
  if (before === null || relation !== "added" || kind === "docs" || !/^[\w$]+$/.test(name)) return null;
  const said = RegExp.escape(name);
  const isOfLanguage = (path.endsWith(".py") ? OF_PYTHON : OF_SCRIPTS).has(name);
  if (!isOfLanguage && !bindsByImport(said, before)) return null;
  const uses = new RegExp(`(?<![\\w$.'"])(?<!\\b(?:def|class|function|import|const|let|var)\\s+)${said}\\s*[.(\\[]`);
  const at = before.split("\n").findIndex((line) => uses.test(line));
  return at < 0 ? null : at + 1;
}

const bindsByImport = (said: string, text: string): boolean =>
  new RegExp(`^(?:from\\s+\\S+\\s+)?import\\b[^#'"\\n]*(?<![\\w.])${said}\\b(?!\\s+as\\b)`, "m").test(text);
