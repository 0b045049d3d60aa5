import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { forEachRole, Role } from "../domain/message.ts";
import { readText } from "./read-text.ts";

/**
 * The prompt of each role: from the first overriding directory that has `prompts/<role>.md`, else the shipped one at
 * `root`. A prompt is plain text, so a person can change how a role works without touching code.
 */
export function readPrompts(root: string, overrides: string[]): Record<Role, string> {
  const prompt = (role: Role): string => {
    for (const directory of [...overrides, join(root, "config")]) {
      const text = readText(join(directory, "prompts", `${role}.md`));
      if (text !== undefined) return text.trim();
    }
    throw fail("environment", "config.missing", `config/prompts/${role}.md is missing: install Miracle again`);
  };
  return forEachRole(prompt);
}

/** Which prompts a person replaced, and which of their files replace nothing: `codr.md` would never be noticed. */
export function overriddenPrompts(overrides: string[]): { inForce: { role: Role; file: string }[]; unused: string[] } {
  const folders = overrides.map((directory) => join(directory, "prompts")).filter((folder) => existsSync(folder));
  const inForce = Role.options.flatMap((role) => {
    const file = folders.map((folder) => join(folder, `${role}.md`)).find((path) => existsSync(path));
    return file === undefined ? [] : [{ role, file }];
  });
  const known = new Set(Role.options.map((role) => `${role}.md`));
  const unused = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => !known.has(name))
      .map((name) => join(folder, name)),
  );
  return { inForce, unused };
}
