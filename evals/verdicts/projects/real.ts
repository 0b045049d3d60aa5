import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runContained } from "../contained.ts";
import { keptAt } from "../exercises/honest.ts";
import type { Measured } from "../result.ts";
import type { Options, Work } from "../work.ts";
import { type Commit, pickCommits } from "./pick-commits.ts";
import { checkOut, type Project, projectsBelow } from "./project.ts";
import { proveChange } from "./prove-change.ts";

/** Merged commits as their authors made them: what is refused here is refused to somebody who did it right. */
export async function realWork(options: Options): Promise<Work[]> {
  return commitsOf(options).map(({ project, commit }) => {
    const name = nameOf(project, commit);
    return { name, measure: () => measureCommit(options, name, project, commit) };
  });
}

export const nameOf = ({ name }: Project, { hash }: Commit): string => `${name}/${hash.slice(0, 8)}`;

/** In turns, one of each project, until there are enough. */
export function commitsOf({ from, only, limit }: Options): { project: Project; commit: Commit }[] {
  const projects = from.flatMap(projectsBelow).filter(({ name }) => only === null || name === only.split("/")[0]);
  const each = Math.ceil(limit / Math.max(1, projects.length));
  const lists = projects.map((project) => pickCommits(project, each).map((commit) => ({ project, commit })));
  const turns = Array.from({ length: each }, (_, turn) => lists.flatMap((list) => list[turn] ?? []));
  const wanted = (one: { project: Project; commit: Commit }) =>
    only === null || nameOf(one.project, one.commit).startsWith(only);
  return turns.flat().filter(wanted).slice(0, limit);
}

async function measureCommit(options: Options, name: string, project: Project, commit: Commit): Promise<Measured> {
  const { miracle, eachMinutes, keep } = options;
  const scratch = mkdtempSync(join(tmpdir(), "miracle-verdicts-"));
  try {
    const copy = join(scratch, project.name);
    checkOut(project, commit.hash, copy);
    const suite = await runContained(project.suite, { scratch, cwd: copy });
    // What its own developers could not show here says nothing of us.
    if (suite.exit !== 0) {
      const said = `${suite.stdout}\n${suite.stderr}`.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
      return {
        name,
        verdict: "not-tried",
        exit: suite.exit,
        reason: `its own suite is not green here: ${said}`,
        seconds: suite.seconds,
      };
    }
    rmSync(copy, { recursive: true, force: true });
    checkOut(project, commit.hash, copy);
    const base = `${commit.hash}^`;
    const proved = await proveChange(miracle, { copy, base, scratch, minutes: eachMinutes, keep: keptAt(keep, name) });
    return { name, style: project.language, ...proved, suiteSeconds: suite.seconds };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
