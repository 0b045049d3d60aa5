import type { ManifestEntry } from "./manifest-entry.ts";
import { readRequirement } from "./requirement.ts";

/** Sections whose arrays hold requirements, and whose keys are packages. */
const LISTS =
  /^(project|project\.optional-dependencies|build-system|dependency-groups|tool\.uv|tool\.pdm\.dev-dependencies)$/;
const LIST_KEYS = /^(dependencies|requires|dev-dependencies|constraint-dependencies)$/;
const TABLES = /^tool\.(poetry|pdm)\.(.+\.)?(dev-)?dependencies$/;
const SOURCES = /^tool\.(poetry|pdm)\.source|^tool\.uv\.(index|sources|pip)|^tool\.uv$/;

/** Line by line, which is enough for dependencies as people and tools write them; what it cannot read it names. */
export function readPyproject(text: string): ManifestEntry[] {
  const entries: ManifestEntry[] = [];
  let section = "";
  let isList = false;
  text.split(/\r?\n/).forEach((content, index) => {
    const line = index + 1;
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$/.exec(content);
    if (header && !isList) {
      section = (header[1] ?? "").replaceAll('"', "");
      return;
    }
    const assignment = isList ? null : /^\s*"?([\w.-]+)"?\s*=\s*(.*)$/.exec(content);
    const [, key = "", value = ""] = assignment ?? [];
    if (assignment) {
      if (
        SOURCES.test(section) &&
        /^(url|index-url|default-index|extra-index-url|find-links|index|git|path)$/.test(key)
      )
        entries.push({ kind: "registry", language: "python", name: content.trim(), version: null, line });
      else if (/^tool\.uv\.sources$/.test(section))
        entries.push({ kind: "direct", language: "python", name: content.trim(), version: null, line });
      else if (TABLES.test(section) && key !== "python")
        entries.push({ ...tableEntry(key, value), language: "python", line });
      const opens =
        LISTS.test(section) && value.startsWith("[") && (LIST_KEYS.test(key) || /dependenc|groups/.test(section));
      if (!opens) return;
      isList = true;
    }
    if (!isList) return;
    const body = assignment ? value : content;
    for (const [, double, single] of body.replace(/^\s*#.*$/, "").matchAll(/"([^"]*)"|'([^']*)'/g))
      entries.push({ ...readRequirement(double ?? single ?? ""), language: "python", line });
    // A bracket outside of the strings ends the list.
    if (body.replace(/"[^"]*"|'[^']*'|#.*$/g, "").includes("]")) isList = false;
  });
  return entries;
}

function tableEntry(name: string, value: string): Pick<ManifestEntry, "kind" | "name" | "version"> {
  if (/\b(git|path|url)\s*=/.test(value)) return { kind: "direct", name: `${name} = ${value}`, version: null };
  return { kind: "package", name, version: /"([^"]*)"/.exec(value)?.[1] ?? null };
}
