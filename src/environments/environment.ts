import { z } from "zod";

/** The manifests and lockfiles of one tree are read through this. */
export interface TreeFiles {
  paths: readonly string[];
  /** Null where there is no such file. */
  read(path: string): string | null;
}

/** Languages whose packages are installed by us. TypeScript's are JavaScript's. */
export const HousedLanguage = z.enum(["python", "javascript", "go"]);
export type HousedLanguage = z.infer<typeof HousedLanguage>;

/** How an environment is made. The same recipe always has the same name, and is carried out once. */
export interface Recipe {
  name: string;
  language: HousedLanguage;
  /** The interpreter it stands on, as a person would name it. */
  interpreter: string;
  /** Manifests and lockfiles that say what belongs in it. */
  from: string[];
  /** What of them was not taken, one line each. */
  left: string[];
  /** False: no lockfile says which versions. Another day may bring others. */
  locked: boolean;
  /** Laid into the empty directory before anything runs. */
  files: { path: string; content: string }[];
  /** A line for the shell, run in that directory with the registry in reach. */
  command: string;
  /** The directory that this line fills. */
  fills: ".venv" | "node_modules" | "modules";
}

/** What is kept beside a built environment, for people and for evidence. */
export const EnvironmentRecord = z.object({
  name: z.string(),
  language: HousedLanguage,
  interpreter: z.string(),
  from: z.array(z.string()),
  left: z.array(z.string()),
  locked: z.boolean(),
  command: z.string(),
  /** The versions that were resolved. */
  packages: z.record(z.string(), z.string()),
  /** Those that have scripts for their installation, which were not run. */
  scripted: z.array(z.string()).default([]),
  builtAt: z.int(),
  durationMs: z.number(),
});
export type EnvironmentRecord = z.infer<typeof EnvironmentRecord>;

/** Where the packages of a tree come from. */
export type Housing =
  /** The tree names none, or what is installed already fits. */
  | { kind: "own" }
  | { kind: "built"; record: EnvironmentRecord; directory: string }
  /** It could not be built: one line that names what is missing. */
  | { kind: "missing"; problem: string };
