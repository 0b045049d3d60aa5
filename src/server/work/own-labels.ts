import { FORMAT } from "../../journal/frozen.ts";
import { languagesHere } from "../../languages/open-languages.ts";
import { DIRECTORY_LABEL, formatLabel, versionLabel } from "./needs-of-task.ts";

interface WorkerPlace {
  /** Null: it has none of its own. */
  directories: Record<string, string> | null;
  /** Where it was started. */
  at: string;
  version: string;
  env: Record<string, string | undefined>;
}

/** What this machine has, whatever was said of it: the format that it reads, languages, its version, directories. */
export function ownLabels({ directories, at, version, env }: WorkerPlace): string[] {
  const place = directories === null ? [] : [DIRECTORY_LABEL];
  return [formatLabel(FORMAT), ...languagesHere(at, { env }), versionLabel(version), ...place];
}
