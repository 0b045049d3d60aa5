import { join } from "node:path";
import type { Configuration } from "../config/load-config.ts";
import { packageRoot } from "../config/package-root.ts";
import { readText } from "../config/read-text.ts";
import { forEachRole, type Role } from "../domain/message.ts";
import { detectType, withNote } from "../domain/plan/project-type.ts";
import type { TemplatePlace, UsedTemplate } from "./use-template.ts";

/** `-p none`: do not guess a kind of project from the goal. */
export const NO_TYPE = "none";

interface DetectedTemplate {
  /** What it makes of the request: all that the template says, or the kind alone. */
  request: Partial<UsedTemplate["request"]>;
  prompts: Record<Role, string>;
  /** Tells the person which kind was detected, why, and how to turn it off. */
  note: string;
  /** Where the whole template is used, as if the person had named it. */
  used: UsedTemplate | null;
}

/**
 * What a template adds, where goal or project name its kind of project: its advice for the roles, or all of it where the
 * goal names a kind that is always built in the same steps. Null: no kind is named, and nothing is added.
 */
export async function detectedTemplate(
  place: TemplatePlace,
  goal: string,
  directory: string,
  { promptOverrides }: Pick<Configuration, "promptOverrides">,
  prompts: Record<Role, string>,
): Promise<DetectedTemplate | null> {
  const detected = detectType(goal, (path) => manifest(join(directory, path)));
  if (!detected) return null;
  const note = `built as a project of the kind ${detected.type}, because ${detected.because}; if it is none: -p ${NO_TYPE}`;
  if (detected.binds) {
    const { useTemplate } = await import("./use-template.ts");
    const used = await useTemplate(
      place,
      { name: detected.type, set: [], words: goal, directory },
      { promptOverrides },
      prompts,
    );
    return { request: used.request, prompts: used.prompts, note, used };
  }
  const { readTemplate, templatePlaces } = await import("../config/templates.ts");
  const template = readTemplate(templatePlaces(packageRoot(), promptOverrides), detected.type);
  return {
    request: { type: detected.type },
    prompts: forEachRole((role) => withNote(prompts[role], template, role)),
    note,
    used: null,
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
