import type { Role } from "../../domain/message.ts";
import type { FileScope } from "../../domain/settings/safety-settings.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { todoOfStrand } from "../../domain/task/step-path.ts";
import { isInScope } from "../../workspace/scope.ts";

/** Whose hands they are: file scopes go by it. */
export interface Who {
  role: Role;
  todo: string | undefined;
  /** What the plan lets the todo write. */
  files?: string[] | undefined;
}

export const whoIs = (role: Role, { name }: { name: string }): Who => ({ role, todo: todoOfStrand(name) });

/** The scopes that hold for a role at work on a todo, each of which must allow what is read or written. */
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

/** Files that may be shown to a role: what it may not read, it does not get from us either. */
export function readable<File extends { path: string }>(settings: Settings, who: Who, files: File[]): File[] {
  const scopes = scopesOf(settings, who).filter(({ read }) => read.length > 0);
  if (scopes.length === 0) return files;
  return files.filter(({ path }) => scopes.every(({ read }) => isInScope(read, path)));
}
