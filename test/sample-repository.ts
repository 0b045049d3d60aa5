import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "./temporary.ts";

/** For tests: a real git repository of a person's, on branch main. */
export class SampleRepository {
  readonly directory: string;

  /** With a first commit of these files; none when there are none. */
  constructor(files: Record<string, string>) {
    this.directory = join(temporaryDirectory("miracle-repository-"), "project");
    mkdirSync(this.directory);
    this.git("init", "-q", "-b", "main");
    if (Object.keys(files).length > 0) this.commit(files);
  }

  git(...args: string[]): string {
    const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
    const who = ["-c", "user.name=Sample", "-c", "user.email=sample@localhost"];
    return execFileSync("git", ["-C", this.directory, ...who, ...args], { env, encoding: "utf8", stdio: "pipe" });
  }

  write(files: Record<string, string>): void {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.directory, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }

  remove(...paths: string[]): void {
    for (const path of paths) rmSync(join(this.directory, path), { recursive: true });
  }

  commit(files: Record<string, string>): void {
    this.write(files);
    this.git("add", "-A", "-f");
    this.git("commit", "-q", "--allow-empty", "-m", "change");
  }
}
