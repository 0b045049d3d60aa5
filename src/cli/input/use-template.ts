import { newTaskId } from "../../app/task-id.ts";
import type { App } from "../../app.ts";
import type { Configuration } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { readTemplate, templatePlaces } from "../../config/templates.ts";
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
  /** What the work starts from; null: the directory as it is. */
  startTree: string | null;
  /** The start tree is kept by this task from now on. */
  handOver(task: string): void;
}

interface TemplateWish {
  name: string;
  /** `key=value`, each. */
  set: string[];
  /** The person's own goal; empty when they gave none. */
  words: string;
  directory: string;
}

/** Fills a template in, and puts its files beside those of the directory. */
export async function useTemplate(
  app: App,
  { name, set, words, directory }: TemplateWish,
  { promptOverrides }: Pick<Configuration, "promptOverrides">,
  prompts: Record<Role, string>,
): Promise<UsedTemplate> {
  const template = fillTemplate(readTemplate(templatePlaces(packageRoot(), promptOverrides), name), pairs(set));
  const plan = words === "" ? planOf(template) : null;
  return {
    goal: goalOf(template, words),
    ...(plan && { plan }),
    prompts: forEachRole((role) => withNote(prompts[role], template, role)),
    ...(await treeWithFiles(app, directory, template.files)),
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

/** The directory with those files of a template that it does not have itself. */
async function treeWithFiles(
  app: App,
  directory: string,
  files: Template["files"],
): Promise<Pick<UsedTemplate, "startTree" | "handOver">> {
  // Kept by a name of its own until the task that starts from it keeps it itself.
  const holder = newTaskId();
  const { id } = await app.artifacts.importTree(holder, directory);
  const there = new Set(app.artifacts.list(id).map(({ path }) => path));
  const missing = Object.entries(files).filter(([path]) => !there.has(path));
  const startTree =
    missing.length === 0
      ? null
      : app.artifacts.overlay(
          holder,
          id,
          missing.map(([path, content]) => ({ path, content })),
        );
  return {
    startTree,
    handOver: (task) => {
      if (startTree !== null) app.artifacts.keep(task, startTree);
      app.artifacts.deleteRefs(holder);
    },
  };
}
