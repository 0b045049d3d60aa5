import type { Finding } from "../../domain/finding.ts";
import type { DependencyRules, ListedLanguage } from "./dependency-rules.ts";
import { judgePackage } from "./judge-package.ts";

/** What a command or a manifest asks for. */
export interface Wanted {
  name: string;
  version: string | null;
}

/** Findings of packages that an install names; none when the list allows them all. */
export function judgeInstall(
  language: ListedLanguage,
  packages: Wanted[],
  rules: DependencyRules,
  path = "command",
): Finding[] {
  return packages.flatMap(({ name, version }) => {
    const finding = packageFinding(language, { name, version }, { path, line: 1, column: 1 }, rules);
    return finding ? [finding] : [];
  });
}

export interface Position {
  path: string;
  line: number;
  column: number;
}

export function packageFinding(
  language: ListedLanguage,
  { name, version }: Wanted,
  position: Position,
  rules: DependencyRules,
): Finding | undefined {
  const problem = judgePackage(language, name, version, rules);
  if (problem === undefined) return undefined;
  const { kind, message, instead } = problem;
  const excerpt = `${name}${version === null ? "" : ` ${version}`}`.slice(0, 200);
  const severity = kind === "typo" ? "critical" : kind === "unlisted" ? "high" : "medium";
  return {
    rule: `dependency.${kind}`,
    kind: "dependency",
    severity,
    ...position,
    excerpt,
    message,
    instead,
    blocking: true,
  };
}
