import { posix } from "node:path";

const NAMES =
  /^(pyproject\.toml|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|package\.json|package-lock\.json|npm-shrinkwrap\.json|\.npmrc)$/;

/** Whether a file can decide over the packages of a tree. Others make no other environment. */
export const isManifest = (path: string): boolean =>
  NAMES.test(posix.basename(path)) || /requirements[^/]*(\/[^/]+)?\.txt$|constraints[^/]*\.txt$/.test(path);
