import type { LanguageName } from "../domain/plan/spec.ts";
import type { HousedLanguage } from "./environment.ts";

/** A package that somebody wants. `range` as its manager writes it: `==2.0`, `>=1,<2`, `^4`; empty: the newest. */
export interface WantedPackage {
  language: HousedLanguage;
  name: string;
  range: string;
}

/** As people and models name a package: a bare version is that one. */
export function wantedPackage(language: LanguageName, name: string, version: string): WantedPackage {
  const wanted = version.trim();
  const range = language === "python" && /^\d/.test(wanted) ? `==${wanted}` : wanted;
  return { language: language === "typescript" ? "javascript" : language, name: name.trim(), range };
}
