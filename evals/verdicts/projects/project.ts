import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";

/** A repository with its history, and its dependencies installed beside it. */
export interface Project {
  name: string;
  directory: string;
  language: "python" | "javascript";
  /** How its developers run all tests. */
  suite: string[];
}

/** What installing leaves in a checkout; a copy borrows it. */
const INSTALLED = ["node_modules", ".venv"];

export function projectsBelow(from: string): Project[] {
  const folders = existsSync(join(from, ".git")) ? [from] : readdirSync(from).map((name) => join(from, name));
  return folders.flatMap((folder) => readProject(folder) ?? []).sort((a, b) => a.name.localeCompare(b.name));
}

const Manifest = z.object({ scripts: z.record(z.string(), z.string()).optional() });

function readProject(directory: string): Project | null {
  if (!existsSync(join(directory, ".git"))) return null;
  const shared = { name: basename(directory), directory };
  const manifest = join(directory, "package.json");
  if (existsSync(manifest)) {
    const { scripts } = Manifest.parse(JSON.parse(readFileSync(manifest, "utf8")));
    return scripts?.test ? { ...shared, language: "javascript", suite: ["npm", "test"] } : null;
  }
  const isPython = ["pyproject.toml", "setup.py", "setup.cfg"].some((name) => existsSync(join(directory, name)));
  return isPython ? { ...shared, language: "python", suite: ["python3", "-m", "pytest", "-q"] } : null;
}

/** A copy of one state, in which anything may be changed. */
export function checkOut({ directory }: Project, commit: string, copy: string): void {
  execFileSync("git", ["clone", "-q", "--shared", "--no-checkout", directory, copy], { stdio: "ignore" });
  git(copy, "checkout", "-q", "--detach", commit);
  execFileSync("sh", ["-c", `printf '%s\\n' ${INSTALLED.join(" ")} >> .git/info/exclude`], { cwd: copy });
  for (const name of INSTALLED) {
    const from = join(directory, name);
    if (existsSync(from) && !existsSync(join(copy, name))) symlinkSync(from, join(copy, name));
  }
}

export function git(directory: string, ...args: string[]): string {
  const who = [
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@localhost",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "core.hooksPath=/dev/null",
  ];
  return execFileSync("git", [...who, "-C", directory, ...args], {
    encoding: "utf8",
    maxBuffer: 100_000_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const SOURCE = /\.(py|[cm]?[jt]s)$/;
const TEST =
  /(^|\/)(tests?|__tests__|spec)\/|(^|\/)test_[^/]*\.py$|_test\.py$|[._-](test|spec)\.[cm]?[jt]s$|(^|\/)test\.[cm]?[jt]s$/;
const ASIDE =
  /(^|\/)(docs?|examples?|bench(marks?)?|scripts|node_modules|dist)\/|\.d\.ts$|(^|\/)(setup|conf|conftest)\.py$|\.config\.[cm]?[jt]s$/;

export const isTest = (path: string): boolean => SOURCE.test(path) && TEST.test(path);
export const isSource = (path: string): boolean => SOURCE.test(path) && !TEST.test(path) && !ASIDE.test(path);
