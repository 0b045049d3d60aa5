import { z } from "zod";
import type { SafetySettings } from "../../domain/settings/safety-settings.ts";

/** Name → the versions that may be used: `*`, `>=2`, `>=1.2,<3`, `^4`. */
const Packages = z.record(z.string(), z.string());

const Listed = z.strictObject({
  packages: Packages,
  /** Commands that a listed package brings: `npx tsc` runs `typescript`. */
  commands: z.record(z.string(), z.string()).default({}),
});

export const ListedLanguage = z.enum(["python", "javascript", "go"]);
export type ListedLanguage = z.infer<typeof ListedLanguage>;

/** The packages that may be installed without asking, per language. TypeScript's are JavaScript's. */
export const DependencyRules = z.strictObject({ python: Listed, javascript: Listed, go: Listed });
export type DependencyRules = z.infer<typeof DependencyRules>;

/** What a user adds: further packages or other versions; `null` takes one off the list. */
type DependencyPolicy = NonNullable<SafetySettings["dependencies"]>;

export function mergeDependencyPolicy(rules: DependencyRules, policy: DependencyPolicy): DependencyRules {
  const merged = { ...rules };
  for (const language of ListedLanguage.options) {
    const changes = policy[language] ?? {};
    const removed = Object.keys(changes).filter((name) => changes[name] === null);
    const added = Object.entries(changes).flatMap(([name, range]) => (range === null ? [] : [[name, range] as const]));
    const kept = Object.entries(rules[language].packages).filter(([name]) => !removed.includes(name));
    merged[language] = { ...rules[language], packages: Object.fromEntries([...kept, ...added]) };
  }
  return merged;
}
