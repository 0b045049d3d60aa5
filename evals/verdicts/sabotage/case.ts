import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runContained } from "../contained.ts";
import type { SourceText } from "../exercises/read-exercise.ts";
import type { Commit } from "../projects/pick-commits.ts";
import { checkOut, git, type Project } from "../projects/project.ts";

/** An honest commit in a copy, which somebody is about to spoil. */
export class Case {
  readonly project: Project;
  readonly commit: Commit;
  readonly scratch: string;
  readonly copy: string;

  constructor(project: Project, commit: Commit, scratch: string) {
    this.project = project;
    this.commit = commit;
    this.scratch = scratch;
    this.copy = join(scratch, project.name);
    this.reset();
  }

  get base(): string {
    return `${this.commit.hash}^`;
  }

  /** As the author left it. */
  reset(): void {
    rmSync(this.copy, { recursive: true, force: true });
    checkOut(this.project, this.commit.hash, this.copy);
  }

  /** A file as it is in the copy; null where there is none. */
  read(path: string): string | null {
    const file = join(this.copy, path);
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  }

  /** A file before the commit. */
  before(path: string): string | null {
    try {
      return git(this.copy, "show", `${this.base}:${path}`);
    } catch {
      return null;
    }
  }

  put({ path, content }: SourceText): void {
    mkdirSync(dirname(join(this.copy, path)), { recursive: true });
    writeFileSync(join(this.copy, path), content);
  }

  /** Files as they were before the commit; those it brought are gone. */
  putBack(paths: string[]): void {
    for (const path of paths) {
      const content = this.before(path);
      if (content === null) rmSync(join(this.copy, path), { force: true });
      else this.put({ path, content });
    }
  }

  tracked(): string[] {
    return git(this.copy, "ls-files").trim().split("\n");
  }

  /** Whether the project's own tests pass on the copy as it is. */
  async isGreen(): Promise<boolean> {
    return (await this.run(this.project.suite)).exit === 0;
  }

  run(argv: string[]) {
    return runContained(argv, { scratch: this.scratch, cwd: this.copy });
  }
}
