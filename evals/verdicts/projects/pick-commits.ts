import { git, isSource, isTest, type Project } from "./project.ts";

/** A merged commit that changes code and its tests. */
export interface Commit {
  hash: string;
  subject: string;
  sources: string[];
  tests: string[];
}

const LOOKED_AT = 600;
/** What changes this many lines is no single fix or feature. */
const MOST_LINES = 300;
const RELEASE = /^(v?\d+\.\d+|(chore\W*)?release|bump|version|prepare|merge|revert)\b/i;

/** The newest first: what is installed now fits them best. */
export function pickCommits(project: Project, limit: number): Commit[] {
  const log = git(
    project.directory,
    "log",
    "--no-merges",
    `-n${LOOKED_AT}`,
    "--numstat",
    "--no-renames",
    "--format=%x00%H %s",
  );
  const picked: Commit[] = [];
  for (const entry of log.split("\0").slice(1)) {
    const [head = "", ...lines] = entry.trim().split("\n");
    const [hash = "", ...words] = head.split(" ");
    const subject = words.join(" ");
    const files = lines.flatMap((line) => readNumbers(line) ?? []);
    const sources = files.filter(({ path }) => isSource(path));
    const tests = files.filter(({ path }) => isTest(path));
    const changed = [...sources, ...tests].reduce((sum, { added, removed }) => sum + added + removed, 0);
    const isWork = sources.some(({ added }) => added > 0) && tests.some(({ added }) => added > 0);
    if (RELEASE.test(subject) || !isWork || changed > MOST_LINES || !hasParent(project, hash)) continue;
    picked.push({ hash, subject, sources: sources.map(({ path }) => path), tests: tests.map(({ path }) => path) });
    if (picked.length === limit) break;
  }
  return picked;
}

function readNumbers(line: string): { added: number; removed: number; path: string } | null {
  const [added, removed, path] = line.split("\t");
  if (path === undefined || added === "-") return null;
  return { added: Number(added), removed: Number(removed), path };
}

function hasParent({ directory }: Project, hash: string): boolean {
  return git(directory, "rev-list", "--parents", "-n1", hash).trim().includes(" ");
}
