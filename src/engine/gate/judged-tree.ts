import { LanguageName } from "../../domain/plan/spec.ts";
import { judgingTree } from "../../verify/integrity/judging-tree.ts";
import type { Run } from "../hands/run.ts";

/**
 * A finished tree as its tests run: only what the task began with configures the judges, whatever the goal names. Used
 * inside effects. The tester's files are tests, and none of these.
 */
export async function judgedTree(run: Run, { base, tree }: { base: string; tree: string }): Promise<string> {
  const { artifacts, parsers, languages } = run.parts;
  const files = artifacts.changes(base, tree);
  const isTest = (path: string) => LanguageName.options.some((name) => languages.named(name).isTestFile(path));
  const trees = { base, result: tree };
  // The tester's tests ran before there was anything of the coder's: they need no settings of its.
  const options = { mayBegin: false };
  return (await judgingTree({ artifacts, task: run.task, parsers }, trees, files, isTest, options)).tree;
}
