import { basename, extname } from "node:path/posix";
import { grammarOf } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Entry } from "../../workspace/tree.ts";
import { isDocumentation } from "../change/change-parts.ts";
import { saysWord } from "./says-word.ts";

/** Null for what is not there, a link, or no text. */
export function textOf(artifacts: ArtifactStore, entry: Entry | null): string | null {
  if (entry?.kind !== "file") return null;
  const content = artifacts.readBlob(entry.id);
  return content.includes(0) ? null : content.toString("utf8");
}

/** Whether a tree holds a changed file as the change left it. */
export const usedIn =
  (artifacts: ArtifactStore, tree: string) =>
  ({ path, after }: { path: string; after: Entry | null }): boolean => {
    if (after && after.kind !== "file") return true;
    const held = artifacts.readFile(tree, path);
    return after ? held?.equals(artifacts.readBlob(after.id)) === true : held === null;
  };

/** The texts of the project's code, tests and what only makes the documentation apart, read when somebody asks. */
export function sourcesOf(
  artifacts: ArtifactStore,
  tree: string,
  isTest: (path: string) => boolean,
): () => readonly string[] {
  let known: string[] | undefined;
  return () => {
    if (known) return known;
    const code = artifacts
      .list(tree)
      .filter(({ path, kind }) => kind === "file" && grammarOf(path) !== null && !isTest(path))
      .map(({ path, id }) => ({ path, text: artifacts.readBlob(id).toString("utf8") }));
    const isLoaded = (path: string) => {
      const name = basename(path, extname(path));
      return code.some((one) => one.path !== path && saysWord(one.text, name));
    };
    known = code.filter(({ path }) => !/^docs?\//.test(path) || isLoaded(path)).map(({ text }) => text);
    return known;
  };
}

/** A text of the project; a document is one that only people read, as far as its name and place tell. */
export interface ProjectText {
  path: string;
  text: string;
  role: "code" | "test" | "document" | "other";
}

/** Every text of the project, read when somebody asks. */
export function projectTexts(
  artifacts: ArtifactStore,
  tree: string,
  isTest: (path: string) => boolean,
): () => readonly ProjectText[] {
  let known: ProjectText[] | undefined;
  return () => {
    known ??= artifacts.list(tree).flatMap((entry): ProjectText[] => {
      const text = textOf(artifacts, entry);
      return text === null ? [] : [{ path: entry.path, text, role: roleOf(entry.path, isTest) }];
    });
    return known;
  };
}

function roleOf(path: string, isTest: (path: string) => boolean): ProjectText["role"] {
  if (isTest(path)) return "test";
  if (grammarOf(path) !== null) return "code";
  return isDocumentation(path) && FOR_PEOPLE.test(path) ? "document" : "other";
}

/** Elsewhere a text may be a template. */
const FOR_PEOPLE = /^[^/]+$|^docs?\/|(^|\/)(README|CHANGE|HISTORY|NEWS|LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTING)[^/]*$/i;
