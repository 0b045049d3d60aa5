import type { TestNeeds } from "../domain/evidence/test-needs.ts";
import { LanguageName } from "../domain/plan/spec.ts";
import { detectLanguage } from "./detect.ts";
import { anyGo } from "./go/find-go.ts";
import { nodeItself } from "./javascript/find-node.ts";
import type { Language, Toolchain } from "./language.ts";
import { LANGUAGES, type Surroundings } from "./languages.ts";
import { anyPython } from "./python/find-python.ts";

/** All languages. Each is opened once and keeps what it found. */
export function openLanguages(
  surroundings: Surroundings = process,
  needs?: TestNeeds,
): {
  detect(paths: string[]): Language | null;
  named(name: LanguageName): Language;
  toolchain(language: Language | null, directory: string): Promise<Toolchain>;
  /** The same with packages of ours, from this directory. */
  toolchainWith(language: Language, directory: string, environment: string): Promise<Toolchain>;
} {
  const opened = new Map(LanguageName.options.map((name) => [name, LANGUAGES[name](surroundings)]));
  const named = (name: LanguageName): Language => {
    const language = opened.get(name);
    if (!language) throw new Error(`no language is registered as ${name}`);
    return language;
  };
  const withNeeds = (found: Toolchain): Toolchain => (needs === undefined ? found : { ...found, needs });
  return {
    detect: (paths) => detectLanguage([...opened.values()], paths),
    named,
    toolchain: async (language, directory) =>
      withNeeds((await language?.toolchain(directory)) ?? interpreters(directory, surroundings)),
    toolchainWith: async (language, directory, environment) =>
      withNeeds(await language.toolchain(directory, environment)),
  };
}

/** Whose interpreter or compiler this machine has. What a project wants beside it is found out with the project. */
export function languagesHere(directory: string, { env }: Pick<Surroundings, "env">): LanguageName[] {
  const missing: LanguageName[] = [];
  if (!anyPython(directory, env)) missing.push("python");
  if (!anyGo(env)) missing.push("go");
  return LanguageName.options.filter((name) => !missing.includes(name));
}

/** The language is unknown: commands see the user's interpreters, and nothing is required. */
function interpreters(directory: string, surroundings: Surroundings): Toolchain {
  const node = nodeItself(surroundings);
  const python = anyPython(directory, surroundings.env);
  const go = anyGo(surroundings.env);
  return {
    mounts: [...node.mounts, ...(python?.mounts ?? []), ...(go?.mounts ?? [])],
    path: [...(python?.path ?? []), ...node.path, ...(go?.path ?? [])],
    env: { ...python?.env, ...go?.env },
    versions: { node: surroundings.version, ...python?.versions, ...go?.versions },
    runner: "",
    script: null,
  };
}
