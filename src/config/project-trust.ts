import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { runsInPlace } from "../domain/settings/settings.ts";
import type { ConfigFile } from "./config-file.ts";
import { parseDuration } from "./duration.ts";

export interface Restricted {
  value: ConfigFile;
  /** Dotted keys that were left out. */
  ignored: string[];
}

/**
 * A project's config comes with the repository, so the user did not write it. It may make a task stricter and choose
 * among what the user has. It may not leave the sandbox, spend more, see a key, run its own command or prove less.
 */
export function restrictProject(project: ConfigFile, user: ConfigFile): Restricted {
  const ignored: string[] = [];
  const {
    providers,
    prices,
    pricesAsOf,
    notify,
    trustedDirectories,
    hooks,
    memory,
    server,
    database,
    queue,
    retention,
    logging,
    ...value
  } = project;
  for (const [key, item] of Object.entries({
    providers,
    prices,
    pricesAsOf,
    notify,
    trustedDirectories,
    hooks,
    memory,
    server,
    database,
    queue,
    retention,
    logging,
  })) {
    if (item !== undefined) ignored.push(key);
  }
  if (value.direct === true && user.direct !== true) {
    delete value.direct;
    ignored.push("direct");
  }
  if (value.limits) value.limits = onlyStricter(value.limits, user.limits, "limits", ignored);
  if (value.retry) value.retry = onlyStricter(value.retry, user.retry, "retry", ignored);
  if (value.sandbox) {
    const { backend, image, limits } = value.sandbox;
    const sandbox: ConfigFile["sandbox"] = {};
    if (backend && runsInPlace(backend) && user.sandbox?.backend !== backend) ignored.push("sandbox.backend");
    else if (backend !== undefined) sandbox.backend = backend;
    // The image decides on which machine code runs, so only the person may choose it.
    if (image !== undefined) ignored.push("sandbox.image");
    if (limits) sandbox.limits = onlyStricter(limits, user.sandbox?.limits, "sandbox.limits", ignored);
    value.sandbox = sandbox;
  }
  if (value.writeScope && user.writeScope && user.writeScope.length > 0) {
    delete value.writeScope;
    ignored.push("writeScope");
  }
  if (value.safety) value.safety = onlyStricterSafety(value.safety, user.safety, ignored);
  if (value.confirm) value.confirm = [...new Set([...(user.confirm ?? []), ...value.confirm])];
  if (value.redactVariables) value.redactVariables = [...(user.redactVariables ?? []), ...value.redactVariables];
  return { value, ignored };
}

/** The user decides what is safe. A project may forbid more in code, and add scopes where the user has none. */
function onlyStricterSafety(
  { scopes, code, ...rest }: NonNullable<ConfigFile["safety"]>,
  user: ConfigFile["safety"],
  ignored: string[],
): NonNullable<ConfigFile["safety"]> {
  for (const key of Object.keys(rest)) ignored.push(`safety.${key}`);
  const kept: NonNullable<ConfigFile["safety"]> = {};
  const { strict, ...policy } = code === "strict" ? { strict: true } : (code ?? {});
  if (strict) kept.code = { strict };
  if (strict === false || Object.keys(policy).length > 0) ignored.push("safety.code");
  if (scopes !== undefined && user?.scopes === undefined) kept.scopes = scopes;
  else if (scopes !== undefined) ignored.push("safety.scopes");
  return kept;
}

/** Keeps the numbers and durations that are at most the user's. No limit counts as more than any limit. */
function onlyStricter<T extends object>(
  project: T,
  user: object | undefined,
  place: string,
  ignored: string[],
): Partial<T> {
  const kept: Partial<T> = { ...project };
  const allowed: Record<string, unknown> = { ...user };
  for (const [key, value] of Object.entries(project)) {
    if (amount(value) <= amount(allowed[key])) continue;
    Reflect.deleteProperty(kept, key);
    ignored.push(`${place}.${key}`);
  }
  return kept;
}

function amount(value: unknown): number {
  if (typeof value === "number") return value;
  return (typeof value === "string" ? parseDuration(value) : undefined) ?? Number.POSITIVE_INFINITY;
}

/** True if the user's config trusts this directory or one above it. Links are resolved on both sides. */
export function isTrusted(directory: string, user: ConfigFile, home: string): boolean {
  const place = realPath(directory);
  return (user.trustedDirectories ?? []).some((trusted) => {
    const path = relative(realPath(trusted.replace(/^~(?=\/|$)/, home)), place);
    return path === "" || !(path.startsWith("..") || path.startsWith("/"));
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
