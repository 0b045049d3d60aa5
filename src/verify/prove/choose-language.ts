import { LanguageName } from "../../domain/plan/spec.ts";
import type { Language } from "../../languages/language.ts";
import type { ProveParts } from "./prove-parts.ts";

const SURE_ENOUGH = 0.3;

/** Languages with the same tests and the same runner: the surer one stands for both. */
const KIN: Partial<Record<LanguageName, string>> = { javascript: "node", typescript: "node" };

/** What a project must have besides files that look like tests: any repository may hold a `test.js`. */
const NEEDS: Partial<Record<LanguageName, string>> = {
  javascript: "package.json",
  typescript: "package.json",
  go: "go.mod",
};

/**
 * Every language whose tests decide over a change: first the one that the changed files are about, then all others that
 * have tests in the base or in the result.
 */
export function chooseLanguages(
  parts: Pick<ProveParts, "artifacts" | "languages">,
  trees: readonly string[],
  changed: string[],
): Language[] {
  const paths = [...new Set(trees.flatMap((tree) => parts.artifacts.list(tree).map(({ path }) => path)))];
  const sure = LanguageName.options
    .map((name) => parts.languages.named(name))
    .map((language) => ({ language, all: language.detect(paths), own: language.detect(changed) }))
    .toSorted((a, b) => b.own + b.all - (a.own + a.all));
  const first = sure.find(({ all }) => all >= SURE_ENOUGH)?.language;
  const others = sure.flatMap(({ language }) => {
    const needed = NEEDS[language.name];
    const isThere = needed === undefined || paths.includes(needed);
    return isThere && paths.some((path) => language.isTestFile(path)) ? language : [];
  });
  const kinOf = ({ name }: Language) => KIN[name] ?? name;
  return [...(first ? [first] : []), ...others].filter(
    (language, index, all) => all.findIndex((one) => kinOf(one) === kinOf(language)) === index,
  );
}
