import type { Role } from "../../domain/message.ts";
import type { FileScope } from "../../domain/settings/safety-settings.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { todoOfStrand } from "../../domain/task/step-path.ts";
import { isInScope } from "../../workspace/scope.ts";

/** Who uses the tools. File scopes depend on it. */
export interface Who {
  role: Role;
  todo: string | undefined;
  /** Globs that the plan allows the todo to write. */
  files?: string[] | undefined;
}

export const whoIs = (role: Role, { name }: { name: string }): Who => ({ role, todo: todoOfStrand(name) });

/** The scopes of a role that works on a todo. Every one of them must allow a read or a write. */
export function scopesOf({ writeScope, safety }: Settings, { role, todo, files }: Who): FileScope[] {
  const { roles, todos } = safety.scopes;
  const own = [roles[role], todo === undefined ? undefined : todos[todo]].filter((scope) => scope !== undefined);
  return [{ read: [], write: writeScope }, ...own, ...(files ? [{ read: [], write: files }] : [])];
}

/** Paths that a command changed although its role may not write them. */
export function strayed(settings: Settings, who: Who, paths: string[]): string[] {
  const scopes = scopesOf(settings, who);
  return paths.filter((path) => !scopes.every(({ write }) => isInScope(write, path)));
}

/** Filters the files that a prompt may show: a role that may not read a file does not get it from us either. */
export function readable<File extends { path: string }>(settings: Settings, who: Who, files: File[]): File[] {
  const scopes = scopesOf(settings, who).filter(({ read }) => read.length > 0);
  if (scopes.length === 0) return files;
  return files.filter(({ path }) => scopes.every(({ read }) => isInScope(read, path)));
}
