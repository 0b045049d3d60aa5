import type { TreeFiles } from "./environment.ts";
import { lockedVersions } from "./lock-versions.ts";
import { plainName, readPyproject } from "./read-pyproject.ts";
import { readNoxfile, readSetupCfg, readSetupPy, readToxIni } from "./read-setup.ts";
import { readRequirementFiles } from "./requirement-files.ts";

/** What the manifests and lockfiles of a Python project ask for. */
export interface PythonNeeds {
  /** As pip reads them. */
  requirements: string[];
  /** Those of them that only tests or developers need: where one cannot be had, the others still are. */
  spare: string[];
  /** Exact versions, from a lockfile or a file of constraints. */
  constraints: string[];
  from: string[];
  left: string[];
}

const MANIFESTS = { "pyproject.toml": readPyproject, "setup.cfg": readSetupCfg, "setup.py": readSetupPy };

/** Where no manifest says what tests need, the first of these that does may. */
const HINTS = { "tox.ini": readToxIni, "noxfile.py": readNoxfile };

/** Null where nothing is asked for. */
export function pythonNeeds(tree: TreeFiles): PythonNeeds | null {
  const files = readRequirementFiles(tree);
  const manifests = Object.entries(MANIFESTS).flatMap(([path, readManifest]) => {
    const text = tree.read(path);
    return text === null ? [] : [{ path, ...readManifest(text) }];
  });
  const said = [...files.lines, ...manifests.flatMap(({ lines }) => lines)];
  const hint = said.some((line) => nameOf(line) === "pytest") ? null : hintOf(tree);
  const requirements = [...new Set([...said, ...(hint?.lines ?? [])])].sort();
  if (requirements.length === 0) return null;
  const own = new Set([...files.own, ...manifests.flatMap((manifest) => manifest.own)].map(nameOf));
  const lock = lockedVersions(tree);
  const named = new Set(files.lines.filter((line) => /==|--hash/.test(line)).map(nameOf));
  // A file of exact versions is a lockfile itself, and goes before another one.
  const locked = (lock?.constraints ?? []).filter((line) => !named.has(nameOf(line)));
  return {
    requirements,
    spare: requirements.filter((line) => !own.has(nameOf(line))),
    constraints: [...new Set([...files.constraints, ...locked])].sort(),
    from: [
      ...files.from,
      ...manifests.flatMap(({ path, lines }) => (lines.length > 0 ? [path] : [])),
      ...(hint ? [hint.path] : []),
      ...(lock ? [lock.path] : []),
    ],
    left: [...files.left, ...manifests.flatMap(({ left }) => left)],
  };
}

function hintOf(tree: TreeFiles): { path: string; lines: string[] } | null {
  const hints = Object.entries(HINTS).map(([path, read]) => ({ path, ...read(tree.read(path) ?? "") }));
  return hints.find(({ lines }) => lines.length > 0) ?? null;
}

export const nameOf = (requirement: string): string => plainName(/^[\w.-]+/.exec(requirement)?.[0] ?? "");

/** The same without one that only tests or developers need, which cannot be had; null where it is not such a one. */
export function withoutSpare(needs: PythonNeeds, name: string): PythonNeeds | null {
  const isMeant = (line: string) => nameOf(line) === nameOf(name);
  if (name === "" || !needs.spare.some(isMeant)) return null;
  return {
    ...needs,
    requirements: needs.requirements.filter((line) => !isMeant(line)),
    spare: needs.spare.filter((line) => !isMeant(line)),
    left: [...needs.left, `${needs.spare.find(isMeant)}, which cannot be had`],
  };
}
