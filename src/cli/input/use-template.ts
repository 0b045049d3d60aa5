import { newTaskId } from "../../app/task-id.ts";
import type { App } from "../../app.ts";
import type { Configuration } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { fail } from "../../domain/failure.ts";
import { forEachRole, type Role } from "../../domain/message.ts";
import type { PlanFile } from "../../domain/plan/plan-file.ts";
import { withNote } from "../../domain/plan/project-type.ts";
import { fillTemplate, goalOf, planOf, type Template } from "../../domain/plan/template.ts";

/** What a template makes of a run. */
export interface UsedTemplate {
  goal: string;
  /** Absent where a planner is to read the goal. */
  plan?: PlanFile;
  prompts: Record<Role, string>;
  files: Template["files"];
}

export interface TemplateWish {
  name: string;
  /** `key=value`, each. */
  set: string[];
  /** The person's own goal; empty when they gave none. */
  words: string;
}

/** Loaded only for who uses one. */
export async function useTemplate(
  { name, set, words }: TemplateWish,
  { promptOverrides }: Pick<Configuration, "promptOverrides">,
  prompts: Record<Role, string>,
): Promise<UsedTemplate> {
  const { readTemplate, templatePlaces } = await import("../../config/templates.ts");
  const template = fillTemplate(readTemplate(templatePlaces(packageRoot(), promptOverrides), name), pairs(set));
  const plan = words === "" ? planOf(template) : null;
  return {
    goal: goalOf(template, words),
    ...(plan && { plan }),
    prompts: forEachRole((role) => withNote(prompts[role], template, role)),
    files: template.files,
  };
}

function pairs(set: string[]): Record<string, string> {
  return Object.fromEntries(
    set.map((pair): [string, string] => {
      const at = pair.indexOf("=");
      if (at < 1) throw fail("invalid-input", "template.set", `--set ${pair}: write it as name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The directory with the files of a template in it, where it has none of that name: what the work starts from. */
export async function treeWithFiles(app: App, directory: string, files: Template["files"]) {
  // Kept by a name of its own until the task that starts from it keeps it itself.
  const holder = newTaskId();
  const { id } = await app.artifacts.importTree(holder, directory);
  const there = new Set(app.artifacts.list(id).map(({ path }) => path));
  const missing = Object.entries(files).filter(([path]) => !there.has(path));
  const tree =
    missing.length === 0
      ? null
      : app.artifacts.overlay(
          holder,
          id,
          missing.map(([path, content]) => ({ path, content })),
        );
  return {
    tree,
    handOver: (task: string) => {
      if (tree !== null) app.artifacts.keep(task, tree);
      app.artifacts.deleteRefs(holder);
    },
  };
}
