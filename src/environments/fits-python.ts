import { readdirSync } from "node:fs";
import { isWithin } from "../safety/dependencies/version-range.ts";
import { type MarkedMachine, markerHolds } from "./marker.ts";
import { nameOf, type PythonNeeds } from "./python-needs.ts";
import { plainName } from "./read-pyproject.ts";

/** Requirements that these installed packages do not meet. What a package needs itself was seen to when it was installed. */
export function unmetRequirements(
  { requirements, constraints }: PythonNeeds,
  installed: ReadonlyMap<string, string>,
  machine: MarkedMachine,
): string[] {
  const locked = new Map(constraints.map((line) => [nameOf(line), specifierOf(line)]));
  return requirements.filter((requirement) => {
    const [wanted = "", marker = ""] = requirement.split(/\s--hash/)[0]?.split(/\s*;\s*/) ?? [];
    if (!markerHolds(marker, machine)) return false;
    const version = installed.get(nameOf(wanted));
    if (version === undefined) return true;
    return ![specifierOf(wanted), locked.get(nameOf(wanted)) ?? ""].every((range) => isMet(version, range));
  });
}

const specifierOf = (requirement: string): string =>
  requirement
    .split(";")[0]
    ?.replace(/^[\w.-]+\s*(\[[^\]]*\])?/, "")
    .replace(/[()\s]/g, "") ?? "";

/** A range that cannot be read says nothing against what is there. */
function isMet(version: string, range: string): boolean {
  if (range === "" || isWithin(`==${version}`, range)) return true;
  const isReadable = range.split(",").every((part) => /^(===?|>=|<=|>|<|~=|!=)\d+(\.(\d+|\*))*$/.test(part));
  return !isReadable;
}

/** Names and versions, from the metadata that installers leave beside packages. */
export function installedPackages(directories: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const directory of directories) {
    for (const entry of namesIn(directory)) {
      const [, name, version] = /^([^-]+)-(\d[^-]*?)(?:-py\d[^-]*)?\.(?:dist|egg)-info$/.exec(entry) ?? [];
      if (name === undefined || version === undefined || found.has(plainName(name))) continue;
      found.set(plainName(name), version);
    }
  }
  return found;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
