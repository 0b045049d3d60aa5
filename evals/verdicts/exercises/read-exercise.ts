import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import type { LanguageName } from "../../../src/domain/plan/spec.ts";

export interface SourceText {
  path: string;
  content: string;
}

/** A folder of an exercise: what a person starts from, what solves it, and what tests it. */
export interface Exercise {
  name: string;
  language: LanguageName;
  /** As the learner gets it, stubs included, tests not. */
  base: SourceText[];
  solution: SourceText[];
  tests: SourceText[];
  description: string;
  /** Packages that the track has installed. */
  nodeModules: string | null;
  /** Its tests pass before anything is done: what is asked for is a better text. */
  isSolved?: boolean;
}

const Config = z.object({
  files: z.object({
    solution: z.array(z.string()),
    test: z.array(z.string()),
    example: z.array(z.string()).optional(),
    exemplar: z.array(z.string()).optional(),
  }),
});

const LANGUAGES: Record<string, LanguageName> = { py: "python", js: "javascript", ts: "typescript", go: "go" };

/** The exercises of a track, or of any folder that has folders of that form below it. */
export function exerciseFolders(from: string): string[] {
  const isOne = (directory: string) => existsSync(join(directory, ".meta", "config.json"));
  const below = (directory: string, depth: number): string[] => {
    if (isOne(directory)) return [directory];
    if (depth === 0) return [];
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
      .flatMap((entry) => below(join(directory, entry.name), depth - 1));
  };
  return below(from, 3).sort((a, b) => basename(a).localeCompare(basename(b)) || a.localeCompare(b));
}

/** Null where a part is missing, or where which file solves what cannot be told. */
export function readExercise(directory: string): Exercise | null {
  const config = configOf(directory);
  if (!config?.success) return null;
  const { files } = config.data;
  const language = LANGUAGES[files.solution[0]?.split(".").at(-1) ?? ""];
  const examples = files.example ?? files.exemplar ?? [];
  const solution = solutionOf(directory, files.solution, examples);
  if (!language || !solution || files.test.length === 0) return null;
  if (!files.test.every((path) => existsSync(join(directory, path)))) return null;
  const read = (path: string) => ({ path, content: readFileSync(join(directory, path), "utf8") });
  return {
    name: basename(directory),
    language,
    base: filesBelow(directory)
      .filter((path) => !files.test.includes(path))
      .map(read)
      .map(plainManifest),
    solution,
    tests: files.test.map(read),
    description: descriptionOf(directory),
    nodeModules: nodeModulesAbove(directory),
  };
}

/** Tracks hold files that are no JSON, too: such an exercise is left out. */
function configOf(directory: string) {
  try {
    return Config.safeParse(JSON.parse(readFileSync(join(directory, ".meta", "config.json"), "utf8")));
  } catch {
    return null;
  }
}

function solutionOf(directory: string, targets: string[], examples: string[]): SourceText[] | null {
  const [first] = targets;
  if (first === undefined || examples.length === 0) return null;
  const paths = examples.map((example, index) => {
    if (examples.length === targets.length) return targets[index] ?? first;
    if (/^(example|proof\.ci|exemplar)\./.test(basename(example))) return first;
    return join(dirname(first), basename(example));
  });
  if (new Set(paths).size < paths.length) return null;
  return examples.map((example, index) => ({
    path: paths[index] ?? first,
    content: readFileSync(join(directory, example), "utf8"),
  }));
}

/** Hidden folders hold the track's own matters: solutions, approaches, documents. */
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter(
      (path) =>
        !/(^|\/)(\.[^/]*|node_modules)(\/|$)|(^|\/)(LICENSE|yarn\.lock|eslint\.config\.mjs|test-runner\.mjs)$/.test(
          path,
        ),
    )
    .sort();
}

/** The scripts of the tracks start package managers, which download: the runner itself is installed beside them. */
function plainManifest(file: SourceText): SourceText {
  if (file.path !== "package.json") return file;
  const manifest: Record<string, unknown> = z.record(z.string(), z.unknown()).parse(JSON.parse(file.content));
  const { packageManager: _, ...kept } = manifest;
  return { ...file, content: `${JSON.stringify({ ...kept, scripts: { test: "jest" } }, null, 2)}\n` };
}

/** What the track says of the exercise, without its links. */
function descriptionOf(directory: string): string {
  return ["introduction.md", "instructions.md", "instructions.append.md"]
    .map((name) => join(directory, ".docs", name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n")
    .replace(/^#.*$/gm, "")
    .replace(/^\[[^\]]+\]: .*$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function nodeModulesAbove(directory: string): string | null {
  const here = join(directory, "node_modules");
  if (existsSync(here)) return here;
  return dirname(directory) === directory ? null : nodeModulesAbove(dirname(directory));
}
