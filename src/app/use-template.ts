import type { Configuration } from "../config/load-config.ts";
import { packageRoot } from "../config/package-root.ts";
import { readTemplate, templatePlaces } from "../config/templates.ts";
import { fail } from "../domain/failure.ts";
import { forEachRole, type Role } from "../domain/message.ts";
import { withNote } from "../domain/plan/project-type.ts";
import { fillTemplate, goalOf, planOf, type Template, whereThere } from "../domain/plan/template.ts";
import type { TaskRequest } from "../domain/task/task.ts";
import { type PythonEnvironment, pythonModules } from "../languages/python/find-python.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import { newTaskId } from "./task-id.ts";

/** Where a template is used. */
export interface TemplatePlace {
  artifacts: ArtifactStore;
  env: PythonEnvironment;
}

/** What a template makes of a run. */
export interface UsedTemplate {
  /** The goal; the plan, or the words and the demands that a planner is to read; what the work starts from. */
  request: Pick<TaskRequest, "goal" | "words" | "demands" | "type" | "plan" | "startTree">;
  prompts: Record<Role, string>;
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
  place: TemplatePlace,
  { name, set, words, directory }: TemplateWish,
  { promptOverrides }: Pick<Configuration, "promptOverrides">,
  prompts: Record<Role, string>,
): Promise<UsedTemplate> {
  const written = readTemplate(templatePlaces(packageRoot(), promptOverrides), name);
  const there = pythonModules(
    written.where.map(({ python }) => python),
    directory,
    place.env,
  );
  const template = fillTemplate(whereThere(written, there), pairs(set));
  const plan = words === "" ? planOf(template) : null;
  const { startTree, handOver } = await treeWithFiles(place, directory, template.files);
  return {
    request: {
      goal: goalOf(template, words),
      type: name,
      ...(plan ? { plan } : { words: words || template.goal, demands: template.requirements }),
      ...(startTree !== null && { startTree }),
    },
    prompts: forEachRole((role) => withNote(prompts[role], template, role)),
    handOver,
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
  { artifacts }: TemplatePlace,
  directory: string,
  files: Template["files"],
): Promise<{ startTree: string | null; handOver: UsedTemplate["handOver"] }> {
  // Kept by a name of its own until the task that starts from it keeps it itself.
  const holder = newTaskId();
  const { id } = await artifacts.importTree(holder, directory);
  const there = new Set(artifacts.list(id).map(({ path }) => path));
  const missing = Object.entries(files).filter(([path]) => !there.has(path));
  const startTree =
    missing.length === 0
      ? null
      : artifacts.overlay(
          holder,
          id,
          missing.map(([path, content]) => ({ path, content })),
        );
  return {
    startTree,
    handOver: (task) => {
      if (startTree !== null) artifacts.keep(task, startTree);
      artifacts.deleteRefs(holder);
    },
  };
}
