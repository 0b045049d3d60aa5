import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Names a project by its remote, which all its clones share, or else by its path. The name reveals neither. */
export function projectId({ remote, path }: { remote?: string | undefined; path: string }): string {
  const name = remote === undefined || remote === "" ? path : withoutAccess(remote);
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}

/** The project of a directory: the nearest repository above, or the directory itself. */
export function projectOf(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return projectId({ remote: originOf(join(at, ".git", "config")), path: at });
    if (at === dirname(at)) return projectId({ path: directory });
  }
}

/** What the project is called: its directory, and the words of its remote's path. */
export function projectNames(directory: string): string[] {
  for (let at = directory; ; at = dirname(at)) {
    const isTop = at === dirname(at);
    if (!isTop && !existsSync(join(at, ".git"))) continue;
    const top = isTop ? directory : at;
    const remote = originOf(join(top, ".git", "config"));
    const path = remote === undefined ? [] : withoutAccess(remote).split("/").slice(1);
    return [...new Set([basename(top).toLowerCase(), ...path])].filter((name) => name.length > 2);
  }
}

/** `git@host:team/app.git` and `https://user:key@host/team/app` are the same project. */
const withoutAccess = (remote: string): string =>
  remote
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/^[^@/]*@/, "")
    .replace(/(?:\.git)?\/*$/, "")
    .replace(/:(?!\d+\/)/, "/")
    .toLowerCase();

/** Read as text, so that git need not run. */
function originOf(config: string): string | undefined {
  try {
    const section = /^\[remote "origin"\]\s*\n((?:[ \t]+.*\n?)*)/m.exec(readFileSync(config, "utf8"));
    return /^\s*url\s*=\s*(\S+)/m.exec(section?.[1] ?? "")?.[1];
  } catch {
    return undefined;
  }
}
