import { posix } from "node:path";

const NAMES =
  /^(pyproject\.toml|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|package\.json|package-lock\.json|npm-shrinkwrap\.json|\.npmrc)$/;

/** At the root, or in a folder of that name there: those of `docs/` are for building documentation. */
const REQUIREMENTS = /^([^/]*(requirements|constraints)[^/]*|requirements\/[^/]+)\.txt$/;

/** Whether a file can decide over the packages of a tree. Others make no other environment. */
export const isManifest = (path: string): boolean => NAMES.test(posix.basename(path)) || REQUIREMENTS.test(path);
