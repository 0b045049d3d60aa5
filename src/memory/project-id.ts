import { createHash } from "node:crypto";

/** Names a project by its remote, which all its clones share, or else by its path; tells neither. */
export function projectId({ remote, path }: { remote?: string | undefined; path: string }): string {
  const name =
    remote === undefined || remote === ""
      ? path
      : remote
          .replace(/^[a-z+]+:\/\/(?:[^@/]*@)?|^[^@/]*@/i, "")
          .replace(/\.git\/?$/, "")
          .replace(":", "/");
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}
