import { sectionsOf } from "../languages/python/ini-sections.ts";
import type { TreeFiles } from "./environment.ts";
import { literalOf } from "./python-literals.ts";

/** What the files of setuptools say of the project, as far as it is written out. */
export interface SetupMetadata {
  name: string | undefined;
  version: string | undefined;
  entryPoints: Record<string, Record<string, string>>;
}

export function setupMetadata(read: TreeFiles["read"]): SetupMetadata {
  const sections = sectionsOf(read("setup.cfg") ?? "");
  const metadata = sections.get("metadata");
  const script = read("setup.py") ?? "";
  const text = (name: string): string | undefined => {
    const value = metadata?.get(name)?.trim() || literalOf(script, name);
    return typeof value === "string" ? value : undefined;
  };
  const inScript = literalOf(script, "entry_points");
  const groups = [
    ...(sections.get("options.entry_points") ?? []),
    ...(typeof inScript === "object" && !Array.isArray(inScript) ? Object.entries(inScript) : []),
  ];
  return {
    name: text("name"),
    version: text("version"),
    entryPoints: Object.fromEntries(groups.map(([group, value]) => [group, pairsOf(value)])),
  };
}

/** `name = module:function`, one to a line or an item. */
const pairsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    [value].flat(1).flatMap((item) =>
      String(item ?? "")
        .split("\n")
        .flatMap((line) => {
          const [, name, target] = /^\s*([^=\s]+)\s*=\s*(\S.*)$/.exec(line) ?? [];
          return name === undefined || target === undefined ? [] : [[name, target.trim()]];
        }),
    ),
  );
