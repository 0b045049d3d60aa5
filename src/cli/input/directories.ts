import { basename, resolve } from "node:path";

/** Where to work, by name: what the flags say, or the settings, or here. A path without a name goes by its last part. */
export function directoriesOf(
  flags: string[] | undefined,
  listed: Record<string, string>,
  here: string,
): Record<string, string> {
  if (flags === undefined && Object.keys(listed).length > 0) return listed;
  const given = (flags ?? ["."]).map((text): [string, string] => {
    const [, name, path = text] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(.+)$/.exec(text) ?? [];
    const directory = resolve(here, path);
    return [name ?? basename(directory), directory];
  });
  return Object.fromEntries(given);
}
