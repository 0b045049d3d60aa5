import { basename, dirname } from "node:path/posix";
import type { AccountLine } from "../../domain/evidence/account.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { importedAs } from "../change/imported-files.ts";
import { asksFor, pathsBefore, textsBefore } from "./asked-paths.ts";
import type { ProjectSpeech } from "./is-missed.ts";

/**
 * A new file of code with something in it: whether names that were found elsewhere may be found in it now. Tests are no
 * sign of that: they may have been there first.
 */
export function accountOfFound({ path }: ChangedFile, given: ProjectSpeech): AccountLine[] {
  const stems = importedAs(path);
  const isDoubled = pathsBefore(given).some(
    (one) => one !== path && importedAs(one.replace(/\.(?:json|node)$/, "")).some((stem) => stems.includes(stem)),
  );
  const isTop = isPython(path) && !stems.at(-1)?.includes("/");
  if (!isDoubled && !isTop) return [];
  const tests = new Set(given.texts().flatMap((one) => (one.role === "test" ? one.path : [])));
  const asking = textsBefore(given).find((one) => !tests.has(one.path) && asksFor(one, path));
  return asking ? [{ path, standing: "not-judged", why: mayFind(asking.path) }] : [];
}

const mayFind = (path: string): string => `${path} asks for this name, and may find this file now`;

/** A file of code in which nothing that is compiled differs. One that is new or gone may still be found by its name. */
export function accountOfBare({ path, before, after }: ChangedFile, given: ProjectSpeech): AccountLine {
  const open = (why: string): AccountLine => ({ path, standing: "not-judged", why });
  if (before && after) return { path, standing: "inert", why: "only comments and layout differ" };
  const folder = `${dirname(path)}/`;
  const there = after ? pathsBefore(given) : given.paths();
  const isPackage = basename(path) === "__init__.py" && there.some((one) => one.startsWith(folder) && isPython(one));
  if (isPackage) return open(`it decides whether ${folder} is a package, and nothing shows who needs that`);
  const asking = (after ? textsBefore(given) : given.texts()).find((one) => asksFor(one, path));
  if (asking) return open(after ? mayFind(asking.path) : `${asking.path} asks for this name, and it is gone`);
  return { path, standing: "inert", why: "there is nothing in it, and nothing asks for it" };
}

const isPython = (path: string): boolean => path.endsWith(".py");
