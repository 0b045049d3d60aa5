import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";

/** Files that a program reads without being told so. */
const READ_BY: [program: RegExp, file: RegExp][] = [
  [/\bg?make\b/, /^(GNUm|M|m)akefile$/],
  [/\b(npm|pnpm|yarn|bun)\b/, /(^|\/)package\.json$/],
  [/\btox\b/, /^tox\.ini$/],
  [/\bjust\b/, /^\.?[Jj]ustfile$/],
];

const MANIFEST = /(^|\/)package\.json$/;

/** Files of the change that a command runs or is steered by, as far as its own words tell. */
export function filesOfCommand(command: string, files: readonly ChangedFile[]): ChangedFile[] {
  const words = new Set(command.split(/[\s;&|()<>"'`$=,]+/).map((word) => word.replace(/^(\.\/)+/, "")));
  return files.filter(
    ({ path }) => words.has(path) || READ_BY.some(([program, file]) => program.test(command) && file.test(path)),
  );
}

/**
 * Those of them that judge and are not judged: scripts and tests beside changed code. A program in a language that we
 * read, or a script that is all there is of the change, is what the command is about.
 */
export function judgingFiles(command: string, files: readonly ChangedFile[]): ChangedFile[] {
  const scripts = filesOfCommand(command, files).filter((file) => grammarOf(file.path) === null || isTestSide(file));
  const isOther = (file: ChangedFile) => file.part === "source" && !scripts.includes(file);
  return files.some(isOther) ? scripts : [];
}

/** The result with these files as they were before the change; of a manifest only its scripts. */
export function withOldScripts(
  artifacts: ArtifactStore,
  task: string,
  result: string,
  scripts: readonly ChangedFile[],
): string {
  return artifacts.putTree(task, (put) => {
    const tree = artifacts.tree(result);
    const json = (id: string) => parse(artifacts.readBlob(id).toString("utf8"));
    for (const { path, before, after } of scripts) {
      if (!before) continue;
      const [old, now] = MANIFEST.test(path) && after ? [json(before.id), json(after.id)] : [];
      if (old && now && after) {
        const manifest = JSON.stringify({ ...now, scripts: old.scripts ?? {} });
        tree.entries.set(path, { ...after, id: put(Buffer.from(manifest)) });
      } else tree.entries.set(path, before);
    }
    return tree;
  });
}

/** For a person to look at: the change decides with what it is judged. */
export function scriptFindings(commands: readonly string[], files: readonly ChangedFile[]): IntegrityFinding[] {
  return commands.flatMap((command) => {
    const judging = new Set(judgingFiles(command, files));
    return filesOfCommand(command, files).map((file): IntegrityFinding => {
      const brought = judging.has(file) && !file.before;
      const message = brought
        ? `comes with the change: that $ ${command} passes shows nothing by itself; commit it first, or name another`
        : `is run by $ ${command} as the change left it`;
      return { code: "accept.script", weight: "named", path: file.path, message };
    });
  });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
