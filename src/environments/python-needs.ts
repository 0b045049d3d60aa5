import type { TreeFiles } from "./environment.ts";
import { lockedVersions } from "./lock-versions.ts";
import { plainName, readPyproject } from "./read-pyproject.ts";
import { readSetupCfg, readSetupPy, readToxIni } from "./read-setup.ts";
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

const MANIFESTS = { "pyproject.toml": readPyproject, "setup.cfg": readSetupCfg, "setup.py": readSetupPy };

const TOX = "tox.ini";

/** Null where nothing is asked for. */
export function pythonNeeds(tree: TreeFiles): PythonNeeds | null {
  const files = readRequirementFiles(tree);
  const manifests = Object.entries(MANIFESTS).flatMap(([path, readManifest]) => {
    const text = tree.read(path);
    return text === null ? [] : [{ path, ...readManifest(text) }];
  });
  const said = [...files.lines, ...manifests.flatMap(({ lines }) => lines)];
  // Where no manifest says what tests need, tox may.
  const tox = said.some((line) => nameOf(line) === "pytest") ? [] : readToxIni(tree.read(TOX) ?? "").lines;
  const requirements = [...new Set([...said, ...tox])].sort();
  if (requirements.length === 0) return null;
  const lock = lockedVersions(tree);
  const named = new Set(files.lines.filter((line) => /==|--hash/.test(line)).map(nameOf));
  // A file of exact versions is a lockfile itself, and goes before another one.
  const locked = (lock?.constraints ?? []).filter((line) => !named.has(nameOf(line)));
  return {
    requirements,
    constraints: [...new Set([...files.constraints, ...locked])].sort(),
    from: [
      ...files.from,
      ...manifests.flatMap(({ path, lines }) => (lines.length > 0 ? [path] : [])),
      ...(tox.length > 0 ? [TOX] : []),
      ...(lock ? [lock.path] : []),
    ],
    left: [...files.left, ...manifests.flatMap(({ left }) => left)],
  };
}

export const nameOf = (requirement: string): string => plainName(/^[\w.-]+/.exec(requirement)?.[0] ?? "");
