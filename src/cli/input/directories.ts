import { basename, join, resolve } from "node:path";
import { dataDirectoryPath } from "../../config/data-directory.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Where to work, by name: what the flags say, or the settings, or here. A path without a name goes by its last part. */
export function directoriesOf(
  flags: string[] | undefined,
  listed: Record<string, string>,
  here: string,
  /** Where there are repositories, nothing else need be named. */
  repositories: Record<string, string> = {},
): Record<string, string> {
  if (flags === undefined && Object.keys({ ...listed, ...repositories }).length > 0) return listed;
  const given = (flags ?? ["."]).map((text): [string, string] => {
    const [, name, path = text] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(.+)$/.exec(text) ?? [];
    const directory = resolve(here, path);
    return [name ?? basename(directory), directory];
  });
  return Object.fromEntries(given);
}

/** Clones lie beside the trees of tasks, where all workers of this data directory find them. */
export function repositoriesOf({ env, home }: Terminal, listed: Record<string, string>) {
  return { listed, root: join(dataDirectoryPath(env, home), "repositories"), env: { ...env, HOME: home } };
}
