import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { forEachRole, type Role } from "../domain/message.ts";
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
