import type { ListedLanguage } from "./dependency-rules.ts";

/** One thing a manifest says that decides over what is installed. */
export interface ManifestEntry {
  kind: "package" | "direct" | "registry" | "script" | "unreadable";
  language: ListedLanguage;
  name: string;
  version: string | null;
  line: number;
}
