import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { TreeFiles } from "./environment.ts";

/** `name==version` for each package of the first lockfile that is there. The manifest says what; the lock which version. */
export function lockedVersions({ read }: TreeFiles): { path: string; constraints: string[] } | null {
  for (const path of ["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"]) {
    const text = read(path);
    if (text === null) continue;
    return { path, constraints: path === "Pipfile.lock" ? inPipfile(text) : inTables(text) };
  }
  return null;
}

/** Tools write these files, always in the same form. One version of several is none: markers decide between them. */
function inTables(text: string): string[] {
  const versions = new Map<string, string | null>();
  for (const part of text.split(/^\[\[package\]\]$/m).slice(1)) {
    const name = /^name = "([\w.-]+)"$/m.exec(part)?.[1];
    const version = /^version = "([\w.!+-]+)"$/m.exec(part)?.[1];
    if (name === undefined || version === undefined || /^source = \{ (editable|virtual|directory|git) =/m.test(part))
      continue;
    versions.set(name, versions.has(name) && versions.get(name) !== version ? null : version);
  }
  return [...versions].flatMap(([name, version]) => (version === null ? [] : [`${name}==${version}`])).sort();
}

const Locked = z.record(z.string(), z.object({ version: z.string().regex(/^==[\w.!+-]+$/) }).catch({ version: "" }));
const Pipfile = z.object({ default: Locked.catch({}), develop: Locked.catch({}) });

function inPipfile(text: string): string[] {
  const { default: main = {}, develop = {} } = Pipfile.safeParse(readJson(text)).data ?? {};
  return Object.entries({ ...develop, ...main })
    .filter(([name, { version }]) => version !== "" && /^[\w.-]+$/.test(name))
    .map(([name, { version }]) => `${name}${version}`)
    .sort();
}
