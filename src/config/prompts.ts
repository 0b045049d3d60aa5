import { join } from "node:path";
import { type Role, Role as Roles } from "../domain/message.ts";
import { readText } from "./read-text.ts";

/**
 * Each role's prompt: the first of these directories that has `prompts/<role>.md`, the shipped one last. A prompt is
 * plain text, so that a person can change how a role works without touching code.
 */
export function readPrompts(directories: string[]): Record<Role, string> {
  const prompt = (role: Role): string => {
    for (const directory of directories) {
      const text = readText(join(directory, "prompts", `${role}.md`));
      if (text !== undefined) return text.trim();
    }
    throw new Error(`no prompt for the ${role} in ${directories.join(", ")}`);
  };
  const { planner, tester, coder, reflector } = Roles.enum;
  return { planner: prompt(planner), tester: prompt(tester), coder: prompt(coder), reflector: prompt(reflector) };
}
