import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import type { ManifestEntry } from "./manifest-entry.ts";
import { readNpmPackage } from "./requirement.ts";

const Names = z.record(z.string(), z.string()).catch({});
const PackageJson = z.object({
  dependencies: Names.optional(),
  devDependencies: Names.optional(),
  optionalDependencies: Names.optional(),
  peerDependencies: Names.optional(),
  overrides: z.record(z.string(), z.unknown()).optional().catch(undefined),
  resolutions: Names.optional(),
  scripts: Names.optional(),
});

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare", "prepublish"];

export function readPackageJson(text: string): ManifestEntry[] {
  const parsed = PackageJson.safeParse(readJson(text));
  if (!parsed.success)
    return [{ kind: "unreadable", language: "javascript", name: "package.json", version: null, line: 1 }];
  const { scripts = {}, overrides = {}, ...groups } = parsed.data;
  const lines = text.split("\n");
  const lineOf = (name: string) => Math.max(1, lines.findIndex((line) => line.includes(JSON.stringify(name))) + 1);
  const entries: ManifestEntry[] = [];
  const flat = Object.entries(overrides).flatMap(([name, range]): [string, string][] =>
    typeof range === "string" ? [[name, range]] : [],
  );
  for (const [name, range] of [...Object.values(groups).flatMap((group) => Object.entries(group ?? {})), ...flat]) {
    // `npm:` gives another package this name; a workspace is a part of the project itself.
    if (range.startsWith("workspace:") || range.startsWith("$")) continue;
    const aliased = range.startsWith("npm:")
      ? readNpmPackage(range.slice(4))
      : readNpmPackage(`${name}@${range || "*"}`);
    entries.push({ ...aliased, language: "javascript", line: lineOf(name) });
  }
  for (const name of INSTALL_SCRIPTS) {
    if (Object.hasOwn(scripts, name))
      entries.push({
        kind: "script",
        language: "javascript",
        name,
        version: scripts[name] ?? null,
        line: lineOf(name),
      });
  }
  return entries;
}
