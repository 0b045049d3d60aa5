import { LanguageName } from "../../domain/plan/spec.ts";
import type { Language } from "../../languages/language.ts";
import type { ProveParts } from "./prove-parts.ts";

const SURE_ENOUGH = 0.3;

/** The language of a tree; where several would do, the one that the changed files are about. */
export function chooseLanguage(
  parts: Pick<ProveParts, "artifacts" | "languages">,
  tree: string,
  changed: string[],
): Language | null {
  const paths = parts.artifacts.list(tree).map(({ path }) => path);
  const sure = LanguageName.options
    .map((name) => parts.languages.named(name))
    .map((language) => ({ language, all: language.detect(paths), own: language.detect(changed) }))
    .filter(({ all }) => all >= SURE_ENOUGH);
  const [best] = sure.toSorted((a, b) => b.own + b.all - (a.own + a.all));
  return best?.language ?? null;
}
