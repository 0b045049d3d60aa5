import { join } from "node:path";
import type { Configuration } from "../config/load-config.ts";
import { packageRoot } from "../config/package-root.ts";
import { readText } from "../config/read-text.ts";
import { forEachRole, type Role } from "../domain/message.ts";
import { detectType, withNote } from "../domain/plan/project-type.ts";

/** `-p none`: do not guess a kind of project from the goal. */
export const NO_TYPE = "none";

interface TypedPrompts {
  prompts: Record<Role, string>;
  /** Tells the person which kind was detected, why, and how to turn it off. */
  note: string;
}

/**
 * The prompts with the advice of a template, where goal or project name its kind of project. The template's requirements,
 * todos and files are left out. Null: no kind is named, and the prompts stay as they are.
 */
export async function detectedPrompts(
  goal: string,
  directory: string,
  { promptOverrides }: Pick<Configuration, "promptOverrides">,
  prompts: Record<Role, string>,
): Promise<TypedPrompts | null> {
  const detected = detectType(goal, (path) => manifest(join(directory, path)));
  if (!detected) return null;
  const { readTemplate, templatePlaces } = await import("../config/templates.ts");
  const template = readTemplate(templatePlaces(packageRoot(), promptOverrides), detected.type);
  return {
    prompts: forEachRole((role) => withNote(prompts[role], template, role)),
    note: `taken for a ${detected.type}, because ${detected.because} (-p ${NO_TYPE}: for no kind of project)`,
  };
}

/** One that cannot be read tells nothing, and is no reason to stop. */
function manifest(file: string): string | null {
  try {
    return readText(file) ?? null;
  } catch {
    return null;
  }
}
