import type { Finding } from "../../domain/finding.ts";
import type { DependencyRules } from "./dependency-rules.ts";
import { packageFinding } from "./judge-install.ts";
import { type Entry, readManifest } from "./read-manifest.ts";

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
  const known = new Set((before === null ? [] : readManifest(path, before)).map(identity));
  return readManifest(path, after).flatMap((entry) => {
    if (known.has(identity(entry))) return [];
    const finding = judgeEntry(path, entry, rules);
    return finding ? [finding] : [];
  });
}

const identity = ({ kind, name, version }: Entry): string => `${kind} ${name} ${version ?? ""}`;

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

function judgeEntry(path: string, entry: Entry, rules: DependencyRules): Finding | undefined {
  const { kind, name, version, line } = entry;
  const position = { path, line, column: 1 };
  if (kind === "package") return packageFinding(entry.language, { name, version }, position, rules);
  const { severity, message, instead } = TEXTS[kind];
  const excerpt = `${name}${version === null ? "" : ` ${version}`}`.slice(0, 200);
  return {
    rule: `dependency.${kind}`,
    kind: "dependency",
    severity,
    ...position,
    excerpt,
    message: `${name} ${message}`.slice(0, 300),
    instead,
    blocking: true,
  };
}
