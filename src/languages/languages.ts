import type { LanguageName } from "../domain/plan/spec.ts";
import { Go } from "./go/go.ts";
import { JavaScript } from "./javascript/javascript.ts";
import type { Language } from "./language.ts";
import { Python } from "./python/python.ts";
import { TypeScript } from "./typescript/typescript.ts";

/** Properties of our process that help languages to find what the user's shell would find. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  execPath: string;
  version: string;
}

/** One line for each language. */
export const LANGUAGES: Record<LanguageName, (surroundings: Surroundings) => Language> = {
  python: ({ env }) => new Python(env),
  javascript: ({ execPath, version }) => new JavaScript({ execPath, version }),
  typescript: ({ execPath, version }) => new TypeScript({ execPath, version }),
  go: ({ env }) => new Go(env),
};
