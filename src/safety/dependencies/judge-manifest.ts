import type { Finding } from "../../domain/finding.ts";
import type { DependencyRules } from "./dependency-rules.ts";
import { judgePackage } from "./judge-package.ts";
import type { ManifestEntry } from "./manifest-entry.ts";
import { readManifest } from "./read-manifest.ts";

/**
 * What a change of a manifest adds that the list does not allow. `before` and `after` are the whole texts; null: no such
 * file. Files that are no manifests give nothing, and what stood there before is nobody's fault.
 */
export function judgeManifest(
  path: string,
  before: string | null,
  after: string | null,
  rules: DependencyRules,
): Finding[] {
  if (after === null) return [];
  const stood = before === null ? [] : readManifest(path, before);
  const known = new Set(stood.map(identity));
  const used = stood.flatMap(({ kind, name }) => (kind === "package" ? [name] : []));
  return readManifest(path, after).flatMap((entry) => {
    if (known.has(identity(entry))) return [];
    const finding = judgeEntry(path, entry, rules, used);
    return finding ? [finding] : [];
  });
}

const identity = ({ kind, name, version }: ManifestEntry): string => `${kind} ${name} ${version ?? ""}`;

const TEXTS = {
  direct: {
    severity: "high",
    message: "comes from an address or a path and not from the registry by name",
    instead: "name a released version",
  },
  registry: {
    severity: "critical",
    message: "takes packages from another registry",
    instead: "leave the registry as it is configured",
  },
  script: {
    severity: "high",
    message: "runs by itself whenever the package is installed",
    instead: "make it a script that is called by its name",
  },
  unreadable: {
    severity: "high",
    message: "this manifest cannot be read, so its dependencies are not known",
    instead: "write valid syntax",
  },
} as const;

const SEVERITIES = { typo: "critical", unlisted: "high", version: "medium" } as const;

function judgeEntry(path: string, entry: ManifestEntry, rules: DependencyRules, used: string[]): Finding | undefined {
  const { language, name, version, line } = entry;
  const problem = problemOf(entry, rules, used);
  if (problem === undefined) return undefined;
  const { kind, severity, message, instead } = problem;
  const excerpt = `${name}${version === null ? "" : ` ${version}`}`.slice(0, 200);
  return {
    rule: `dependency.${kind}`,
    kind: "dependency",
    severity,
    path,
    line,
    column: 1,
    excerpt,
    message,
    instead,
    blocking: true,
    ...(entry.kind === "package" && { package: { language, name, range: version ?? "" } }),
  };
}

interface EntryProblem extends Pick<Finding, "severity" | "message" | "instead"> {
  kind: string;
}

function problemOf(entry: ManifestEntry, rules: DependencyRules, used: string[]): EntryProblem | undefined {
  const { kind, language, name, version } = entry;
  if (kind !== "package") return { ...TEXTS[kind], kind, message: `${name} ${TEXTS[kind].message}`.slice(0, 300) };
  const problem = judgePackage(language, name, version, rules, used);
  return problem && { ...problem, severity: SEVERITIES[problem.kind] };
}
