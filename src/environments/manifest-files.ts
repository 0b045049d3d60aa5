import { posix } from "node:path";

/** They list packages or their versions, and do nothing else. */
const LISTS =
  /^(pyproject\.toml|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|go\.(mod|sum|work|work\.sum))$/;

/** At the root, or in a folder of that name there: those of `docs/` are for building documentation. */
const REQUIREMENTS = /^([^/]*(requirements|constraints)[^/]*|requirements\/[^/]+|tests?\/requirements)\.txt$/;

/** They decide how packages are installed, or more than that. */
const SETTINGS = [
  /^(.*\/)?(\.npmrc|\.yarnrc\.yml|pnpm-workspace\.yaml)$/,
  /^(setup\.(cfg|py)|tox\.ini|noxfile\.py)$/,
  /^\.miracle\/environment\.yaml$/,
  /^vendor\/modules\.txt$/,
  /^(.*\/)?patches\/[^/]+\.patch$/,
];

/** Whether a file does nothing but list packages. */
export const listsPackages = (path: string): boolean => LISTS.test(posix.basename(path)) || REQUIREMENTS.test(path);

/** Whether a file can decide over the packages of a tree. Others make no other environment. */
export const isManifest = (path: string): boolean => listsPackages(path) || SETTINGS.some((form) => form.test(path));
