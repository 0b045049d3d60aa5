import type { TreeFiles } from "./environment.ts";
import { lockedVersions } from "./lock-versions.ts";
import { plainName, readPyproject } from "./read-pyproject.ts";
import { readRequirementFiles } from "./requirement-files.ts";

/** What the manifests and lockfiles of a Python project ask for. */
export interface PythonNeeds {
  /** As pip reads them. */
  requirements: string[];
  /** Exact versions, from a lockfile or a file of constraints. */
  constraints: string[];
  from: string[];
  left: string[];
}

/** Null where nothing is asked for. */
export function pythonNeeds(tree: TreeFiles): PythonNeeds | null {
  const files = readRequirementFiles(tree);
  const pyproject = tree.read("pyproject.toml");
  const project = pyproject === null ? { lines: [], left: [] } : readPyproject(pyproject);
  const requirements = [...new Set([...files.lines, ...project.lines])].sort();
  if (requirements.length === 0) return null;
  const lock = lockedVersions(tree);
  const named = new Set(files.lines.filter((line) => /==|--hash/.test(line)).map(nameOf));
  // A file of exact versions is a lockfile itself, and goes before another one.
  const locked = (lock?.constraints ?? []).filter((line) => !named.has(nameOf(line)));
  return {
    requirements,
    constraints: [...new Set([...files.constraints, ...locked])].sort(),
    from: [...files.from, ...(project.lines.length > 0 ? ["pyproject.toml"] : []), ...(lock ? [lock.path] : [])],
    left: [...files.left, ...project.left],
  };
}

export const nameOf = (requirement: string): string => plainName(/^[\w.-]+/.exec(requirement)?.[0] ?? "");
