import { fail } from "../../domain/failure.ts";
import { wantedPackage } from "../../environments/wanted-package.ts";
import type { Language } from "../../languages/language.ts";
import type { ScopedFiles } from "../../workspace/scoped-files.ts";
import type { Checkout } from "./checkout.ts";
import { commandTools } from "./command-tools.ts";
import type { Run } from "./run.ts";

interface Desk {
  language: Language | null;
  tree: string;
  /** What of the tree the role sees in the checkout. */
  held: string;
  checkout: Checkout;
  files: ScopedFiles;
}

/**
 * Puts a package into the manifest of the tree and installs it. Called inside an effect. An approval that is missing is
 * asked for by a throw, before anything of the package is installed; the call that follows the answer begins anew.
 */
export async function addDependency(
  run: Run,
  { language, tree, held, checkout, files }: Desk,
  { name, version, why }: { name: string; version: string; why: string },
): Promise<string> {
  const { artifacts, languages, packages, warden } = run.parts;
  const used = language ?? languages.detect(artifacts.list(tree).map(({ path }) => path));
  const added = await packages.add(wantedPackage(used?.name ?? "python", name, version), tree);
  if ("problem" in added) throw notAdded(name, added.problem);
  for (const { path, content } of added.files) await files.create(path, content, { overwrite: true });
  const edited = await checkout.snapshot();
  await warden.checkPackages(edited, why);
  const { versions } = await commandTools(run, used, edited);
  if (versions.missing !== undefined) {
    // A manifest that nobody can install from would be worse than none.
    await checkout.hold(held);
    throw notAdded(name, versions.missing);
  }
  const { facts, stale } = added;
  const where = added.files.map(({ path }) => path).join(" and ");
  const note = stale === null ? "" : `; ${stale} does not name it yet: only its own program writes that file`;
  return `added ${facts.name} ${facts.version} to ${where}, and installed it${note}`;
}

const notAdded = (name: string, problem: string) =>
  fail("invalid-input", "dependency.unavailable", `${name.slice(0, 100)} was not added: ${problem}`);
